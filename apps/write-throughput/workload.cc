#include "apps/write-throughput/workload.h"

#include <fmt/format.h>

#include <cstring>
#include <random>

namespace throughput {
namespace {

constexpr std::string_view kPrefix = "data_";
constexpr size_t kLongestText = kPrefix.size() + 20;  // "-9223372036854775808"
constexpr int kPoolOffsetBits = 16;

size_t FormatPlain(int64_t id, char* to) {
  std::memcpy(to, kPrefix.data(), kPrefix.size());
  const fmt::format_int digits(id);
  std::memcpy(to + kPrefix.size(), digits.data(), digits.size());
  return kPrefix.size() + digits.size();
}

size_t LineOf(int64_t id, size_t lines) {
  const auto count = static_cast<int64_t>(lines);
  const int64_t remainder = id % count;
  return static_cast<size_t>(remainder < 0 ? remainder + count : remainder);
}

}  // namespace

Values Values::Plain() { return Values(); }

Values Values::Padded(int64_t size) {
  constexpr std::string_view kLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
  static_assert(kLetters.size() == 64);
  Values values;
  values.size_ = static_cast<size_t>(size);
  values.pool_.resize(values.size_ + (size_t{1} << kPoolOffsetBits));
  std::mt19937_64 random;  // its sequence is the standard's: the same everywhere
  for (char& letter : values.pool_) letter = kLetters[random() >> 58];
  return values;
}

Values Values::FromFile(const DataFile& lines) {
  Values values;
  values.lines_ = &lines;
  return values;
}

std::string_view Values::Padding(int64_t id, size_t size) const {
  // Fibonacci hashing: the high bits of a product with 2^64 / golden ratio (Knuth, TAOCP 6.4).
  const uint64_t mixed = static_cast<uint64_t>(id) * 0x9e3779b97f4a7c15ULL;
  return std::string_view(pool_).substr(mixed >> (64 - kPoolOffsetBits), size);
}

std::string Values::At(int64_t id) const {
  if (lines_ != nullptr) return std::string(lines_->Line(LineOf(id, lines_->Lines())));
  char plain[kLongestText];
  std::string text(plain, FormatPlain(id, plain));
  if (text.size() < size_) text += Padding(id, size_ - text.size());
  return text;
}

RowCursor::RowCursor(const Values& values)
    : values_(values),
      plain_(values.lines_ == nullptr && values.size_ == 0),
      text_(plain_ ? 0 : std::max(kLongestText, values.size_), '\0') {}

void RowCursor::Jump(int64_t id, int64_t step) {
  id_ = id;
  step_ = step;
  if (plain_) return FormatOne();
  if (values_.lines_ == nullptr) return Format();
  line_ = LineOf(id, values_.lines_->Lines());
  value_ = values_.lines_->Line(line_);
}

// What Advance leaves to it: the value of an id that follows the last one.
void RowCursor::Refresh() {
  if (plain_) {
    if (!NextTen()) FormatTen();
  } else if (values_.lines_ != nullptr) {
    NextLine();
  } else if (CountUp()) {
    Pad();
  } else {
    Format();
  }
}

// From ten texts to the next ten in place; false: more than the last two digits change, or not all
// are ready.
bool RowCursor::NextTen() {
  const size_t tens = value_.size() - 2;
  const char digit = *(value_.data() + tens);
  if (!all_texts_ready_ || digit < '0' || digit > '8') return false;
  for (Text& text : texts_) ++text[tens];
  value_ = {texts_.front().data(), value_.size()};
  return true;
}

// Alone, as a transaction of one row needs no other.
void RowCursor::FormatOne() {
  Text text;
  const size_t size = FormatPlain(id_, text.data());
  Text& place = texts_[static_cast<size_t>(text[size - 1] - '0')];
  place = text;
  all_texts_ready_ = false;
  last_text_ = place.data();
  value_ = {last_text_, size};
}

void RowCursor::FormatTen() {
  FormatOne();
  const size_t last = value_.size() - 1;
  const Text text = texts_[static_cast<size_t>(value_.back() - '0')];
  char digit = '0';
  for (Text& one : texts_) {
    one = text;
    one[last] = digit++;
  }
  all_texts_ready_ = true;
  last_text_ = texts_.back().data();
}

// The digits become those of the next id in place; false: there would be one more of them.
bool RowCursor::CountUp() {
  const auto is_digit = [](char one) { return one >= '0' && one <= '9'; };
  char* digit = last_digit_;
  while (*digit == '9') *digit-- = '0';
  if (!is_digit(*digit)) return false;
  ++*digit;
  return true;
}

// Counted on, as a division for each row would cost more than all the rest.
void RowCursor::NextLine() {
  const size_t lines = values_.lines_->Lines();
  if (step_ > 0) {
    line_ = line_ + 1 == lines ? 0 : line_ + 1;
  } else {
    line_ = line_ == 0 ? lines - 1 : line_ - 1;
  }
  value_ = values_.lines_->Line(line_);
}

void RowCursor::Format() {
  const size_t size = FormatPlain(id_, text_.data());
  last_digit_ = text_.data() + size - 1;
  value_ = std::string_view(text_).substr(0, std::max(size, values_.size_));
  Pad();
}

void RowCursor::Pad() {
  const size_t size = static_cast<size_t>(last_digit_ - text_.data()) + 1;
  if (size >= values_.size_) return;
  const std::string_view padding = values_.Padding(id_, values_.size_ - size);
  std::memcpy(text_.data() + size, padding.data(), padding.size());
}

}  // namespace throughput

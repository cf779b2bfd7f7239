// Status and Result<T>: how the engine reports what went wrong; nothing in engine/ throws.
//
// A Status is one pointer, null for Ok, so the way of success costs a register. An error carries a
// code to act on and one line of text that names the file and offset where there is one.
// Thread rule: values; a Status is used by one thread at a time.
#pragma once

#include <cassert>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace burin {

enum class StatusCode {
  kOk,
  kConflict,         // another transaction wrote the row first; roll back and run it anew
  kDuplicate,        // insert of a key that is live; the transaction is over
  kNotFound,         // update or erase of a key that is absent, or no such table
  kTransactionOver,  // the transaction has committed, failed or been rolled back
  kBusy,             // the writer lock was not had within the busy timeout
  kTooLarge,         // a batch or value beyond what a segment can hold
  kNoSpace,          // the disk is full; nothing was submitted, it can be tried again
  kCommitUnknown,    // the write or sync of this group failed: it may or may not be durable
  kPoisoned,         // an earlier group failed; the engine takes no more commits
  kCorruption,       // acknowledged data is damaged
  kIoError,          // a system call failed; the text has its errno
  kInUse,            // another process has the database open
  kInvalidArgument,  // the caller's mistake
  kAlreadyExists,    // a database is there, and one was not to be
  kUnsupported,      // this kernel or build cannot; nothing was done
};

class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(StatusCode code, std::string message)
      : detail_(std::make_unique<Detail>(Detail{code, std::move(message)})) {
    assert(code != StatusCode::kOk);
  }
  Status(Status&&) noexcept = default;
  Status& operator=(Status&&) noexcept = default;
  Status(const Status& other)
      : detail_(other.detail_ ? std::make_unique<Detail>(*other.detail_) : nullptr) {}
  Status& operator=(const Status& other) { return *this = Status(other); }

  bool ok() const { return detail_ == nullptr; }
  StatusCode code() const { return detail_ ? detail_->code : StatusCode::kOk; }
  std::string_view message() const { return detail_ ? std::string_view(detail_->message) : "ok"; }

 private:
  struct Detail {
    StatusCode code;
    std::string message;
  };
  std::unique_ptr<Detail> detail_;
};

// A value, or the Status that says why there is none.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value)
      : value_(std::move(value)) {}  // NOLINT: implicit, so that `return value;` reads well
  Result(Status status) : status_(std::move(status)) { assert(!status_.ok()); }  // NOLINT

  bool ok() const { return value_.has_value(); }
  const Status& status() const { return status_; }
  Status TakeStatus() { return std::move(status_); }

  T& operator*() {
    assert(ok());
    return *value_;
  }
  const T& operator*() const {
    assert(ok());
    return *value_;
  }
  T* operator->() { return &**this; }
  const T* operator->() const { return &**this; }

 private:
  std::optional<T> value_;
  Status status_;
};

}  // namespace burin

#include "apps/write-throughput/secrets.h"

#include <string.h>

#include <algorithm>

namespace throughput {
namespace {

constexpr std::string_view kHidden = "(hidden)";

// In both of libpq's forms, in whatever case.
bool LooksLikeConnection(std::string_view word) {
  constexpr std::string_view kPassword = "password";
  const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; };
  const auto password =
      std::search(word.begin(), word.end(), kPassword.begin(), kPassword.end(), same);
  const size_t scheme = word.find("://");
  return std::find(password, word.end(), '=') != word.end() ||
         (scheme != std::string_view::npos && word.find('@', scheme) != std::string_view::npos);
}

// Where the part begins that has to be hidden; its size: nothing has.
size_t SecretAt(std::string_view word) {
  const std::string key = std::string(kConnectionSetting) + "=";
  const std::string flag = "--engine-option=" + key;
  for (const std::string& start : {key, flag}) {
    if (word.starts_with(start)) return start.size();
  }
  if (!LooksLikeConnection(word)) return word.size();
  return word.starts_with("--") ? std::min(word.find('='), word.size() - 1) + 1 : 0;
}

}  // namespace

std::string Shown(std::string_view word) {
  const size_t secret = SecretAt(word);
  if (secret == word.size()) return std::string(word);
  return std::string(word.substr(0, secret)) + std::string(kHidden);
}

std::vector<std::string> Shown(const std::vector<std::string>& words) {
  std::vector<std::string> shown;
  for (const std::string& word : words) shown.push_back(Shown(word));
  return shown;
}

void HideArguments(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const size_t size = strlen(argv[i]);
    const size_t secret = SecretAt(argv[i]);
    std::fill(argv[i] + secret, argv[i] + size, '\0');
    memcpy(argv[i] + secret, kHidden.data(), std::min(kHidden.size(), size - secret));
  }
}

}  // namespace throughput

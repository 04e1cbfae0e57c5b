#include "engine/cuda/toolchain/project/cmake_values.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>
#include <system_error>
#include <utility>

namespace bscope::cuda {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr int most_cmake_nesting = 20;
constexpr size_t most_cmake_value = size_t(1) << 18, most_variables = 5000;

std::string in_capitals(std::string_view text) {
  std::string all(text);
  std::ranges::transform(all, all.begin(), [](unsigned char c) { return char(std::toupper(c)); });
  return all;
}

bool is_cmake_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789.-") == std::string_view::npos;
}
double cmake_number(std::string_view text) {
  double n = 0;
  std::from_chars(text.data(), text.data() + text.size(), n);
  return n;
}

bool is_false_word(std::string_view text) {
  const std::string word = in_capitals(text);
  return word.empty() || word == "0" || word == "OFF" || word == "NO" || word == "FALSE" || word == "N" ||
         word == "IGNORE" || word == "NOTFOUND" || word.ends_with("-NOTFOUND");
}
bool is_true_word(std::string_view text) {
  const std::string word = in_capitals(text);
  return word == "1" || word == "ON" || word == "YES" || word == "TRUE" || word == "Y" ||
         (is_cmake_number(word) && cmake_number(word) != 0);
}

/// -1, 0, 1 of two versions: 3.9 is before 3.18.
int versions(const std::string& a, const std::string& b) {
  size_t i = 0, k = 0;
  while (i < a.size() || k < b.size()) {
    long x = 0, y = 0;
    for (; i < a.size() && a[i] != '.'; ++i) x = std::isdigit(a[i]) && x < 100000 ? x * 10 + (a[i] - '0') : x;
    for (; k < b.size() && b[k] != '.'; ++k) y = std::isdigit(b[k]) && y < 100000 ? y * 10 + (b[k] - '0') : y;
    if (x != y) return x < y ? -1 : 1;
    ++i, ++k;
  }
  return 0;
}

/// A condition: NOT before AND before OR, brackets before all.
class Condition {
 public:
  struct Word {
    std::string text;
    bool quoted = false;
  };
  Condition(const CmakeValues& values, std::vector<Word> words,
            const std::function<bool(const std::string&)>& is_target)
      : values_(values), words_(std::move(words)), is_target_(is_target) {}

  bool holds() { return any(0); }

 private:
  bool is(const char* word) const {
    return at_ < words_.size() && !words_[at_].quoted && words_[at_].text == word;
  }
  bool any(int depth) {
    bool result = all(depth);
    while (is("OR")) {
      ++at_;
      result = all(depth) || result;
    }
    return result;
  }
  bool all(int depth) {
    bool result = one(depth);
    while (is("AND")) {
      ++at_;
      result = one(depth) && result;
    }
    return result;
  }
  bool one(int depth) {
    if (at_ >= words_.size() || depth > most_cmake_nesting) return false;
    if (is("NOT")) {
      ++at_;
      return !one(depth + 1);
    }
    if (is("(")) {
      ++at_;
      const bool result = any(depth + 1);
      if (is(")")) ++at_;
      return result;
    }
    return unary();
  }

  /// What follows the word at hand; both are read then.
  const std::string& operand() {
    at_ += 2;
    return words_[at_ - 1].text;
  }
  bool unary() {
    const std::string word = words_[at_].quoted ? std::string() : words_[at_].text;
    const bool more = at_ + 1 < words_.size();
    if (more && word == "DEFINED") return values_.is_set(operand());
    if (more && word == "TARGET") return is_target_(operand());
    if (more && (word == "EXISTS" || word == "IS_DIRECTORY")) {
      std::error_code ignored;
      return fs::exists(operand(), ignored);
    }
    if (more && (word == "COMMAND" || word == "POLICY" || word == "TEST")) {
      at_ += 2;
      return word != "TEST";
    }
    return binary();
  }

  /// A name stands for its variable's value.
  std::string value(const Word& w) const {
    return !w.quoted && values_.is_set(w.text) ? values_.get(w.text) : w.text;
  }
  bool binary() {
    const Word left = words_[at_++];
    if (at_ + 1 >= words_.size() || words_[at_].quoted) return truth(left);
    const std::string op = words_[at_].text;
    const std::string a = value(left), b = value(words_[at_ + 1]);
    const auto holds = [&](bool result) {
      at_ += 2;
      return result;
    };
    if (op == "STREQUAL" || op == "PATH_EQUAL") return holds(a == b);
    if (op == "EQUAL") return holds(cmake_number(a) == cmake_number(b));
    if (op == "LESS") return holds(cmake_number(a) < cmake_number(b));
    if (op == "GREATER") return holds(cmake_number(a) > cmake_number(b));
    if (op == "LESS_EQUAL") return holds(cmake_number(a) <= cmake_number(b));
    if (op == "GREATER_EQUAL") return holds(cmake_number(a) >= cmake_number(b));
    if (op == "VERSION_LESS") return holds(versions(a, b) < 0);
    if (op == "VERSION_GREATER") return holds(versions(a, b) > 0);
    if (op == "VERSION_EQUAL") return holds(versions(a, b) == 0);
    if (op == "VERSION_LESS_EQUAL") return holds(versions(a, b) <= 0);
    if (op == "VERSION_GREATER_EQUAL") return holds(versions(a, b) >= 0);
    if (op == "STRLESS") return holds(a < b);
    if (op == "STRGREATER") return holds(a > b);
    if (op == "IN_LIST") {
      const Words list = cmake_list(values_.get(words_[at_ + 1].text));
      return holds(std::ranges::find(list, a) != list.end());
    }
    if (op == "MATCHES") return holds(contains(a, words_[at_ + 1].text));
    return truth(left);
  }
  /// A regular expression is looked for as the text that it is without its signs.
  static bool contains(const std::string& text, const std::string& expression) {
    std::string plain;
    size_t at = 0;
    while (at <= expression.size()) {  // alternatives
      const size_t end = std::min(expression.find('|', at), expression.size());
      plain.clear();
      for (size_t k = at; k < end; ++k)
        if (std::string_view("^$().*+?[]\\").find(expression[k]) == std::string_view::npos)
          plain += expression[k];
      if (!plain.empty() && text.find(plain) != std::string::npos) return true;
      at = end + 1;
    }
    return false;
  }
  bool truth(const Word& w) const {
    if (is_true_word(w.text)) return true;
    if (is_false_word(w.text) || w.quoted) return false;
    return values_.is_set(w.text) && !is_false_word(values_.get(w.text));
  }

  const CmakeValues& values_;
  std::vector<Word> words_;
  const std::function<bool(const std::string&)>& is_target_;
  size_t at_ = 0;
};

/// Of $<KEY:value>: whether a condition holds for CUDA code in a usual build.
bool condition_of_expression(std::string_view key) {
  if (key == "1") return true;
  if (key.starts_with("COMPILE_LANGUAGE:") || key.starts_with("COMPILE_LANG_AND_ID:"))
    return key.find("CUDA") != std::string_view::npos;
  if (key.starts_with("CONFIG:")) return key == "CONFIG:Release";
  if (key.starts_with("CUDA_COMPILER_ID:")) return key.find("NVIDIA") != std::string_view::npos;
  if (key.starts_with("PLATFORM_ID:")) return key.find("Linux") != std::string_view::npos;
  if (key.starts_with("CXX_COMPILER_ID:")) return key.find("GNU") != std::string_view::npos;
  if (key.starts_with("BOOL:")) return !is_false_word(key.substr(5));
  return false;
}

}  // namespace

const std::string& CmakeValues::get(const std::string& name) const {
  static const std::string none;
  const auto found = all_.find(name);
  return found == all_.end() ? none : found->second;
}

void CmakeValues::set(const std::string& name, std::string value) {
  if (all_.size() < most_variables && value.size() < most_cmake_value) all_[name] = std::move(value);
}

std::string CmakeValues::replaced(std::string_view text, int depth) const {
  std::string all;
  if (depth > most_cmake_nesting || !files_->work(text.size())) return all;
  for (size_t k = 0; k < text.size() && all.size() < most_cmake_value; ++k) {
    if (text[k] == '\\' && k + 1 < text.size() && text[k + 1] == '$') {
      all += text[++k];
      continue;
    }
    const bool environment = text.substr(k).starts_with("$ENV{");
    if (!environment && !text.substr(k).starts_with("${")) {
      all += text[k];
      continue;
    }
    const size_t begin = k + (environment ? 5 : 2);
    int open = 1;
    size_t end = begin;
    for (; end < text.size(); ++end) {
      if (text[end] == '{') ++open;
      if (text[end] == '}' && --open == 0) break;
    }
    if (!environment) all += get(replaced(text.substr(begin, end - begin), depth + 1));
    k = end;
  }
  files_->work(all.size());
  return all;
}

std::vector<std::string> CmakeValues::arguments(const std::vector<CmakeArgument>& given) const {
  Words all;
  for (const CmakeArgument& a : given) {
    if (a.bracket) {
      all.push_back(a.text);
      continue;
    }
    std::string text = replaced(a.text);
    if (a.quoted)
      all.push_back(std::move(text));
    else
      std::ranges::move(cmake_list(text), std::back_inserter(all));
    if (all.size() > 10'000) break;
  }
  return all;
}

bool CmakeValues::holds(const std::vector<CmakeArgument>& given,
                        const std::function<bool(const std::string&)>& is_target) const {
  std::vector<Condition::Word> words;
  for (const CmakeArgument& a : given) {
    const std::string text = a.bracket ? a.text : replaced(a.text);
    if (a.quoted) {
      words.push_back({text, true});
      continue;
    }
    for (std::string& one : cmake_list(text)) words.push_back({std::move(one), false});
  }
  return Condition(*this, std::move(words), is_target).holds();
}

std::vector<std::string> cmake_list(std::string_view text) {
  Words all;
  std::string one;
  int open = 0;  // of $<...>
  for (size_t k = 0; k <= text.size(); ++k) {
    const char c = k < text.size() ? text[k] : ';';
    if (c == '\\' && k + 1 < text.size() && text[k + 1] == ';') {
      one += text[++k];
      continue;
    }
    if (c == '<' && k > 0 && text[k - 1] == '$') ++open;
    if (c == '>' && open > 0) --open;
    if (c == ';' && (open == 0 || k == text.size())) {
      if (!one.empty()) all.push_back(std::exchange(one, {}));
      continue;
    }
    one += c;
  }
  return all;
}

std::string cmake_list_text(const std::vector<std::string>& elements) {
  std::string all;
  for (const std::string& one : elements) {
    if (!all.empty()) all += ';';
    all += one;
  }
  return all;
}

std::string without_expressions(std::string_view text, int depth) {
  std::string all;
  if (depth > most_cmake_nesting) return all;
  for (size_t k = 0; k < text.size(); ++k) {
    if (!text.substr(k).starts_with("$<")) {
      all += text[k];
      continue;
    }
    int open = 1;
    size_t end = k + 2, colon = std::string_view::npos;
    for (; end < text.size(); ++end) {
      if (text.substr(end).starts_with("$<"))
        ++open, ++end;
      else if (text[end] == '>' && --open == 0)
        break;
      else if (text[end] == ':' && open == 1 && colon == std::string_view::npos)
        colon = end;
    }
    const std::string_view inside = text.substr(k + 2, end - k - 2);
    const std::string_view key = colon == std::string_view::npos ? inside : text.substr(k + 2, colon - k - 2);
    const std::string_view value =
        colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1, end - colon - 1);
    k = end;
    if (key == "BUILD_INTERFACE" || key == "HOST_LINK" || key == "LINK_ONLY") {
      all += without_expressions(value, depth + 1);
    } else if (key.starts_with("$<")) {
      if (without_expressions(key, depth + 1) == "1") all += without_expressions(value, depth + 1);
    } else if (key == "1") {
      all += without_expressions(value, depth + 1);
    } else if (key == "NOT") {
      all += without_expressions(value, depth + 1) == "1" ? "0" : "1";
    } else if (key == "AND" || key == "OR") {
      const std::string decided = without_expressions(value, depth + 1);
      const bool holds =
          key == "AND" ? decided.find('0') == std::string::npos : decided.find('1') != std::string::npos;
      all += holds ? "1" : "0";
    } else if (key != "INSTALL_INTERFACE" && key != "0") {
      all += condition_of_expression(inside) ? "1" : "0";
    }
  }
  return all;
}

}  // namespace bscope::cuda

#include "engine/cuda/toolchain/child_launches.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "engine/trace/cpp_tokens.hpp"

namespace bscope::cuda {
namespace {

/// `callee<<<configuration>>>(arguments)`, by the numbers of tokens.
struct ChevronLaunch {
  size_t callee = 0, opens = 0;             ///< the callee's first; the first <
  size_t closes = 0;                        ///< the first of the three >
  size_t arguments = 0, arguments_end = 0;  ///< the brackets
  bool in_device_code = false;
};

class LaunchFinder {
 public:
  explicit LaunchFinder(std::string_view text) : text_(text), words_(code_tokens(text)) {}

  std::vector<ChevronLaunch> find() {
    std::vector<ChevronLaunch> all;
    for (size_t k = 0; k < words_.size(); ++k) {
      follow_scopes(k);
      if (!are_three(k, '<')) continue;
      if (const auto launch = launch_at(k)) {
        all.push_back(*launch);
        k = launch->closes;  // launches in its arguments come next
      }
    }
    return all;
  }
  size_t begin_of(size_t k) const { return words_[k].begin; }
  size_t end_of(size_t k) const { return words_[k].end; }

 private:
  std::string_view word(size_t k) const {
    return k < words_.size() ? text_.substr(words_[k].begin, words_[k].end - words_[k].begin)
                             : std::string_view();
  }
  bool is(size_t k, char sign) const {
    return k < words_.size() && words_[k].kind == Token::sign && text_[words_[k].begin] == sign;
  }
  bool are_three(size_t k, char sign) const {
    return is(k, sign) && is(k + 1, sign) && is(k + 2, sign) && words_[k].end == words_[k + 1].begin &&
           words_[k + 1].end == words_[k + 2].begin;
  }

  /// Whether a brace that opens here begins device code, by the words before it.
  bool begins_device_code(size_t brace) const {
    bool device = false;
    for (size_t k = head_; k < brace; ++k) {
      if (word(k) == "__host__") return false;
      device = device || word(k) == "__global__" || word(k) == "__device__";
    }
    return device;
  }
  void follow_scopes(size_t k) {
    if (words_[k].directive) return;
    if (is(k, '{')) scopes_.push_back(in_device_code() || begins_device_code(k));
    if (is(k, '}') && !scopes_.empty()) scopes_.pop_back();
    if (is(k, '{') || is(k, '}') || is(k, ';')) head_ = k + 1;
  }
  bool in_device_code() const { return !scopes_.empty() && scopes_.back(); }

  /// The bracket that matches the one at k, on the way forward.
  std::optional<size_t> closing(size_t k, char opens, char closes) const {
    for (int depth = 0; k < words_.size(); ++k) {
      if (is(k, opens)) ++depth;
      if (is(k, closes) && --depth == 0) return k;
    }
    return {};
  }
  /// The same on the way back.
  std::optional<size_t> opening(size_t k, char opens, char closes) const {
    for (int depth = 0;; --k) {
      if (is(k, closes)) ++depth;
      if (is(k, opens) && --depth == 0) return k;
      if (k == 0 || is(k, ';')) return {};
    }
  }

  /// The first token of the name, with its template arguments and namespaces, that ends before `end`.
  std::optional<size_t> callee_before(size_t end) const {
    for (size_t k = end;;) {
      if (k == 0) return {};
      const char last = text_[words_[--k].begin];
      const char opens = last == '>' ? '<' : last == ')' ? '(' : last == ']' ? '[' : 0;
      if (words_[k].kind == Token::sign && opens) {
        const auto begin = opening(k, opens, last);
        if (!begin) return {};
        k = *begin;
        if (opens == '(' && (k == 0 || words_[k - 1].kind != Token::name)) return k;
        continue;
      }
      if (words_[k].kind != Token::name) return {};
      if (k > 0 && word(k - 1) == "template") --k;
      if (k >= 2 && is(k - 1, ':') && is(k - 2, ':')) {
        k -= 2;
        if (k == 0 || (words_[k - 1].kind != Token::name && !is(k - 1, '>'))) return k;
      } else if (k >= 1 && is(k - 1, '.')) {
        k -= 1;
      } else if (k >= 2 && is(k - 1, '>') && is(k - 2, '-')) {
        k -= 2;
      } else {
        return k;
      }
    }
  }

  std::optional<ChevronLaunch> launch_at(size_t opens) const {
    const auto callee = callee_before(opens);
    if (!callee) return {};
    for (size_t k = opens + 3; k < words_.size() && !is(k, ';'); ++k) {
      if (!are_three(k, '>') || !is(k + 3, '(')) continue;
      const auto end = closing(k + 3, '(', ')');
      if (!end) return {};
      return ChevronLaunch{*callee, opens, k, k + 3, *end, in_device_code()};
    }
    return {};
  }

  std::string_view text_;
  std::vector<Token> words_;
  std::vector<bool> scopes_;  ///< of each open brace, whether it is device code
  size_t head_ = 0;           ///< the first token of what a brace that comes may belong to
};

}  // namespace

bool has_child_launches(std::string_view text) {
  if (text.find("<<<") == std::string_view::npos) return false;
  return std::ranges::any_of(LaunchFinder(text).find(), &ChevronLaunch::in_device_code);
}

std::string with_child_launches(std::string_view text) {
  LaunchFinder finder(text);
  std::string all;
  size_t done = 0;
  for (const ChevronLaunch& l : finder.find()) {
    const size_t begin = finder.begin_of(l.callee);
    if (begin < done) continue;  // in another launch's arguments
    const auto between = [&](size_t from, size_t to) { return std::string(text.substr(from, to - from)); };
    all += between(done, begin);
    all += l.in_device_code ? "__BSCOPE_CHILD_LAUNCH((" : "__BSCOPE_LAUNCH((";
    all += between(finder.end_of(l.opens + 2), finder.begin_of(l.closes)) + "), ";
    done = finder.end_of(l.arguments_end);
    all += between(finder.begin_of(l.arguments), done) + ", ";
    all += between(begin, finder.begin_of(l.opens)) + ")";
  }
  return all + std::string(text.substr(done));
}

}  // namespace bscope::cuda

#include "engine/cuda/toolchain/project/cmake_text.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

namespace bscope::cuda {
namespace {

constexpr size_t most_commands = 20'000, most_cmake_arguments = 5000;

class CmakeReader {
 public:
  explicit CmakeReader(std::string_view text) : text_(text) {}

  std::vector<CmakeCommand> read() {
    while (at_ < text_.size() && all_.size() < most_commands) {
      skip_blanks();
      const size_t begin = at_;
      while (at_ < text_.size() && is_name(text_[at_])) ++at_;
      std::string name(text_.substr(begin, at_ - begin));
      skip_blanks();
      if (name.empty() || at_ >= text_.size() || text_[at_] != '(') {
        if (at_ == begin) ++at_;
        continue;
      }
      ++at_;
      std::ranges::transform(name, name.begin(), [](unsigned char c) { return char(std::tolower(c)); });
      all_.push_back({std::move(name), arguments()});
    }
    return std::move(all_);
  }

 private:
  static bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

  void skip_blanks() {
    while (at_ < text_.size()) {
      if (text_[at_] == '#')
        skip_comment();
      else if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0)
        ++at_;
      else
        return;
    }
  }
  void skip_comment() {
    ++at_;
    if (bracket()) return;
    at_ = std::min(text_.find('\n', at_), text_.size());
  }

  /// What stands between [==[ and ]==], if such begins here.
  std::optional<std::string> bracket() {
    if (at_ >= text_.size() || text_[at_] != '[') return {};
    size_t open = at_ + 1;
    while (open < text_.size() && text_[open] == '=') ++open;
    if (open >= text_.size() || text_[open] != '[') return {};
    const std::string close = "]" + std::string(open - at_ - 1, '=') + "]";
    const size_t end = std::min(text_.find(close, open + 1), text_.size());
    std::string inside(text_.substr(open + 1, end - open - 1));
    at_ = std::min(end + close.size(), text_.size());
    return inside;
  }

  std::vector<CmakeArgument> arguments() {
    std::vector<CmakeArgument> all;
    int depth = 0;
    while (at_ < text_.size() && all.size() < most_cmake_arguments) {
      skip_blanks();
      if (at_ >= text_.size()) break;
      const char c = text_[at_];
      if (c == ')' && depth-- == 0) {
        ++at_;
        break;
      }
      if (c == '(') ++depth;
      if (c == '(' || c == ')') {
        all.push_back({std::string(1, c)});
        ++at_;
      } else if (auto inside = bracket()) {
        all.push_back({std::move(*inside), true, true});
      } else if (c == '"') {
        all.push_back({quoted(), true, false});
      } else {
        all.push_back({unquoted(), false, false});
      }
    }
    return all;
  }

  std::string quoted() {
    std::string all;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
        const char next = text_[++at_];
        if (next == '\n') continue;
        all += next == 'n' ? std::string("\n") : next == 't' ? std::string("\t") : kept(next);
      } else {
        all += text_[at_];
      }
    }
    ++at_;
    return all;
  }
  /// An escaped $ or ; keeps its backslash until variables are replaced.
  static std::string kept(char c) { return c == '$' || c == ';' ? std::string("\\") + c : std::string(1, c); }

  std::string unquoted() {
    std::string all;
    int open = 0;  // of ${...} and $<...>
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\\' && at_ + 1 < text_.size()) {
        all += kept(text_[++at_]);
        continue;
      }
      if ((c == '{' || c == '<') && !all.empty() && all.back() == '$') ++open;
      if ((c == '}' || c == '>') && open > 0) --open;
      if (std::isspace(static_cast<unsigned char>(c)) != 0 || c == '#') break;
      if (open == 0 && (c == '(' || c == ')')) break;
      if (c == '"') {
        all += quoted();
        --at_;
        continue;
      }
      all += c;
    }
    if (all.empty()) ++at_;
    return all;
  }

  std::string_view text_;
  size_t at_ = 0;
  std::vector<CmakeCommand> all_;
};

}  // namespace

std::vector<CmakeCommand> cmake_commands(std::string_view text) { return CmakeReader(text).read(); }

}  // namespace bscope::cuda

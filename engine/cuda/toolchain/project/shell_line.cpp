#include "engine/cuda/toolchain/project/shell_line.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <optional>
#include <utility>

#include "engine/cuda/toolchain/project/project_files.hpp"

namespace bscope::cuda {
namespace {

namespace fs = std::filesystem;

/// A word, or a sign between commands.
struct Piece {
  std::string text;
  bool sign = false;
  bool quoted = false;  ///< a part of it: no pattern of files
};

constexpr std::string_view signs = ";&|<>()";

/// Takes a line apart.
class Pieces {
 public:
  explicit Pieces(std::string_view line) : line_(line) {}

  std::vector<Piece> read() {
    for (at_ = 0; at_ < line_.size(); ++at_) {
      const char c = line_[at_];
      if (c == ' ' || c == '\t' || c == '\n')
        end_word();
      else if (c == '\'' || c == '"')
        take_quoted(c);
      else if (c == '\\' && at_ + 1 < line_.size())
        add(line_[++at_], true);
      else if (c == '#' && !word_)
        break;
      else if (signs.find(c) != std::string_view::npos)
        take_sign(c);
      else
        add(c, false);
    }
    end_word();
    return std::move(all_);
  }

 private:
  void add(char c, bool quoted) {
    if (!word_) word_.emplace();
    word_->text += c;
    word_->quoted |= quoted;
  }
  void end_word() {
    if (word_) all_.push_back(std::move(*word_));
    word_.reset();
  }
  void take_quoted(char quote) {
    if (!word_) word_.emplace();
    word_->quoted = true;
    for (++at_; at_ < line_.size() && line_[at_] != quote; ++at_) {
      const bool escape = quote == '"' && line_[at_] == '\\' && at_ + 1 < line_.size() &&
                          std::string_view("\"\\$`").find(line_[at_ + 1]) != std::string_view::npos;
      if (escape) ++at_;
      word_->text += line_[at_];
    }
  }
  void take_sign(char c) {
    // 2>&1: the number belongs to the sign
    if ((c == '>' || c == '<') && word_ && word_->text.size() == 1 && std::isdigit(word_->text[0]) != 0)
      word_.reset();
    end_word();
    std::string sign(1, c);
    while (at_ + 1 < line_.size() && (line_[at_ + 1] == c || line_[at_ + 1] == '&') && c != '(' && c != ')')
      sign += line_[++at_];
    all_.push_back({std::move(sign), true, false});
  }

  std::string_view line_;
  size_t at_ = 0;
  std::optional<Piece> word_;
  std::vector<Piece> all_;
};

bool is_keyword(const std::string& word) {
  constexpr std::string_view all[] = {"then", "do",   "else",   "{",    "!",
                                      "time", "exec", "ccache", "nice", "sudo"};
  return std::ranges::find(all, word) != std::end(all);
}
/// NAME=VALUE before a command.
bool sets_variable(const std::string& word) {
  const size_t equals = word.find('=');
  return equals != std::string::npos && equals > 0 &&
         std::all_of(word.begin(), word.begin() + ptrdiff_t(equals),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

void add_word(std::vector<std::string>& words, const Piece& p, const fs::path& folder) {
  if (!p.quoted && is_pattern(p.text))
    if (const auto files = files_of_pattern(p.text, folder); !files.empty()) {
      words.insert(words.end(), files.begin(), files.end());
      return;
    }
  words.push_back(p.text);
}

}  // namespace

std::vector<std::string> shell_words(std::string_view line, const fs::path& folder) {
  std::vector<std::string> words;
  for (const Piece& p : Pieces(line).read())
    if (!p.sign) add_word(words, p, folder);
  return words;
}

std::vector<ShellCommand> shell_commands(std::string_view line, const fs::path& folder) {
  std::vector<ShellCommand> all;
  ShellCommand now{{}, folder};
  fs::path where = folder;
  const auto end = [&] {
    if (now.words.size() >= 2 && now.words[0] == "cd")
      where = (where / now.words[1]).lexically_normal();
    else if (!now.words.empty())
      all.push_back(std::move(now));
    now = {{}, where};
  };
  const std::vector<Piece> pieces = Pieces(line).read();
  for (size_t k = 0; k < pieces.size(); ++k) {
    const Piece& p = pieces[k];
    if (p.sign) {
      if (p.text.find_first_of("<>") != std::string::npos)
        k += p.text.find('&') == std::string::npos || p.text.back() == '&' ? 1 : 0;  // the file's name
      else
        end();
      continue;
    }
    if (now.words.empty() && !p.quoted && (is_keyword(p.text) || sets_variable(p.text))) continue;
    add_word(now.words, p, where);
  }
  end();
  return all;
}

}  // namespace bscope::cuda

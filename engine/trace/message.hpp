// Messages for users: the English pattern and its arguments, kept apart. The pattern identifies the message,
// as a msgid does in gettext; the app makes the words of each language from it (app/words).
#pragma once

#include <concepts>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace bscope {

/// How many {} a pattern holds.
constexpr size_t count_placeholders(std::string_view pattern) {
  size_t n = 0;
  for (size_t at = 0; (at = pattern.find("{}", at)) != std::string_view::npos; at += 2) ++n;
  return n;
}

/// A sentence or clause with its arguments. An argument is verbatim (a name, a number) or a message itself.
class Message {
 public:
  Message() = default;
  /// `pattern`: English, with a {} for each argument. Use `message()`, which checks that at compile time.
  Message(std::string pattern, std::vector<Message> arguments)
      : pattern_(std::move(pattern)), arguments_(std::move(arguments)) {}
  /// A text that no language changes: a name, a number, a compiler's words.
  static Message verbatim(std::string text) {
    Message m(std::move(text), {});
    m.verbatim_ = true;
    return m;
  }
  /// A complete English sentence from elsewhere, an older file for example, whose arguments are unknown.
  static Message plain(std::string sentence) { return {std::move(sentence), {}}; }

  const std::string& pattern() const { return pattern_; }
  const std::vector<Message>& arguments() const { return arguments_; }
  bool is_verbatim() const { return verbatim_; }
  bool empty() const { return pattern_.empty(); }
  /// Calls `f(text)` for the pattern and for each text in the arguments, to be changed.
  template <class F>
  void for_each_text(const F& f) {
    f(pattern_);
    for (Message& argument : arguments_) argument.for_each_text(f);
  }
  std::string english() const;
  bool operator==(const Message&) const;

  /// In files: a verbatim text is a string, any other message the list of its pattern and arguments.
  nlohmann::ordered_json json() const;
  /// Trusts nothing. Throws BadFile, which names `where`.
  static Message from_json(const nlohmann::ordered_json&, const std::string& where);
  /// The same as a text.
  std::string serialized() const;
  /// Throws BadFile.
  static Message parse(const std::string& serialized);

 private:
  std::string pattern_;
  std::vector<Message> arguments_;
  bool verbatim_ = false;
};

/// The literal pattern of a message with so many arguments.
template <class... Arguments>
struct MessagePattern {
  const char* text;
  consteval MessagePattern(const char* pattern) : text(pattern) {
    if (count_placeholders(pattern) != sizeof...(Arguments)) throw "one argument for each {}";
  }
};

/// An argument of a message: a message, a text or a whole number.
inline Message as_argument(Message m) { return m; }
inline Message as_argument(std::string text) { return Message::verbatim(std::move(text)); }
inline Message as_argument(std::string_view text) { return Message::verbatim(std::string(text)); }
inline Message as_argument(const char* text) { return Message::verbatim(text); }
Message as_argument(bool) = delete;
Message as_argument(char) = delete;
template <std::integral N>
Message as_argument(N n) {
  return Message::verbatim(std::to_string(n));
}

/// A message from a literal pattern, which tools/check_words.py finds, and one argument for each of its {}.
template <class... Arguments>
Message message(MessagePattern<std::type_identity_t<Arguments>...> pattern, const Arguments&... arguments) {
  return {pattern.text, {as_argument(arguments)...}};
}

/// Two sentences, one after the other; either may be empty.
Message followed_by(Message first, Message second);
/// Clauses with commas between them.
Message comma_list(const std::vector<Message>& clauses);
/// An option as the user types it, "--n"; in a page, where links set it, "n".
Message option_message(const std::string& option);
/// Names as they are typed: "a, b, c".
template <class Names>
std::string name_list(const Names& names) {
  std::string all;
  for (const auto& name : names) (all += all.empty() ? "" : ", ") += name;
  return all;
}
/// Names to choose from, as they are typed: "a, b or c".
Message or_list(const std::vector<std::string>& names);

}  // namespace bscope

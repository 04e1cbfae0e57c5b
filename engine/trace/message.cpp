#include "engine/trace/message.hpp"

#include <nlohmann/json.hpp>
#include <span>

#include "engine/trace/english_message.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/json_text.hpp"
#include "engine/trace/read_file.hpp"
#include "engine/trace/shown_text.hpp"

namespace bscope {
namespace {

constexpr int deepest_message = 16;  ///< messages within messages in a file

Message read(const nlohmann::ordered_json& j, const std::string& where, int depth) {
  if (j.is_string()) return Message::verbatim(j.get<std::string>());
  const bool is_list = j.is_array() && !j.empty() && j[0].is_string();
  if (!is_list || depth == deepest_message) throw BadFile(message("\"{}\" is no message", where));
  std::vector<Message> arguments;
  for (size_t k = 1; k < j.size(); ++k) arguments.push_back(read(j[k], where, depth + 1));
  return {j[0].get<std::string>(), std::move(arguments)};
}

}  // namespace

std::string Message::english() const {
  // what was given may hold anything, and is printed
  if (verbatim_) return is_printable(pattern_, true) ? pattern_ : as_shown(pattern_);
  std::string text;
  size_t from = 0;
  for (const Message& argument : arguments_) {
    const size_t at = pattern_.find("{}", from);
    if (at == std::string::npos) break;
    text += pattern_.substr(from, at - from) + argument.english();
    from = at + 2;
  }
  return text + pattern_.substr(from);
}

bool Message::operator==(const Message& m) const {
  return verbatim_ == m.verbatim_ && pattern_ == m.pattern_ && arguments_ == m.arguments_;
}

nlohmann::ordered_json Message::json() const {
  if (verbatim_) return pattern_;
  nlohmann::ordered_json all = nlohmann::ordered_json::array({pattern_});
  for (const Message& argument : arguments_) all.push_back(argument.json());
  return all;
}

Message Message::from_json(const nlohmann::ordered_json& j, const std::string& where) {
  return read(j, where, 0);
}

std::string Message::serialized() const { return json_text(json()); }

Message Message::parse(const std::string& serialized) {
  return from_json(parse_json(serialized, "message"), "message");
}

nlohmann::ordered_json EnglishMessage::json() const { return english(); }

EnglishMessage EnglishMessage::from_json(const nlohmann::ordered_json& j, const std::string& where) {
  if (!j.is_string()) throw BadFile(message("\"{}\" is no text", where));
  return plain(j.get<std::string>());
}

Message followed_by(Message first, Message second) {
  if (first.empty() || second.empty()) return first.empty() ? second : first;
  return message("{} {}", first, second);
}

Message option_message(const std::string& option) {
  return option.starts_with("--") ? message("--{}", option.substr(2)) : Message::verbatim(option);
}

Message or_list(const std::vector<std::string>& names) {
  if (names.size() < 2) return Message::verbatim(names.empty() ? "" : names.front());
  return message("{} or {}", name_list(std::span(names).first(names.size() - 1)), names.back());
}

Message comma_list(const std::vector<Message>& clauses) {
  Message all;
  for (const Message& clause : clauses) all = all.empty() ? clause : message("{}, {}", all, clause);
  return all;
}

}  // namespace bscope

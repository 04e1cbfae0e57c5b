// A message in a public file, which holds its English text.
#pragma once

#include <string>
#include <utility>

#include "engine/trace/message.hpp"

namespace bscope {

/// A message whose JSON is its English text. One that this program made keeps its arguments while it runs;
/// one that was read is plain. Two are equal where their texts are.
class EnglishMessage : public Message {
 public:
  EnglishMessage() = default;
  EnglishMessage(Message m) : Message(std::move(m)) {}
  EnglishMessage(std::string text) : Message(plain(std::move(text))) {}
  EnglishMessage(const char* text) : EnglishMessage(std::string(text)) {}
  bool operator==(const EnglishMessage& m) const { return english() == m.english(); }

  nlohmann::ordered_json json() const;
  /// Throws BadFile, which names `where`.
  static EnglishMessage from_json(const nlohmann::ordered_json&, const std::string& where);
};

}  // namespace bscope

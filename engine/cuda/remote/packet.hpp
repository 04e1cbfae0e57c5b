// How a message lies in bytes: one byte that says what it is, its fields as JSON (json_fields.hpp checks
// them, and numbers have no width there), a zero, and bytes as they are: contents of memory, texts of files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engine/trace/error.hpp"
#include "engine/trace/json_fields.hpp"

namespace bscope::cuda {

using Bytes = std::vector<std::byte>;
using ByteSpan = std::span<const std::byte>;

/// Throws BadFile: a message is invalid, so the module that sent it is broken. `why` says what is wrong.
[[noreturn]] void refuse(const char* why);

/// A message in its parts, which lie in the message.
struct Packet {
  uint8_t tag = 0;
  std::string_view fields;
  ByteSpan bytes;
};

Bytes packed(uint8_t tag, std::string_view fields, ByteSpan bytes);
/// Throws BadFile.
Packet unpacked(ByteSpan message);

/// A message of a struct that lists its members.
template <class T>
Bytes pack(uint8_t tag, const T& message, ByteSpan bytes = {}) {
  return packed(tag, json_text(to_fields_json(message)), bytes);
}
/// Throws BadFile.
template <class T>
T read_fields(const Packet& packet) {
  T message;
  from_fields_json(message, parse_json(packet.fields, "a message"), {});
  return message;
}

inline ByteSpan as_bytes(std::string_view text) { return std::as_bytes(std::span(text)); }
inline std::string_view as_text(ByteSpan bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace bscope::cuda

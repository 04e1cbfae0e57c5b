#include "engine/cuda/remote/packet.hpp"

#include <algorithm>

namespace bscope::cuda {

void refuse(const char* why) { throw BadFile(message("invalid request to the machine: {}", why)); }

Bytes packed(uint8_t tag, std::string_view fields, ByteSpan bytes) {
  Bytes message;
  message.reserve(fields.size() + bytes.size() + 2);
  message.push_back(std::byte(tag));
  const ByteSpan text = as_bytes(fields);
  message.insert(message.end(), text.begin(), text.end());
  message.push_back(std::byte(0));
  message.insert(message.end(), bytes.begin(), bytes.end());
  return message;
}

Packet unpacked(ByteSpan message) {
  if (message.empty()) refuse("it is empty");
  const ByteSpan rest = message.subspan(1);
  const auto end = std::ranges::find(rest, std::byte(0));
  if (end == rest.end()) refuse("its fields have no end");
  const auto length = size_t(end - rest.begin());
  return {uint8_t(message[0]), as_text(rest.first(length)), rest.subspan(length + 1)};
}

}  // namespace bscope::cuda

#include "engine/cuda/runtime/mirrors.hpp"

#include <algorithm>
#include <cstring>

namespace bscope::cuda {

void Mirrors::add(std::byte* host, size_t bytes, Memory* memory, uint64_t device) {
  mirrors_.push_back({host, bytes, memory, device, {}});
}

bool Mirrors::remove(const void* host) {
  return std::erase_if(mirrors_, [&](const Mirror& m) { return m.host == host; }) > 0;
}

uint64_t Mirrors::device_of(const void* host) const {
  const auto* const at = static_cast<const std::byte*>(host);
  for (const Mirror& m : mirrors_)
    if (at >= m.host && at < m.host + m.bytes) return m.device + uint64_t(at - m.host);
  return 0;
}

uint64_t Mirrors::host_of(uint64_t device) const {
  for (const Mirror& m : mirrors_)
    if (device >= m.device && device < m.device + m.bytes)
      return reinterpret_cast<uint64_t>(m.host) + (device - m.device);
  return 0;
}

void Mirrors::to_device(Machine& machine) {
  for (Mirror& m : mirrors_) {
    if (m.common.size() == m.bytes && !std::memcmp(m.common.data(), m.host, m.bytes)) continue;
    m.common.assign(m.host, m.host + m.bytes);
    machine.write(*m.memory, 0, m.common, "the host");
  }
}

void Mirrors::to_host(Machine& machine) {
  for (Mirror& m : mirrors_) {
    const auto now = machine.look(*m.memory, 0, m.bytes);
    if (m.common.size() == m.bytes && !std::memcmp(m.common.data(), now.data(), m.bytes)) continue;
    m.common.assign(now.begin(), now.end());
    std::memcpy(m.host, now.data(), m.bytes);
  }
}

}  // namespace bscope::cuda

#include "engine/trace/trace.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>

#include "engine/trace/library_launch.hpp"
#include "engine/trace/small_float.hpp"

namespace bscope {
namespace {

class Fnv {
 public:
  void bytes(const void* p, size_t n) {
    const auto* c = static_cast<const unsigned char*>(p);
    for (size_t k = 0; k < n; ++k) hash_ = (hash_ ^ c[k]) * 1099511628211ull;
  }
  template <class T>
  void all(const std::vector<T>& v) {
    bytes(v.data(), v.size() * sizeof(T));
  }
  // Lengths go in with the letters, so that "ab","c" and "a","bc" differ.
  void text(const std::string& s) {
    number(uint32_t(s.size()));
    bytes(s.data(), s.size());
  }
  void number(uint32_t n) { bytes(&n, sizeof n); }
  uint64_t value() const { return hash_; }

 private:
  uint64_t hash_ = 1469598103934665603ull;
};

template <class T>
double read_as(const std::byte* cell) {
  T v;
  memcpy(&v, cell, sizeof v);
  return double(v);
}

std::string place_text(const std::optional<Extent>& extent, int number) {
  if (!extent || extent->dimensions() == 1 || extent->count() == 0) return "";
  const Extent at = extent->place(uint32_t(number));
  std::string s = " (x " + std::to_string(at.x) + ", y " + std::to_string(at.y);
  if (extent->dimensions() == 3) s += ", z " + std::to_string(at.z);
  return s + ")";
}

}  // namespace

uint32_t LoopRounds::at(int thread, uint32_t event) const {
  if (first.empty()) return 0;
  const auto begin = marks.begin() + first[size_t(thread)], end = marks.begin() + first[size_t(thread) + 1];
  const auto behind = std::ranges::upper_bound(begin, end, event, {}, &Mark::event);
  return behind == begin ? 0 : std::prev(behind)->round;
}

uint64_t digest(const Trace& t) {
  Fnv h;
  for (const auto& l : t.launches) {
    h.text(l.name);
    h.number(uint32_t(l.grid));
    h.number(uint32_t(l.block));
    h.number(l.shared_bytes);
    for (const auto& extent : {l.grid_extent, l.block_extent})
      if (extent) h.number(extent->x), h.number(extent->y), h.number(extent->z);
    for (const auto& a : l.shared) {
      h.text(a.name);
      h.number(uint32_t(a.kind));
      h.number(uint32_t(a.size));
      h.number(a.offset);
    }
    for (const auto& [hash, name] : l.phases) h.text(name);
    for (const auto& b : l.blocks) {
      h.all(b.first);
      h.all(b.events);
      h.all(b.snapshots);
    }
    for (const auto& a : l.after) h.all(a);
  }
  return h.value();
}

std::string place_in_block(const Launch& l, int rank) { return place_text(l.block_extent, rank); }
std::string place_in_grid(const Launch& l, int block) { return place_text(l.grid_extent, block); }

const char* name_of(Op op) { return row_of(op).name; }

const char* name_of(ElementType k) {
  static constexpr const char* names[] = {"int8",   "uint8",  "int16",   "uint16", "int32",
                                          "uint32", "int64",  "uint64",  "float",  "double",
                                          "other",  "affine", "counted", "half",   "bfloat16"};
  static_assert(std::size(names) == size_t(kind_count));
  return int(k) < kind_count ? names[int(k)] : "unknown";
}

double number(ElementType k, const std::byte* cell) {
  switch (k) {
    case ElementType::i8: return read_as<int8_t>(cell);
    case ElementType::u8: return read_as<uint8_t>(cell);
    case ElementType::i16: return read_as<int16_t>(cell);
    case ElementType::u16: return read_as<uint16_t>(cell);
    case ElementType::i32: return read_as<int32_t>(cell);
    case ElementType::u32:
    case ElementType::affine: return read_as<uint32_t>(cell);
    case ElementType::i64: return read_as<int64_t>(cell);
    case ElementType::u64: return read_as<uint64_t>(cell);
    case ElementType::f32: return read_as<float>(cell);
    case ElementType::f64: return read_as<double>(cell);
    case ElementType::counted: return read_as<int32_t>(cell + 4);  // the sum
    case ElementType::f16: return read_as<Half>(cell);
    case ElementType::bf16: return read_as<Bfloat16>(cell);
    case ElementType::other: break;
  }
  return 0;
}

double number(ElementType k, uint64_t bits) {
  std::byte cell[sizeof bits];
  memcpy(cell, &bits, sizeof bits);
  return number(k, cell);
}

bool is_between_launches(const Launch& l) {
  if (l.grid != 1 || l.block != 1 || !l.shared.empty() || l.blocks.size() != 1) return false;
  const std::vector<Event>& events = l.blocks[0].events;
  return !events.empty() && ((events[0].line == 0 && events[0].op == Op::store) || is_library_launch(l));
}

bool is_library_launch(const Launch& l) {
  if (l.grid != 1 || l.block != 1 || l.blocks.size() != 1 || l.blocks[0].events.empty()) return false;
  const Event& first = l.blocks[0].events[0];
  return first.op == Op::phase && first.a == 0 && first.b != 0;
}

std::string text_of(ElementType k, uint64_t bits) {
  std::array<char, 64> text;
  auto written = [&](auto v) {
    const auto r = std::to_chars(text.data(), text.data() + text.size(), v);
    return std::string(text.data(), r.ptr);
  };
  switch (k) {
    case ElementType::i8: return written(int8_t(bits));
    case ElementType::u8: return written(uint8_t(bits));
    case ElementType::i16: return written(int16_t(bits));
    case ElementType::u16: return written(uint16_t(bits));
    case ElementType::i32: return written(int32_t(bits));
    case ElementType::u32: return written(uint32_t(bits));
    case ElementType::i64: return written(int64_t(bits));
    case ElementType::u64: return written(bits);
    case ElementType::f32:
      return written(float(number(k, bits)));  // float, so that the shortest text is a float's
    case ElementType::f64: return written(number(k, bits));
    case ElementType::f16:
    case ElementType::bf16: {
      constexpr int digits = 6;
      const auto r = std::to_chars(text.data(), text.data() + text.size(), number(k, bits),
                                   std::chars_format::general, digits);
      return {text.data(), r.ptr};
    }
    case ElementType::affine: {
      const int offset = int16_t(bits);
      return written(int16_t(bits >> 16)) + "y" + (offset < 0 ? "" : "+") + written(offset);
    }
    case ElementType::counted:
      return uint32_t(bits) ? written(int32_t(bits >> 32)) + " of " + written(uint32_t(bits)) : "-";
    case ElementType::other: break;
  }
  return "?";
}

}  // namespace bscope

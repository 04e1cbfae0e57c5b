#include "engine/cuda/machine/memory.hpp"

#include <algorithm>
#include <iterator>

namespace bscope::cuda {
namespace {
constexpr uint64_t watched_bytes = uint64_t(64) << 20;  // larger memory may be read before it is written
constexpr uint64_t most_rows = 1 << 20;
}  // namespace

void Memory::cut(int access_bytes, ElementType wish) {
  const std::optional<ElementType> declared = kind_named(element);
  const bool raw = !declared || (bytes_of(*declared) == 1 && access_bytes > 1);  // char*: bytes of anything
  kind = raw ? wish : *declared;
  width = bytes_of(kind);
}

int rows_of(const ir::Type& t) {
  if (t.kind != ir::Type::array || t.element().kind != ir::Type::array) return 1;
  const uint64_t rows = std::min(t.count, most_rows) * uint64_t(rows_of(t.element()));
  return int(std::clamp<uint64_t>(rows, 1, most_rows));
}

std::optional<uint64_t> Zones::take() {
  if (owners_.size() < count_) {
    owners_.push_back(nullptr);
    return owners_.size() - 1;
  }
  if (free_.empty()) return {};
  const uint64_t zone = free_.front();
  free_.pop_front();
  return zone;
}
void Zones::put(uint64_t zone, Memory* m) {
  if (owners_.size() <= zone) owners_.resize(zone + 1);
  owners_[zone] = m;
}

Memory* Memories::allocate(uint64_t bytes, Placement placement, Memory::Origin origin) {
  if (bytes == 0 || bytes > most_bytes_ || used_ + bytes > most_bytes_) return nullptr;
  const bool of_heap = origin == Memory::Origin::heap;
  if (of_heap && (bytes > heap_bytes || heap_used_ + bytes > heap_bytes)) return nullptr;
  const bool small = small_.fits(bytes) && (of_heap || large_.taken() >= 512);
  Zones& zones = small ? small_ : large_;
  if (!zones.fits(bytes)) return nullptr;
  const std::optional<uint64_t> zone = zones.take();
  if (!zone) return nullptr;
  auto m = std::make_unique<Memory>();
  m->origin = origin;
  m->placement = placement;
  m->address = zones.middle(*zone);
  m->bytes = bytes;
  m->name = of_heap ? "memory from malloc()" : std::string(unnamed_array) + std::to_string(all_.size());
  if (!m->pages.take(bytes, placement == Placement::visible ? m->address : 0)) {
    zones.give_back(*zone);
    return nullptr;
  }
  if (placement == Placement::device && bytes <= watched_bytes) m->written.assign(bytes, false);
  used_ += bytes;
  if (of_heap) heap_used_ += bytes;
  zones.put(*zone, m.get());
  all_.push_back(std::move(m));
  return all_.back().get();
}

Memory* Memories::at_host(uint64_t address) const {
  auto it = of_host_.upper_bound(address + gap_of_host);
  if (it == of_host_.begin()) return nullptr;
  Memory* const m = (--it)->second;
  return address < m->address + m->bytes + gap_of_host ? m : nullptr;
}

Memory* Memories::allocate_at(uint64_t address, uint64_t bytes) {
  if (bytes == 0 || bytes > most_bytes_ || used_ + bytes > most_bytes_) return nullptr;
  if (address < 2 * gap_of_host || address >> ir::kind_shift || (address + bytes) >> ir::kind_shift)
    return nullptr;
  const uint64_t begin = address - gap_of_host, end = address + bytes + gap_of_host;
  for (auto it = of_host_.begin(); it != of_host_.end();) {
    const Memory& other = *it->second;
    const bool meets = other.address < end && begin < other.address + other.bytes;
    if (meets && !other.freed) return nullptr;
    it = meets ? of_host_.erase(it) : std::next(it);
  }
  auto m = std::make_unique<Memory>();
  m->placement = Placement::visible;
  m->address = address;
  m->bytes = bytes;
  m->name = std::string(unnamed_array) + std::to_string(all_.size());
  if (!m->pages.take(bytes)) return nullptr;
  used_ += bytes;
  of_host_[address] = m.get();
  all_.push_back(std::move(m));
  return all_.back().get();
}

Machine::Freed Memories::free(uint64_t address) {
  Memory* m = at(address);
  if (!m || m->origin == Memory::Origin::variable || m->origin == Memory::Origin::constant)
    return Machine::Freed::unknown;
  if (m->freed) return Machine::Freed::already;
  if (m->address != address) {
    const bool inside = address > m->address && address < m->address + m->bytes;
    return inside ? Machine::Freed::not_a_beginning : Machine::Freed::unknown;
  }
  m->freed = true;
  m->pages.release();
  m->written = {};
  m->kept = m->seen_by_host = {};
  used_ -= m->bytes;
  if (m->origin == Memory::Origin::heap) heap_used_ -= m->bytes;
  if (address >> ir::kind_shift == 0) return Machine::Freed::done;
  Zones& zones = address >= ir::small_base ? small_ : large_;
  zones.give_back(zones.zone_of(address));
  return Machine::Freed::done;
}

Memory* Memories::add_variable(const ir::GlobalVariable& g) {
  auto m = std::make_unique<Memory>();
  const bool text = g.name.starts_with(".") || g.name.starts_with("_ZTV");
  m->origin = g.is_constant || g.space == ir::GlobalVariable::constant || text ? Memory::Origin::constant
                                                                               : Memory::Origin::variable;
  m->name = text ? "a text" : g.source_name;
  m->element = g.element;
  m->address = g.address;
  m->bytes = g.type->size;
  m->rows = rows_of(*g.type);
  if (!m->pages.take(m->bytes)) return nullptr;
  std::copy(g.bytes.begin(), g.bytes.end(), m->pages.data());
  used_ += m->bytes;
  variables_.put(variables_.zone_of(g.address), m.get());
  all_.push_back(std::move(m));
  return all_.back().get();
}

}  // namespace bscope::cuda

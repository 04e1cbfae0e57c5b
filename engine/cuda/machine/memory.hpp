// What kernels may touch: allocations, __device__ and __constant__ variables, and blocks' shared arrays.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cuda/ir/module.hpp"
#include "engine/cuda/machine/machine.hpp"
#include "engine/cuda/machine/textures.hpp"
#include "engine/cuda/machine/value.hpp"

namespace bscope::cuda {

inline constexpr int largest_request = 16;  ///< bytes that a thread asks for at once

/// Pages of the operating system's, zeros at first, which take no memory until they are touched.
class Pages {
 public:
  Pages() = default;
  ~Pages() { release(); }
  Pages(const Pages&) = delete;
  /// At that address, or anywhere (0). False: there are none.
  bool take(uint64_t bytes, uint64_t address = 0);
  void release();
  uint8_t* data() const { return data_; }

 private:
  uint8_t* data_ = nullptr;
  size_t bytes_ = 0;
};

/// How memory is called that nothing has named: "array_5".
inline constexpr std::string_view unnamed_array = "array_";

struct Memory {
  /// Where it comes from.
  enum class Origin : uint8_t {
    allocation,
    variable,
    constant,  ///< __constant__, or a text: values read from it are constants, not data
    heap,      ///< malloc in a kernel
    shared,    ///< of a block; its content belongs to the launch
  } origin = Origin::allocation;
  std::string name, element;  ///< "data"; "unsigned int", as in the kernel's parameter
  uint64_t address = 0, bytes = 0;
  Placement placement = Placement::device;
  bool freed = false;
  Pages pages;

  // How it is cut into cells: by its declaration, else by the first access.
  ElementType kind = ElementType::other;
  int width = 0;  ///< bytes of a cell; 0: not known yet
  int rows = 1;

  int id = -1;                  ///< of the trace; -1: no kernel that is shown has touched it
  uint64_t traced_bytes = 0;    ///< which the trace holds, from the first one on
  bool asked_host = false;      ///< what it is called there
  bool left_out = false;        ///< of the trace: there were too many arrays
  std::vector<bool> written;    ///< one a byte; empty: all of it is
  bool told_unwritten = false;  ///< a read of unwritten memory was reported

  // Since the launch began, or the launch before ended.
  uint64_t kept_for = 0;              ///< the launch that `kept` is from
  std::vector<uint8_t> kept;          ///< its content when that launch first wrote to it
  const char* changed_by = nullptr;   ///< the writer since the trace last recorded it
  std::vector<uint8_t> seen_by_host;  ///< visible memory's content when the last launch ended

  uint8_t* data() const { return pages.data(); }
  bool traceable() const { return origin == Origin::allocation || origin == Origin::variable; }
  uint64_t cells() const { return width ? bytes / uint64_t(width) : 0; }
  /// Takes the declared type's cells, or, where that says nothing, those of an access so wide.
  void cut(int access_bytes, ElementType wish);
  void note_written(uint64_t offset, uint64_t n) {
    if (written.empty()) return;
    if (offset == 0 && n >= bytes) return written.clear();
    for (uint64_t k = offset; k < offset + n; ++k) written[k] = true;
  }
  bool is_written(uint64_t offset) const { return written.empty() || written[offset]; }
};

/// Of what is declared in several dimensions, as float tile[16][17]: 16. Of three, the first two are one.
int rows_of(const ir::Type&);

/// The addresses of one kind of memory, in zones of one size.
class Zones {
 public:
  Zones(uint64_t base, int shift, uint64_t count) : base_(base), shift_(shift), count_(count) {}
  /// A free zone, or, when there is none left, the one that has been free for longest.
  std::optional<uint64_t> take();
  void put(uint64_t zone, Memory* m);
  void give_back(uint64_t zone) { free_.push_back(zone); }
  Memory* at(uint64_t address) const {
    const uint64_t zone = zone_of(address);
    return zone < owners_.size() ? owners_[zone] : nullptr;
  }
  uint64_t zone_of(uint64_t address) const { return (address - base_) >> shift_; }
  uint64_t middle(uint64_t zone) const { return ir::middle_of(base_, zone, shift_); }
  bool fits(uint64_t bytes) const { return bytes <= uint64_t(1) << (shift_ - 1); }
  uint64_t taken() const { return owners_.size(); }

 private:
  uint64_t base_;
  int shift_;
  uint64_t count_;
  std::vector<Memory*> owners_;
  std::deque<uint64_t> free_;
};

/// All memory but the shared.
class Memories {
 public:
  explicit Memories(uint64_t most_bytes) : most_bytes_(most_bytes) {}
  /// nullptr: there is not so much.
  Memory* allocate(uint64_t bytes, Placement, Memory::Origin);
  Machine::Freed free(uint64_t address);
  /// Visible memory whose address the host chose: Machine::allocate_at. nullptr: it cannot be.
  Memory* allocate_at(uint64_t address, uint64_t bytes);
  Memory* add_variable(const ir::GlobalVariable&);
  /// The memory in whose zone an address lies.
  Memory* at(uint64_t address) const {
    switch (address >> ir::kind_shift) {
      case ir::device_base >> ir::kind_shift: return large_.at(address);
      case ir::small_base >> ir::kind_shift: return small_.at(address);
      case ir::global_base >> ir::kind_shift: return variables_.at(address);
      case 0: return at_host(address);
      default: return nullptr;
    }
  }
  const std::vector<std::unique_ptr<Memory>>& all() const { return all_; }
  uint64_t bytes_in_use() const { return used_; }
  /// What texture and surface objects, and references, show of it.
  Textures textures;
  /// What malloc() in kernels may take (cudaLimitMallocHeapSize).
  uint64_t heap_bytes = 8u << 20;

 private:
  Memory* at_host(uint64_t address) const;

  std::vector<std::unique_ptr<Memory>> all_;
  Zones large_{ir::device_base, ir::zone_shift, 1u << 10}, small_{ir::small_base, ir::small_shift, 1u << 20},
      variables_{ir::global_base, ir::global_shift, ir::most_globals};
  std::map<uint64_t, Memory*> of_host_;  ///< what allocate_at made, by address; freed ones, too
  uint64_t most_bytes_, used_ = 0, heap_used_ = 0;
};

}  // namespace bscope::cuda

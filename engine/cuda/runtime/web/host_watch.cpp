// In a page no memory can be protected. But all addresses of memory that both sides use are marked there
// (remote/host_memory.hpp), so that narrow.js asks about each access to it: system_may_touch.
#include "engine/cuda/runtime/host_watch.hpp"

#include <algorithm>
#include <utility>

#include "engine/cuda/remote/host_memory.hpp"
#include "engine/cuda/web/system.h"

namespace bscope::cuda {
namespace {

constexpr uint64_t page_bytes = 4096;
constexpr size_t most_noted = 64;

struct Watched {
  AddressRange pages;
  bool reads;                ///< reads come too early, too
  bool was_touched = false;  ///< since it was placed
};

std::vector<Watched> watched;
bool is_lifted = true;
std::vector<HostAccess> noted;

void add_pages(const std::vector<AddressRange>& ranges, bool reads) {
  for (const AddressRange& r : ranges) {
    const AddressRange pages{(r.begin + page_bytes - 1) / page_bytes * page_bytes,
                             r.end / page_bytes * page_bytes};
    if (pages.begin < pages.end) watched.push_back({pages, reads});
  }
}

}  // namespace

HostWatch& HostWatch::get() {
  static auto* const watch = new HostWatch;
  return *watch;
}

void HostWatch::lift() { is_lifted = true; }

void HostWatch::place(const std::vector<AddressRange>& untouched,
                      const std::vector<AddressRange>& unchanged) {
  watched.clear();
  add_pages(unchanged, false);
  add_pages(untouched, true);
  place_again();
}

void HostWatch::place_again() {
  is_lifted = watched.empty();
  for (Watched& w : watched) w.was_touched = false;
}

bool HostWatch::caught(uintptr_t address, bool writes) noexcept {
  if (is_lifted) return false;
  bool is_watched = false;
  for (Watched& w : watched) {
    if (address < w.pages.begin || address >= w.pages.end || w.was_touched) continue;
    if (!w.reads && !writes) continue;
    is_watched = w.was_touched = true;
  }
  if (is_watched && noted.size() < most_noted) noted.push_back({address, writes, Stack::now()});
  return is_watched;
}

std::vector<HostAccess> HostWatch::take_accesses() { return std::exchange(noted, {}); }

}  // namespace bscope::cuda

int system_may_touch(uint64_t address, int writes) {
  if (!bscope::cuda::is_host_memory(address)) return 0;
  bscope::cuda::HostWatch::get().caught(address, writes != 0);
  return 1;
}

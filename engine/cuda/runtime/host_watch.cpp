#include "engine/cuda/runtime/host_watch.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <memory>

namespace bscope::cuda {
namespace {

struct Watched {
  AddressRange pages;
  int protection;  ///< PROT_NONE, or PROT_READ where only writes come too early
  bool operator==(const Watched&) const = default;
};
using Table = std::vector<Watched>;

/// Read by the handler, which may run in any thread at any time: a table is never changed once it is here.
std::atomic<const Table*> table = nullptr;
/// The latest tables, which a handler may still be reading.
std::array<std::unique_ptr<const Table>, 8> tables;
size_t next_table = 0;
bool is_lifted = true;

constexpr int most_noted = 64;
std::array<HostAccess, most_noted> noted;
std::atomic<int> noted_count = 0;

bool protect(const AddressRange& pages, int protection) noexcept {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): addresses of pages
  return ::mprotect(reinterpret_cast<void*>(pages.begin), pages.end - pages.begin, protection) == 0;
}

void add_pages(const std::vector<AddressRange>& ranges, int protection, Table& to) {
  static const auto page = uint64_t(::sysconf(_SC_PAGESIZE));
  for (const AddressRange& r : ranges) {
    const AddressRange pages{(r.begin + page - 1) / page * page, r.end / page * page};
    if (pages.begin < pages.end) to.push_back({pages, protection});
  }
}

}  // namespace

HostWatch& HostWatch::get() {
  static auto* const watch = new HostWatch;
  return *watch;
}

void HostWatch::lift() {
  if (is_lifted) return;
  is_lifted = true;
  for (const Watched& w : *table.load()) protect(w.pages, PROT_READ | PROT_WRITE);
}

void HostWatch::place(const std::vector<AddressRange>& untouched,
                      const std::vector<AddressRange>& unchanged) {
  Table all;
  add_pages(unchanged, PROT_READ, all);
  add_pages(untouched, PROT_NONE, all);  // after those: where both hold, no access is right
  const Table* const now = table.load();
  if (all.empty() && (!now || now->empty())) return;
  if (!now || all != *now) {
    tables[next_table] = std::make_unique<const Table>(std::move(all));
    table = tables[next_table].get();
    next_table = (next_table + 1) % tables.size();
  }
  place_again();
}

void HostWatch::place_again() {
  const Table* const now = table.load();
  if (!now || now->empty()) return;
  is_lifted = false;
  for (const Watched& w : *now) protect(w.pages, w.protection);
}

bool HostWatch::caught(uintptr_t address, bool writes) noexcept {
  const Table* const known = table.load();
  if (!known) return false;
  const int error = errno;
  bool is_watched = false;
  for (const Watched& w : *known) {
    if (address < w.pages.begin || address >= w.pages.end) continue;
    is_watched = protect(w.pages, PROT_READ | PROT_WRITE);
  }
  if (is_watched)
    if (const int k = noted_count.fetch_add(1); k < most_noted)
      noted[size_t(k)] = {address, writes, Stack::now()};
  errno = error;
  return is_watched;
}

std::vector<HostAccess> HostWatch::take_accesses() {
  const int count = std::min(noted_count.exchange(0), most_noted);
  return {noted.begin(), noted.begin() + count};
}

}  // namespace bscope::cuda

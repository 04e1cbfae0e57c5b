#include "app/tabs/atomics/controls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/session/state.hpp"
#include "app/tabs/atomics/atomics_state.hpp"
#include "app/tabs/atomics/picture.hpp"
#include "app/tabs/atomics/runs.hpp"
#include "app/tabs/atomics/steps.hpp"
#include "app/words/counting.hpp"
#include "app/words/words.hpp"

namespace bscope {
namespace {

/// What the sliders stand at: of the shown input, or of their own.
AtomicsLook look(const LoadedState& s) {
  const AtomicsState& a = s.of<AtomicsState>();
  if (s.results.of<AtomicsQueues>().runs) return look_of(s);
  AtomicsLook own;
  own.skew = a.skew;
  own.blocks = a.blocks;
  own.threads = a.threads;
  own.items = a.items;
  return own;
}

/// A member of the sliders' own input, which begins where the shown one stands.
template <class Member, class Value>
void set(LoadedState& s, Member member, Value value) {
  AtomicsState& a = s.of<AtomicsState>();
  if (!a.own_input && s.results.of<AtomicsQueues>().runs) {
    const AtomicsLook shown = look_of(s);
    a.skew = shown.skew;
    a.blocks = shown.blocks;
    a.threads = shown.threads;
    a.items = shown.items;
    a.bins = shown.bins;
  }
  a.own_input = true;
  a.*member = value;
  a.fit(*s.run);
  a.t = -1;
}

/// The sliders bring keys of their own to kernels of the catalog.
bool there(const LoadedState& s) {
  const auto& queues = s.results.of<AtomicsQueues>().runs;
  return queues && !queues->alone;
}

int skew(const AtomicsLook& l) { return int(std::lround(l.skew * 100)); }
int blocks(const AtomicsLook& l) { return l.blocks; }
int threads(const AtomicsLook& l) { return l.threads; }
int items(const AtomicsLook& l) { return int(std::lround(std::log2(std::max(1, l.items)))); }
template <int (*Of)(const AtomicsLook&)>
int at(const LoadedState& s) {
  return Of(look(s));
}
std::string plain(int v) { return grouped(v); }

}  // namespace

const std::vector<Control>& atomics_controls() {
  static const std::vector<Control> all{
      {.name = "skew",
       .label = tr_noop("Skew: keys in one bin"),
       .short_label = tr_noop("Skew"),
       .tip = tr_noop("How many of the keys fall in one bin, beside its even share."),
       .least = 0,
       .most = 100,
       .step = 5,
       .get = at<skew>,
       .set = [](LoadedState& s, int v) { set(s, &AtomicsState::skew, v / 100.0); },
       .up = tr_noop("More keys in one bin"),
       .down = tr_noop("Fewer keys in one bin"),
       .up_key = "S",
       .down_key = "Shift+S",
       .can = there,
       .text = [](int v) { return fmt::format("{}%", v); }},
      {.name = "blocks",
       .label = tr_noop("Blocks of keys"),
       .short_label = tr_noop("Blocks"),
       .tip = tr_noop("Keys come in so many blocks, one key a thread."),
       .least = 1,
       .most = most_queue_blocks,
       .get = at<blocks>,
       .set = [](LoadedState& s, int v) { set(s, &AtomicsState::blocks, v); },
       .up = tr_noop("One block of keys more"),
       .down = tr_noop("One block of keys less"),
       .up_key = "B",
       .down_key = "Shift+B",
       .can = there,
       .text = plain},
      {.name = "threads",
       .label = tr_noop("Threads per block"),
       .short_label = tr_noop("Threads"),
       .tip = tr_noop("Threads of a block: whole warps of 32 lanes."),
       .least = 32,
       .most = most_queue_threads,
       .step = 32,
       .get = at<threads>,
       .set =
           [](LoadedState& s, int v) {
             const int warps = (v + 16) / 32;  // the nearest
             if (warps * 32 != look(s).threads) set(s, &AtomicsState::threads, warps * 32);
           },
       .up = tr_noop("One warp more in a block"),
       .down = tr_noop("One warp less in a block"),
       .up_key = "D",
       .down_key = "Shift+D",
       .can = there,
       .text = plain},
      {.name = "items",
       .label = tr_noop("Keys per thread, where coarsened"),
       .short_label = tr_noop("Keys per thread"),
       .tip = tr_noop("A coarsened kernel lets each thread count several keys: fewer blocks."),
       .least = 0,
       .most = most_log_items,
       .get = at<items>,
       .set = [](LoadedState& s, int v) { set(s, &AtomicsState::items, 1 << v); },
       .up = tr_noop("Twice as many keys a thread"),
       .down = tr_noop("Half as many keys a thread"),
       .up_key = "I",
       .down_key = "Shift+I",
       .can = there,
       .text = [](int v) { return grouped(1 << v); }}};
  return all;
}

std::array<int, 4> stand_at(const AtomicsLook& l) { return {skew(l), blocks(l), threads(l), items(l)}; }

void look_at_address(LoadedState& s, int address) {
  AtomicsState& a = s.of<AtomicsState>();
  a.bin = address;
  a.t = -1;
}

void next_address(LoadedState& s, int by) {
  const auto& queues = s.results.of<AtomicsQueues>().runs;
  if (!queues) return;
  const auto& sides = queues->model.sides;
  const auto& side = sides[0].histogram || !sides[1].histogram ? sides[0] : sides[1];
  const int n = int(side.addresses.size());
  if (!n) return;
  int at = side.chosen;
  for (int k = 0; k < n; ++k) {  // empty bins are passed over, where any is filled
    at = (at + by + n) % n;
    if (!side.addresses[size_t(at)].counted.empty()) break;
  }
  look_at_address(s, at);
}

void next_lost(LoadedState& s, int by) {
  const auto& queues = s.results.of<AtomicsQueues>().runs;
  if (!queues || !queues->model.racy || queues->model.racy->keys.empty()) return;
  const int n = int(queues->model.racy->keys.size());
  int& lost = s.of<AtomicsState>().lost;
  lost = (std::clamp(lost, 0, n - 1) + by + n) % n;
}

}  // namespace bscope

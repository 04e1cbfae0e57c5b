#include "app/session/tab.hpp"

#include <algorithm>
#include <atomic>
#include <stdexcept>

#include "app/session/state.hpp"
#include "app/session/tab_states.hpp"
#include "app/session/tab_time.hpp"
#include "engine/trace/error.hpp"

namespace bscope {
namespace {

std::vector<std::unique_ptr<const Tab>>& registered_tabs() {
  static std::vector<std::unique_ptr<const Tab>> all;
  return all;
}
/// What a tab remembers as it begins.
std::vector<std::shared_ptr<const detail::AnyTabState>>& beginnings() {
  static std::vector<std::shared_ptr<const detail::AnyTabState>> all;
  return all;
}

}  // namespace

RegisterTab::RegisterTab(Tab t) {
  if (t.state) beginnings().push_back(t.state);
  registered_tabs().push_back(std::make_unique<const Tab>(std::move(t)));
}

const std::vector<const Tab*>& tabs() {
  static std::vector<const Tab*> sorted;
  if (sorted.size() != registered_tabs().size()) {  // a test may register another
    sorted.clear();
    for (const auto& t : registered_tabs()) sorted.push_back(t.get());
    std::ranges::stable_sort(sorted, {}, &Tab::key);
  }
  return sorted;
}

const Tab* tab_named(std::string_view name) {
  const auto found = std::ranges::find(tabs(), name, &Tab::name);
  return found == tabs().end() ? nullptr : *found;
}

const Tab& tab_of(const State& s) {
  const Tab* t = tab_named(s.tab);
  return t ? *t : *tabs().front();
}

std::string tab_names() {
  std::string all;
  for (const Tab* t : tabs()) all += (all.empty() ? "" : ", ") + t->name;
  return all;
}

LoadedState with_needs(LoadedState s, RunStore& runs) {
  const auto& needs = tab_of(s).needs;
  if (!needs) return s;
  s = needs->take(std::move(s), runs);
  if (!s.error.empty() && s.error_at == needs->where) throw UsageError(s.error);
  return s;
}

std::optional<TabTime> own_time(const LoadedState& s) {
  const Tab& t = tab_of(s);
  return s.only_run || !t.time ? std::nullopt : t.time(s);
}

LoadedState at_time(LoadedState s, int now) {
  const auto track = own_time(s);
  if (!track) return s;
  s.held = 0;
  const Tab& tab = tab_of(s);
  return tab.at_time(std::move(s), std::clamp(now, 0, track->length - 1));
}

const detail::AnyTabState& TabStates::of(const detail::AnyTabState& beginning) const {
  const size_t place = beginning.place();
  return place < all_.size() && all_[place] ? *all_[place] : beginning;
}

void TabStates::each(const std::function<void(const detail::AnyTabState&)>& visit) const {
  for (const auto& fresh : beginnings()) visit(of(*fresh));
}

void TabStates::each(const std::function<void(detail::AnyTabState&)>& visit) {
  for (const auto& fresh : beginnings()) visit(own(fresh->place()));
}

detail::AnyTabState& TabStates::own(size_t place) {
  if (place >= all_.size()) all_.resize(place + 1);
  auto& one = all_[place];
  if (!one) {
    const auto fresh = std::ranges::find(beginnings(), place, [](const auto& m) { return m->place(); });
    if (fresh == beginnings().end()) throw std::out_of_range("TabStates");
    one = (*fresh)->copy();
  } else if (one.use_count() > 1) {
    one = one->copy();
  } else {
    std::atomic_thread_fence(std::memory_order_acquire);  // the thread that let go of it has read it before
  }
  return *one;
}

bool TabStates::alike(const TabStates& a, const TabStates& b,
                      const std::function<bool(const detail::AnyTabState&)>& but) {
  return std::ranges::all_of(beginnings(), [&](const auto& m) {
    return (but && but(*m)) || a.of(*m).fingerprint() == b.of(*m).fingerprint();
  });
}

}  // namespace bscope

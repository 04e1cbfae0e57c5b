#include "app/session/tab.hpp"

#include <algorithm>
#include <atomic>
#include <stdexcept>

namespace bscope {
namespace {

std::vector<std::unique_ptr<const Tab>>& registered_tabs() {
  static std::vector<std::unique_ptr<const Tab>> all;
  return all;
}
/// What a tab remembers as it begins.
std::vector<std::shared_ptr<const detail::Memory>>& beginnings() {
  static std::vector<std::shared_ptr<const detail::Memory>> all;
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

State with_needs(State s) {
  const Tab& t = tab_of(s);
  return t.needs ? t.needs(std::move(s)) : s;
}

std::optional<TabTime> own_time(const State& s) {
  const Tab& t = tab_of(s);
  return s.only_run || !t.time ? std::nullopt : t.time(s);
}

State at_time(State s, int now) {
  const auto track = own_time(s);
  if (!track) return s;
  s.held = 0;
  return tab_of(s).at_time(std::move(s), std::clamp(now, 0, track->length - 1));
}

void Remembered::each(const std::function<void(const detail::Memory&)>& visit) const {
  for (const auto& fresh : beginnings()) {
    const size_t place = fresh->place();
    visit(place < all_.size() && all_[place] ? *all_[place] : *fresh);
  }
}

void Remembered::each(const std::function<void(detail::Memory&)>& visit) {
  for (const auto& fresh : beginnings()) visit(own(fresh->place()));
}

detail::Memory& Remembered::own(size_t place) {
  if (place >= all_.size()) all_.resize(place + 1);
  auto& one = all_[place];
  if (!one) {
    const auto fresh = std::ranges::find(beginnings(), place, [](const auto& m) { return m->place(); });
    if (fresh == beginnings().end()) throw std::out_of_range("Remembered");
    one = (*fresh)->copy();
  } else if (one.use_count() > 1) {
    one = one->copy();
  } else {
    std::atomic_thread_fence(std::memory_order_acquire);  // whoever let go of it has read it before
  }
  return *one;
}

bool Remembered::made_alike(const Remembered& a, const Remembered& b) {
  std::vector<bool> made[2];
  a.each([&](const detail::Memory& m) { made[0].push_back(m.made()); });
  b.each([&](const detail::Memory& m) { made[1].push_back(m.made()); });
  return made[0] == made[1];
}

bool Remembered::alike(const Remembered& before, const Remembered& after, bool filled_in) {
  std::vector<uint64_t> prints;
  before.each(
      [&](const detail::Memory& m) { prints.push_back(filled_in && !m.made() ? 0 : m.fingerprint()); });
  size_t at = 0;
  bool same = true;
  after.each([&](const detail::Memory& m) {
    same = same && (!prints[at] || prints[at] == m.fingerprint());
    ++at;
  });
  return same;
}

}  // namespace bscope

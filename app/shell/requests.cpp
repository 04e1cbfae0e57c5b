#include "app/shell/requests.hpp"

#include <algorithm>

namespace bscope {
namespace {

PatternState& pattern(State& s, Tab tab) { return tab == Tab::banks ? s.banks.pattern : s.memory.pattern; }
bool& playing(State& s, Tab tab) { return tab == Tab::banks ? s.banks.playing : s.memory.playing; }
int& request(State& s, Tab tab) { return tab == Tab::banks ? s.banks.request : s.memory.request; }
constexpr Space space_of(Tab tab) { return tab == Tab::banks ? Space::shared : Space::global; }

// The keys of both tabs.
template <Tab T, int By>
void choose(State& s, Kept& kept) {
  if (playing(s, T)) return;
  // the list is that of the run on the left
  const auto& twins = kept.twins;
  const bool left_is_twin = T == Tab::banks && s.banks.beside && twins.of == s.run && twins.open_is_other;
  const Run& run = left_is_twin && twins.plain ? *twins.plain : *s.run;
  s.cursor.substep = -1;
  request(s, T) = next_request(run, s.cursor, space_of(T), request(s, T), By);
}
template <Tab T>
void play_or_look(State& s, Kept&) {
  playing(s, T) = !playing(s, T);
}
template <Tab T>
bool plays(const State& s, const Kept&) {
  return T == Tab::banks ? s.banks.playing : s.memory.playing;
}
template <Tab T, int By>
void stride(State& s, Kept&) {
  pattern(s, T).stride = std::clamp(pattern(s, T).stride + By, 0, 64);
}
template <Tab T, int By>
void offset(State& s, Kept&) {
  pattern(s, T).offset = std::clamp(pattern(s, T).offset + By, 0, 31);
}
template <Tab T, int By>
void pad(State& s, Kept&) {
  pattern(s, T).pad = std::clamp(pattern(s, T).pad + By, 0, 4);
}
template <Tab T>
void width(State& s, Kept&) {
  int& w = pattern(s, T).width;
  w = w >= 16 ? 4 : w >= 8 ? 16 : 8;
}

template <Tab T>
std::vector<RegisterCommand> keys(const std::string& tab, const char* group) {
  const auto add = [&](const char* id, const char* title, std::vector<ImGuiKeyChord> chords,
                       void (*run)(State&, Kept&), bool repeats, bool only_playing) {
    return RegisterCommand{{.id = tab + "." + id,
                            .group = group,
                            .title = title,
                            .keys = std::move(chords),
                            .run = run,
                            .repeats = repeats,
                            .tab = T,
                            .can = only_playing ? plays<T> : nullptr}};
  };
  return {
      add("next", later("Look at the next request"), {ImGuiKey_DownArrow}, choose<T, 1>, true, false),
      add("previous", later("Look at the request before"), {ImGuiKey_UpArrow}, choose<T, -1>, true, false),
      add("pattern", later("Play with an access pattern, or look at the kernel"), {ImGuiKey_C},
          play_or_look<T>, false, false),
      add("stride.more", later("Stride up"), {ImGuiKey_Period}, stride<T, 1>, true, true),
      add("stride.less", later("Stride down"), {ImGuiKey_Comma}, stride<T, -1>, true, true),
      add("offset.more", later("Offset up"), {ImGuiMod_Shift | ImGuiKey_Period}, offset<T, 1>, true, true),
      add("offset.less", later("Offset down"), {ImGuiMod_Shift | ImGuiKey_Comma}, offset<T, -1>, true, true),
      add("pad.more", later("Padding up"), {ImGuiKey_Apostrophe}, pad<T, 1>, true, true),
      add("pad.less", later("Padding down"), {ImGuiKey_Semicolon}, pad<T, -1>, true, true),
      add("width", later("Change an element's width"), {ImGuiKey_W}, width<T>, false, true),
  };
}
const auto of_banks = keys<Tab::banks>("banks", later("Banks"));
const auto of_memory = keys<Tab::memory>("memory", later("Memory"));

}  // namespace

int next_request(const Run& run, const Cursor& c, Space space, int now, int by) {
  const std::vector<int> all = numbers_at(run, c, space);
  if (all.empty()) return -1;
  auto at = std::find(all.begin(), all.end(), now);
  if (at == all.end())  // nobody has chosen: the one that is shown
    if (const WarpRequest* q = request_at(run, c, space, -1))
      at = std::find(all.begin(), all.end(), number_of(*q));
  const int n = int(all.size()), i = at == all.end() ? 0 : int(at - all.begin());
  return all[size_t((i + by + n) % n)];
}

std::chrono::milliseconds time_for_strides() {
  return ImGui::IsMouseDown(ImGuiMouseButton_Left) ? std::chrono::milliseconds(2) : enough;
}

BesideFrames& beside_frames(View& v) {
  v.kept.beside.wake = v.kept.wake;
  return v.kept.beside;
}

void wake_if_unfinished(View& v, const Partner& p) {
  if (p.unfinished && v.kept.wake) v.kept.wake();
}

void press(View& v, Tab tab, const View::Touched& touched) {
  State& s = v.state;
  PatternState& p = pattern(s, tab);
  if (const Hit* hit = touched.clicked) {
    if (hit->what == Hit::line) {
      request(s, tab) = hit->a;
      s.cursor.substep = -1;
      s.cursor.line = 0;  // its lines are requests, not source lines
    }
    if (hit->what == Hit::interval) s = to_step(std::move(s), hit->a);
    if (hit->name == "pattern") playing(s, tab) = true;
    if (hit->name == "kernel") playing(s, tab) = false;
    if (hit->what == Hit::button && hit->name.starts_with("stride ")) p.stride = hit->a;
  }
  if (!touched.dragged || touched.dragged->what != Hit::other) return;
  const std::string& name = touched.dragged->name;
  const int value = slider_value(*touched.dragged, touched.at.x);
  if (name == "stride") p.stride = value;
  if (name == "offset") p.offset = value;
  if (name == "width") p.width = 4 << value;
  if (name == "pad") p.pad = value;
}

}  // namespace bscope

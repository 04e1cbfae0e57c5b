// The lesson beside every tab: a column, on the projector a strip.
#include "app/shell/lesson.hpp"

#include <algorithm>
#include <cmath>

#include "app/lessons/answers.hpp"
#include "app/lessons/links.hpp"
#include "app/lessons/picture.hpp"
#include "app/lessons/place.hpp"
#include "app/lessons/play.hpp"
#include "app/lessons/progress.hpp"
#include "app/lessons/shelf.hpp"
#include "app/run/run.hpp"
#include "app/shell/commands.hpp"
#include "app/shell/panel.hpp"
#include "app/shell/ui_state.hpp"
#include "app/words/counting.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/trace/fields.hpp"

namespace bscope {

/// What is kept of lessons from frame to frame: the files as read, and the step as it is shown.
struct LessonPanel {
  explicit LessonPanel(RunStore& store) : runs(store) {}
  LessonShelf shelf;
  double looked = -1e9;                    ///< when the files were last looked at, seconds
  int lines = 0, shown = 0, furthest = 0;  ///< of the text on screen

  // the step's words, filled in once
  std::string lesson;
  int step = -1, part = -1, version = -1;
  Language language = Language::en;
  std::shared_ptr<const Run> run;  ///< of the step: not always the one that is open
  Cursor place;
  std::string text;
  std::vector<Mistake> mistakes;
  LessonRuns runs;
  uint64_t made = 0;  ///< goes up when the words are filled in anew
};

namespace {

void look(LessonPanel& k) {
  k.looked = ImGui::GetTime();
  k.shelf.refresh();
}

/// The shelf, read when it is first asked for.
LessonPanel& lesson_panel(UiState& ui) {
  auto& panel = ui.of<std::shared_ptr<LessonPanel>>();
  if (!panel) {
    panel = std::make_shared<LessonPanel>(ui.runs);
    look(*panel);
  }
  return *panel;
}

const Lesson* played(const LoadedState& s, UiState& k) {
  const std::string& id = s.lesson.lesson;
  if (id.empty()) return nullptr;
  LessonShelf& shelf = lesson_panel(k).shelf;
  if (id.ends_with(".md")) shelf.add(id);
  return shelf.find(id, s.language);
}

int last_step(const Lesson& l) { return std::max(0, int(l.steps.size()) - 1); }

void start(LoadedState& s, UiState& k, const std::string& id) {
  const Lesson* lesson = lesson_panel(k).shelf.find(id, s.language);
  if (!lesson) return;
  const auto& ids = lesson_panel(k).shelf.ids();
  s.lesson.chosen = int(std::ranges::find(ids, id) - ids.begin());
  // where it was left; from the beginning if it was done
  int step = 0;
  while (step < last_step(*lesson) && is_done(s.lesson, id, step)) ++step;
  if (steps_done(s.lesson, id) > last_step(*lesson)) step = 0;
  s = at_lesson_step(std::move(s), *lesson, step, k.runs);
  s.lesson.open = true;
  s.lesson.lesson = id;
}

void to_lesson_step(LoadedState& s, UiState& k, int step) {
  if (const Lesson* lesson = played(s, k)) s = at_lesson_step(std::move(s), *lesson, step, k.runs);
}

void show_list(LoadedState& s) {
  s.lesson.open = true;
  s.lesson.lesson.clear();
}

// --- commands ----------------------------------------------------------------------------------------

bool in_list(const LoadedState& s, const UiState&) { return s.lesson.open && s.lesson.lesson.empty(); }
bool in_lesson(const LoadedState& s, const UiState&) { return s.lesson.open && !s.lesson.lesson.empty(); }
bool is_open(const LoadedState& s, const UiState&) { return s.lesson.open; }

void open_or_hide(LoadedState& s, UiState&) { s.lesson.open = !s.lesson.open; }
void all_lessons(LoadedState& s, UiState&) { show_list(s); }

void choose_lesson(LoadedState& s, UiState& k, int by) {
  const int n = int(lesson_panel(k).shelf.ids().size());
  if (n) s.lesson.chosen = std::clamp(s.lesson.chosen + by, 0, n - 1);
}

/// Reads on, then the answer, then the next step; after the last one back to the list, at the next lesson.
void next(LoadedState& s, UiState& k) {
  if (in_list(s, k)) return choose_lesson(s, k, 1);
  const Lesson* lesson = played(s, k);
  if (!lesson || lesson->steps.empty()) return show_list(s);
  LessonPanel& panel = lesson_panel(k);
  LessonState& l = s.lesson;
  l.step = std::clamp(l.step, 0, last_step(*lesson));
  if (panel.shown < panel.lines && panel.lesson == l.lesson && panel.step == l.step && panel.part == l.part) {
    l.scroll = std::max(l.scroll + 1, panel.shown);
    return;
  }
  if (l.part + 1 < int(lesson->steps[size_t(l.step)].parts.size())) {
    s = answered(std::move(s), *lesson, k.runs);
    return;
  }
  const int done = l.step;
  l = with_done(std::move(l), lesson->id, done);
  if (done < last_step(*lesson)) return to_lesson_step(s, k, done + 1);
  const auto& ids = panel.shelf.ids();
  const auto here = std::ranges::find(ids, l.lesson);
  if (here != ids.end()) l.chosen = int(std::min(here + 1, ids.end() - 1) - ids.begin());
  show_list(s);
}

void back_one(LoadedState& s, UiState& k) {
  if (in_list(s, k)) return choose_lesson(s, k, -1);
  if (s.lesson.scroll > 0)
    s.lesson.scroll = 0;
  else if (s.lesson.step > 0)
    to_lesson_step(s, k, s.lesson.step - 1);
}

void start_chosen(LoadedState& s, UiState& k) {
  const auto& ids = lesson_panel(k).shelf.ids();
  if (s.lesson.chosen >= 0 && s.lesson.chosen < int(ids.size())) start(s, k, ids[size_t(s.lesson.chosen)]);
}

void return_to_step(LoadedState& s, UiState& k) {
  const int step = s.lesson.step, part = s.lesson.part, scroll = s.lesson.scroll;
  if (const Lesson* lesson = played(s, k)) s = at_lesson_step(std::move(s), *lesson, step, k.runs, part);
  s.lesson.scroll = scroll;
}

void begin_again(LoadedState& s, UiState& k) {
  s.lesson = afresh(std::move(s.lesson), s.lesson.lesson);
  to_lesson_step(s, k, 0);
}

constexpr CommandGroup group{tr_noop("Lessons")};
const RegisterCommands lessons{
    group("lesson.open", tr_noop("Show or hide the lessons"), {ImGuiKey_L}, open_or_hide),
    when(is_open, group("lesson.next", tr_noop("Go on in the lesson"), {ImGuiKey_N}, next)),
    when(is_open,
         group("lesson.back", tr_noop("Go back in the lesson"), {ImGuiMod_Shift | ImGuiKey_N}, back_one)),
    first(when(in_list,
               group("lesson.down", tr_noop("Choose the next lesson"), {ImGuiKey_DownArrow}, next, true))),
    first(when(in_list,
               group("lesson.up", tr_noop("Choose the lesson before"), {ImGuiKey_UpArrow}, back_one, true))),
    when(in_list, group("lesson.start", tr_noop("Open the chosen lesson"),
                        {ImGuiKey_Enter, ImGuiKey_KeypadEnter}, start_chosen)),
    when(in_lesson, group("lesson.return", tr_noop("Come back to the lesson's step"),
                          {ImGuiMod_Shift | ImGuiKey_L}, return_to_step)),
    group("lesson.all", tr_noop("Show the list of all lessons"), {ImGuiMod_Alt | ImGuiKey_L}, all_lessons),
    when(in_lesson, group("lesson.again", tr_noop("Begin the lesson again"), {}, begin_again)),
};

// --- drawing -----------------------------------------------------------------------------------------

/// The step's words and place, made again when the lesson, the step or the file changed.
void fill_in(View& v, const Lesson& lesson) {
  LessonPanel& k = *v.ui.of<std::shared_ptr<LessonPanel>>();
  LessonState& l = v.state.lesson;
  const LessonStep& step = lesson.steps[size_t(l.step)];
  l.part = std::clamp(l.part, 0, int(step.parts.size()) - 1);
  if (k.lesson == l.lesson && k.step == l.step && k.part == l.part && k.version == k.shelf.version() &&
      k.language == v.state.language)
    return;
  std::shared_ptr<const Run> run;
  Cursor place;
  std::string text;
  std::vector<Mistake> mistakes = lesson.mistakes;
  const LessonStep* shown = nullptr;
  for (int p = 0; p <= l.part; ++p) {
    const LessonStep* const next = &shown_at(step, p);
    if (next != shown) {
      shown = next;
      try {
        run = same_target(v.state.target, shown->target) ? v.state.run : k.runs.of(shown->target);
      } catch (const std::exception& e) {
        run.reset();
        mistakes.push_back({shown->line_of("kernel"), message_of(e)});
      }
      if (run) place = find_place(*shown, *run, mistakes);
    }
    const auto& part = step.parts[size_t(p)];
    if (p) text += "\n\n---\n\n";
    text +=
        run && steps(*run) ? filled(part.text, part.line, *shown, *run, place, k.runs, mistakes) : part.text;
  }
  ++k.made;
  if (const Message awaited = k.runs.take_awaited(); !awaited.empty()) {  // asked for again in each frame
    k.lesson.clear();
    k.run.reset();
    k.text = tr(awaited);
    k.mistakes.clear();
    return;
  }
  k.lesson = l.lesson;
  k.step = l.step;
  k.part = l.part;
  k.version = k.shelf.version();
  k.language = v.state.language;
  k.run = std::move(run);
  k.place = place;
  k.text = std::move(text);
  k.mistakes = std::move(mistakes);
}

/// The cell that a piece of code names in the open run.
std::optional<CellRef> cell_named(const LoadedState& s, const std::string& code) {
  if (s.run->trace.launches.empty()) return {};
  return cell_of(*s.run, s.cursor.launch, code);
}

void follow(LoadedState& s, UiState& k, const std::string& target) {
  const std::string which = target.substr(target.find(':') + 1);
  const long long step = target.starts_with("step:") ? as_whole(which).value_or(0) : 0;
  if (target.starts_with("lesson:"))
    start(s, k, which);
  else if (step > 0)
    to_lesson_step(s, k, int(std::min(step, 1000LL)) - 1);
  else
    s = followed(std::move(s), target, k.runs);
}

void clicked(LoadedState& s, UiState& k, const std::string& name) {
  if (name == "close") s.lesson.open = false;
  if (name == "all") show_list(s);
  if (name == "next") next(s, k);
  if (name == "back") {
    if (s.lesson.step > 0) to_lesson_step(s, k, s.lesson.step - 1);
  }
  if (name == "return") return_to_step(s, k);
  if (name.starts_with("step ")) to_lesson_step(s, k, std::stoi(name.substr(5)));
  if (name.starts_with("lesson ")) start(s, k, name.substr(7));
  if (name.starts_with("link ")) follow(s, k, name.substr(name.find(' ', 5) + 1));
}

LessonPage page_of(const View& v, const Lesson& lesson, const LessonPanel& k) {
  const LessonState& l = v.state.lesson;
  LessonPage page;
  page.title = lesson.title;
  // the title of a step that is still to come would answer the question before it
  const auto reached = [&](int i) {
    return i <= l.step || is_done(l, lesson.id, i) || is_done(l, lesson.id, i - 1);
  };
  for (int i = 0; i < int(lesson.steps.size()); ++i)
    page.steps.push_back({reached(i) ? lesson.steps[size_t(i)].title : tr("Step {}", step_number(i)),
                          is_done(l, lesson.id, i), score_of(l, lesson.id, i)});
  page.step = l.step;
  page.text = k.text;
  page.scroll = l.scroll;
  page.more = l.part + 1 < int(lesson.steps[size_t(l.step)].parts.size());
  page.strayed = k.run && strayed(v.state, shown_at(lesson.steps[size_t(l.step)], l.part), k.place);
  for (const Mistake& m : k.mistakes) page.mistakes.push_back(tr(message_of(lesson, m)));
  page.score = score_of(l, lesson.id);
  const auto& ids = k.shelf.ids();
  const auto here = std::ranges::find(ids, lesson.id);
  if (here != ids.end() && here + 1 != ids.end())
    if (const Lesson* after = k.shelf.find(*(here + 1), v.state.language)) page.next = after->title;
  page.cell = [&v](const std::string& code) { return cell_named(v.state, code); };
  return page;
}

/// What is shown of the lesson; of one that has no steps yet, what is wrong with it.
LessonPage page_now(View& v, const Lesson& lesson) {
  if (lesson.steps.empty()) {
    LessonPage page;
    page.title = lesson.title;
    for (const Mistake& m : lesson.mistakes) page.mistakes.push_back(tr(message_of(lesson, m)));
    return page;
  }
  int& step = v.state.lesson.step;
  step = std::clamp(step, 0, last_step(lesson));
  fill_in(v, lesson);
  return page_of(v, lesson, *v.ui.of<std::shared_ptr<LessonPanel>>());
}

/// The lesson's box in the area, drawn, and what it leaves; without a page: the list's.
std::pair<Box, Box> places(View& v, Box area, const LessonPage* page, bool alone) {
  const Theme& t = v.theme;
  if (alone) {
    v.frame(area);
    return {area, {}};
  }
  const float gap = t.px(8);
  Box box = area, rest = area, around{area.x - gap, area.y - gap, area.w + 2 * gap, area.h + 2 * gap};
  if (t.projector()) {
    // the list lies over nothing that is explained: it may take what all of it needs
    box.h = page ? lesson_strip_height(*page, t, v.metrics, area.w, area.h * 0.24f)
                 : lesson_list_height(lesson_panel(v.ui).shelf.ids().size(), t, area.w, area.h * 0.5f);
    rest.y += box.h + gap;
    rest.h -= box.h + gap;
    around.h = box.h + gap;
  } else {
    box.w = lesson_column_width(t);
    rest.x += box.w + gap;
    rest.w -= box.w + gap;
    around.w = box.w + gap;
  }
  if (v.on_panels)
    v.panels(around, {box});
  else
    v.frame(box);
  return {box, rest};
}

}  // namespace

std::vector<LessonEntry> lesson_entries(const LoadedState& s, UiState& k) {
  const LessonShelf& shelf = lesson_panel(k).shelf;
  std::vector<LessonEntry> all;
  for (const std::string& id : shelf.ids())
    if (const Lesson* l = shelf.find(id, s.language))
      all.push_back({id, l->family, l->title, l->about, int(l->steps.size()), steps_done(s.lesson, id),
                     score_of(s.lesson, id), !l->mistakes.empty()});
  return all;
}

void look_for_lessons(UiState& k) { look(lesson_panel(k)); }

void start_lesson(LoadedState& s, UiState& k, const std::string& id) { start(s, k, id); }

bool answer_is_held_back(const LoadedState& s, UiState& k) {
  const Lesson* lesson = s.lesson.open ? played(s, k) : nullptr;
  return lesson && asks(s, *lesson);
}

namespace {

Box show(View& v, Box area, bool alone) {
  const Theme& t = v.theme;
  LessonPanel& k = lesson_panel(v.ui);
  // A teacher writes with the app open: files are looked at once a second, while frames are drawn.
  if (ImGui::GetTime() - k.looked > 1) look(k);
  LessonState& l = v.state.lesson;
  const Lesson* lesson = played(v.state, v.ui);
  if (lesson) v.state = with_prediction(std::move(v.state), *lesson);
  if (!lesson) l.lesson.clear();
  const bool listed = l.lesson.empty();
  const LessonPage page = listed ? LessonPage() : page_now(v, *lesson);
  const auto [box, rest] = places(v, area, listed ? nullptr : &page, alone);

  const uint64_t extra = fingerprint(l) ^ uint64_t(k.shelf.version()) << 48 ^ k.made << 32 ^
                         uint64_t(page.strayed) << 63 ^ uint64_t(t.projector());
  const auto draw = [&](float w, float h) {
    if (listed) return lesson_list(lesson_entries(v.state, v.ui), l.chosen, t, v.metrics, w, h);
    LessonPicture made = lesson_page(page, t, v.metrics, w, h);
    k.lines = made.lines;
    k.shown = made.shown;
    k.furthest = made.furthest;
    return std::move(made.picture);
  };
  const auto touched = v.picture("lesson", box, draw, {.extra = extra, .framed = false, .turns = true});
  if (touched.wheel != 0 && touched.over) {
    if (listed)
      choose_lesson(v.state, v.ui, touched.wheel > 0 ? -1 : 1);
    else
      l.scroll = std::clamp(l.scroll - int(std::lround(touched.wheel * 2)), 0, std::max(0, k.furthest));
  }
  if (touched.clicked && touched.clicked->what == HitRegion::cell) v.state.tab = main_tab;
  if (touched.clicked && touched.clicked->what == HitRegion::button) {
    const std::string name = touched.clicked->name;  // the picture may go with the state
    v.ui.dispatcher.dispatch(v.state, [&ui = v.ui, name](LoadedState& s) { clicked(s, ui, name); });
  }
  return rest;
}

}  // namespace

Box show_lesson(View& v, Box area) { return show(v, area, false); }
void show_lesson_alone(View& v, Box area) { show(v, area, true); }

}  // namespace bscope

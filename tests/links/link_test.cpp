#include "app/links/link.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "app/lessons/play.hpp"
#include "app/lessons/shelf.hpp"
#include "app/links/query.hpp"
#include "app/run/run.hpp"
#include "app/session/choices.hpp"
#include "app/session/input.hpp"
#include "app/session/session_file.hpp"
#include "app/session/tab.hpp"
#include "app/session/tab_services.hpp"
#include "app/tabs/banks/banks_state.hpp"
#include "app/tabs/compare/compare_state.hpp"
#include "app/tabs/time/time_state.hpp"
#include "app/tabs/watch/steps.hpp"
#include "app/tabs/watch/watch_state.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/simt/algorithm.hpp"
#include "engine/simt/parameter.hpp"
#include "tests/at_once.hpp"
#include "tests/sanitized.hpp"

namespace bscope {
namespace {

using json = nlohmann::ordered_json;
using testing::HasSubstr;
using testing::StartsWith;

LoadedState on(const RunSpec& r, const Schedule& schedule = {}) {
  Target t;
  t.request = r;
  t.schedule = schedule;
  LoadedState s = opened(LoadedState{}, t, Where::nowhere);
  EXPECT_EQ(s.error.english(), "");
  return s;
}

/// All that a link promises to show, as text: what docs/links.md says that it leaves out is gone.
std::string promised(LoadedState s) {
  s.cursor = fitted(*s.run, s.cursor);
  json all = session_json(s);
  for (const char* own : {"desk_theme", "reduced_motion", "speed"}) all["looks"].erase(own);
  all.erase("set_aside");
  if (all["target"].contains("request")) all["target"]["request"].erase("input_name");
  json& tabs = all["tabs"];
  for (const char* own : {"right", "asked"}) tabs["lesson"].erase(own), tabs["prediction"].erase(own);
  for (const char* own : {"progress", "answers"}) tabs["lesson"].erase(own);
  if (!s.lesson.open || s.lesson.lesson.empty())
    for (const char* of : {"lesson", "step", "part"}) tabs["lesson"].erase(of);
  all["whole run alone"] = s.only_run;
  return all.dump(1);
}

/// The state that a link of this one opens in a fresh app.
LoadedState by_link(const LoadedState& s) {
  const std::string link = link_of(s);
  RunStore runs;
  runs.put(s.target, {s.run, s.program});  // quicker; other tests trace anew
  LoadedState back = with_link(LoadedState{}, link, runs);
  EXPECT_EQ(back.error.english(), "") << link;
  return back;
}

void expect_round(const LoadedState& s) {
  const std::string link = link_of(s);
  SCOPED_TRACE(link);
  const LoadedState back = by_link(s);
  ASSERT_TRUE(back.run);
  EXPECT_EQ(promised(back), promised(s));
  EXPECT_EQ(link_of(back), link);
}

// ---- what a link says ------------------------------------------------------------------------------------

/// What a link opens may speak Chinese; the next test reads English.
class Links : public ::testing::Test {
 protected:
  void TearDown() override { speak(Language::en); }
};

TEST_F(Links, SayOnlyWhatDiffersFromTheBeginning) {
  EXPECT_EQ(link_of(on({.kernel = "scan/blelloch"})), "");
  LoadedState s = on({.kernel = "scan/kogge-stone", .n = 32});
  EXPECT_EQ(link_of(s), "kernel=scan/kogge-stone&n=32");
  s = to_step(std::move(s), 5);
  s.tab = "banks";
  EXPECT_EQ(link_of(s), "kernel=scan/kogge-stone&n=32&step=5&tab=banks");
  s.cursor.thread = 3;
  s.cursor.cell = CellRef{first_shared, 7};
  s.of<WatchState>().words = true;
  s.of<WatchState>().why_turned = {1, 2};
  s.of<TimeState>().set = {{"items", "4"}};
  s.language = Language::zh;
  EXPECT_EQ(link_of(s),
            "kernel=scan/kogge-stone&n=32&step=5&thread=3&cell=sum%5B7%5D&tab=banks&language=zh"
            "&time.set.items=4&watch.why_turned=1,2&watch.words=true");
  expect_round(s);
}

TEST_F(Links, OpenWithKeysThatOthersHaveAdded) {
  const LoadedState s =
      with_link(LoadedState{}, "https://h/app.html?utm_source=x&kernel=scan/kogge-stone&n=8&fbclid=%C3%A4");
  EXPECT_EQ(s.error.english(), "");
  EXPECT_EQ(link_of(s), "kernel=scan/kogge-stone&n=8");
}

TEST_F(Links, HaveAPartThatIsKnownHere) {
  EXPECT_EQ(known_part("?utm_source=x&kernel=scan/look-back&fbclid=7&watch.lanes=true"),
            "?kernel=scan/look-back&watch.lanes=true");
  EXPECT_EQ(known_part("?utm_source=x"), "");
  EXPECT_EQ(known_part("?kernel=nothing"), "?kernel=nothing");  // known, and refused when it is opened
}

TEST_F(Links, ValuesStayReadable) {
  const LoadedState s =
      on({.kernel = "scan/blelloch", .values = std::vector<double>{3, 1, 7, -2}, .block = 4});
  EXPECT_EQ(link_of(s), "values=3,1,7,-2&block=4");
  expect_round(s);
  const LoadedState f = on({.kernel = "scan/blelloch",
                            .values = std::vector<double>{0.1, 1e30, -2.5},
                            .set = {{"type", "double"}}});
  EXPECT_EQ(link_of(f), "values=0.1,1e%2B30,-2.5&set=type=double");
  expect_round(f);
}

TEST_F(Links, ThatWereDecodedOnTheirWayAreEncodedAnew) {
  const LoadedState s = on({.kernel = "scan/blelloch",
                            .values = std::vector<double>{0.1, 1e30, -2.5},
                            .set = {{"type", "double"}}});
  const std::string link = "https://example.org/?" + link_of(s);
  std::string decoded;  // as GLFW does
  for (size_t k = 0; k < link.size(); ++k)
    if (link[k] == '%') {
      decoded += char(std::stoi(link.substr(k + 1, 2), nullptr, 16));
      k += 2;
    } else {
      decoded += link[k];
    }
  EXPECT_EQ(pairs_in(encoded_anew(decoded)), pairs_in(link));
  EXPECT_EQ(encoded_anew("https://example.org/a%20b?n=8&&m=1&x"), "https://example.org/a%20b?n=8&&m=1%26x");
  EXPECT_EQ(encoded_anew("https://example.org/"), "https://example.org/");
}

TEST_F(Links, OpenWithAndWithoutAnAddress) {
  for (const std::string begin : {"", "?", "#", "barrierscope:?", "https://example.org/scope/?",
                                  "http://localhost:8000/index.html#", "file:///home/x/index.html?"}) {
    const LoadedState s =
        with_link(LoadedState{}, begin + "kernel=scan/kogge-stone&n=8&step=3&view=memory&embed=memory");
    EXPECT_EQ(s.error.english(), "") << begin;
    ASSERT_TRUE(s.run);
    EXPECT_EQ(s.run->trace.kernel, "scan/kogge-stone");
    EXPECT_EQ(step_of(*s.run, s.cursor), 3);
    EXPECT_EQ(s.tab, "memory");
  }
  EXPECT_EQ(with_link(LoadedState{}, "barrierscope:?").run->trace.kernel, "scan/blelloch");
  EXPECT_EQ(with_link(LoadedState{}, "?n=8#top").error.english(), "");
}

TEST_F(Links, AreToldFromFilesAndNumbers) {
  for (const char* link : {"barrierscope:?", "https://example.org", "https://example.org/?kernl=x", "?n=8",
                           "example.org/scope?kernel=scan/blelloch", "?watch.words=true&n=8"})
    EXPECT_TRUE(is_link(link)) << link;
  for (const char* none :
       {"", "scan/blelloch", "3, 1, 7", "what?", "a?b=c", "homework.cu", "~/x.bscope", "?"})
    EXPECT_FALSE(is_link(none)) << none;
}

// The reader's own stays: what was done of lessons, scores, and looks that the link does not say.
TEST_F(Links, LeaveTheReadersOwnAlone) {
  LoadedState reader = on({.kernel = "reduce/shared"});
  reader.theme = ThemeName::light;
  reader.speed = 2;
  reader.lesson.progress = "blelloch:3";
  reader.prediction.right = 3, reader.prediction.asked = 4;
  reader.of<WatchState>().words = true;
  const LoadedState s = with_link(reader, "?kernel=scan/kogge-stone&language=zh");
  EXPECT_EQ(s.theme, ThemeName::light);
  EXPECT_EQ(s.speed, 2);
  EXPECT_EQ(s.language, Language::zh);
  EXPECT_EQ(s.borrowed.language, Language::zh);  // no settings take it
  EXPECT_EQ(s.borrowed.theme, std::nullopt);
  EXPECT_EQ(s.lesson.progress, "blelloch:3");
  EXPECT_EQ(std::pair(s.prediction.right, s.prediction.asked), std::pair(3, 4));
  EXPECT_FALSE(s.of<WatchState>().words);
  // the run that is open is not opened anew
  RunStore none([](const Target&) -> OpenedRun {
    ADD_FAILURE() << "opened anew";
    return {};
  });
  const LoadedState again = with_link(s, "?kernel=scan/kogge-stone&step=2", none);
  EXPECT_EQ(again.run, s.run);
}

TEST_F(Links, OpenALessonAtItsStep) {
  LoadedState s = with_lesson(LoadedState{}, "blelloch:3");
  EXPECT_EQ(link_of(s), "lesson=blelloch:3");
  expect_round(s);
  s = forward(std::move(s), false);
  EXPECT_THAT(link_of(s), StartsWith("lesson=blelloch:3&step="));
  expect_round(s);
  // beside another run than its step's
  s = with_kernel(std::move(s), "reduce/shared", Where::nowhere);
  EXPECT_THAT(link_of(s), StartsWith("lesson=blelloch:3&kernel=reduce/shared"));
  expect_round(s);
  s.lesson.lesson.clear();
  EXPECT_THAT(link_of(s), StartsWith("lesson=all&kernel=reduce/shared"));
  expect_round(s);
}

TEST_F(Links, OpenEveryStepOfEveryLesson) {
  LessonShelf shelf;
  shelf.refresh();
  ASSERT_GT(shelf.ids().size(), 8u);
  int number = 0;
  for (const Language language : {Language::en, Language::zh})
    for (const std::string& id : shelf.ids()) {
      if (number++ % test::all_or_part(1, 8)) continue;
      const Lesson& lesson = *shelf.find(id, language);
      for (int step = 0; step < int(lesson.steps.size()); ++step)
        for (int part = 0; part < int(lesson.steps[size_t(step)].parts.size()); ++part) {
          LoadedState s;
          s.language = language;
          s = at_lesson_step(std::move(s), lesson, step, runs_at_once(), part);
          ASSERT_TRUE(s.run);
          SCOPED_TRACE(id);
          expect_round(s);
          EXPECT_THAT(link_of(s), testing::Not(HasSubstr(".")));  // the lesson says it all
        }
    }
}

TEST_F(Links, OpenTheAtomicsTabOfARunWithoutAtomics) {
  LessonShelf shelf;
  shelf.refresh();
  const Lesson& lesson = *shelf.find("coalescing", Language::en);
  LoadedState s = at_lesson_step(LoadedState{}, lesson, 0, runs_at_once(), 1);
  s.tab = "atomics";
  const LoadedState back = with_link(LoadedState{}, link_of(s), runs_at_once());
  ASSERT_TRUE(back.run);
  EXPECT_EQ(back.tab, "atomics");
  EXPECT_TRUE(back.error.empty()) << back.error.english();
  EXPECT_EQ(link_of(back), link_of(s));
  EXPECT_THAT([&] { with_needs(back); },
              testing::Throws<UsageError>(testing::Property(
                  &UsageError::what, StartsWith("This run has no atomic operations"))));  // the tab says it
}

TEST_F(Links, NameNoFileOfThisMachine) {
  LoadedState s = on({.kernel = "scan/blelloch"});
  s.of<CompareState>().right.file = "/home/me/secret.bscope";
  s.of<TimeState>().in_place = "/home/me/times.json";
  s.lesson.open = true;
  s.lesson.lesson = "/home/me/lesson.md";
  EXPECT_EQ(link_of(s), "");
  const auto error = [&](const std::string& link) {
    const LoadedState after = with_link(s, link);
    EXPECT_EQ(session_text(after), session_text(s)) << link;
    EXPECT_EQ(after.error_at, Where::file);
    return after.error.english();
  };
  EXPECT_THAT(error("?compare.right.file=/etc/passwd"),
              HasSubstr("compare.right.file is a file of the machine"));
  EXPECT_THAT(error("?time.in_place=/etc/passwd"), HasSubstr("time.in_place is a file"));
  EXPECT_THAT(error("?atomics.left.file=-"), HasSubstr("atomics.left.file is a file"));
  EXPECT_THAT(error("?state=compare.right.file%3D/etc/passwd"), HasSubstr("compare.right.file is a file"));
  EXPECT_THAT(error("?lesson=/home/me/lesson.md:2"), HasSubstr("a link names a lesson, and no file"));
  EXPECT_THAT(error("?lesson.lesson=/home/me/lesson.md"), HasSubstr("lesson.lesson"));
  EXPECT_THAT(error("?kernel=/etc/passwd"), HasSubstr("/etc/passwd"));
  EXPECT_THAT(error("?kernel=homework.cu"), HasSubstr("homework.cu"));
  for (const char* key : {"input", "max-memory", "I", "D", "seconds"})
    EXPECT_THAT(error(std::string("?") + key + "=1"), HasSubstr(std::string("a link may not say ") + key));
}

TEST_F(Links, RefuseWhatNoLinkCanHold) {
  const auto why = [](const LoadedState& s) -> std::string {
    try {
      return link_of(s);
    } catch (const UsageError& e) { return e.what(); }
  };
  LoadedState s = on({.kernel = "scan/blelloch"});
  s.target.file = "some.bscope";
  EXPECT_THAT(why(s), HasSubstr("no link can hold a recorded run"));
  s.target.file = "some.cu";
  EXPECT_THAT(why(s), HasSubstr("no link can hold your own program"));
  std::vector<double> many(4000);
  for (size_t k = 0; k < many.size(); ++k) many[k] = double(k) + 100;
  EXPECT_THAT(why(on({.kernel = "scan/blelloch", .values = many})), HasSubstr("8000 are the most"));
}

TEST_F(Links, KeepAnImagesGreyLevels) {
  GreyImage image{.width = 4,
                  .height = 2,
                  .levels = {0, 50, 100, 150, 200, 250, 9, 9},
                  .full_width = 4,
                  .full_height = 2};
  const LoadedState s = on({.kernel = "histogram/racy", .image = image});
  const LoadedState back = by_link(s);
  EXPECT_EQ(back.run->report.input, s.run->report.input);
  EXPECT_EQ(back.run->trace.parameters, s.run->trace.parameters);
}

// ---- sentences -------------------------------------------------------------------------------------------

TEST_F(Links, TellWhatIsWrong) {
  const LoadedState s = on({.kernel = "scan/blelloch"});
  const auto error = [&](const std::string& link) {
    const LoadedState after = with_link(s, link);
    EXPECT_EQ(session_text(after), session_text(s)) << link;
    return after.error.english();
  };
  EXPECT_THAT(error("?kernel=scan/bleloch"), HasSubstr("scan/blelloch"));
  EXPECT_THAT(error("?kernl=scan/blelloch"), HasSubstr("a link says nothing by kernl: did you mean kernel?"));
  EXPECT_THAT(error("?colour=red"), HasSubstr("a link says nothing by colour: it may say kernel, n, values"));
  EXPECT_THAT(error("?n=ten"), HasSubstr("n ten is not a number"));
  EXPECT_THAT(error("?n=99999999999999999999"), HasSubstr("out of range"));
  EXPECT_THAT(error("?n=8&n=9"), HasSubstr("the link says n twice"));
  EXPECT_THAT(error("?view=banks&tab=banks"), HasSubstr("twice"));
  EXPECT_THAT(error("?tab=clouds"), HasSubstr("tab clouds is not known: choose one of watch"));
  EXPECT_THAT(error("?step=-1"), HasSubstr("counts from 0"));
  EXPECT_THAT(error("?thread=999"), HasSubstr("there is no thread 999"));
  EXPECT_THAT(error("?cell=sum%5B9999%5D"), HasSubstr("there is no cell sum[9999] here: the run has"));
  EXPECT_THAT(error("?predict=maybe"), HasSubstr("neither true nor false"));
  EXPECT_THAT(error("?watch.wrds=true"), HasSubstr("no tab remembers watch.wrds: did you mean watch.words?"));
  EXPECT_THAT(error("?watch.words=7"), HasSubstr("\"watch.words\" is neither true nor false"));
  EXPECT_THAT(error("?watch=7"), HasSubstr("watch"));
  EXPECT_THAT(error("?time.log_n=1e300"), HasSubstr("\"time.log_n\""));
  EXPECT_THAT(error("?lesson=nothing"), HasSubstr("there is no lesson \"nothing\""));
  EXPECT_THAT(error("?lesson=blelloch:99"), HasSubstr("out of range"));
  EXPECT_THAT(error("?lesson=blelloch:3&n=8"), HasSubstr("brings its own run"));
  EXPECT_THAT(error("?n=%zz"), HasSubstr("two digits"));
  EXPECT_THAT(error("?n=8%"), HasSubstr("two digits"));
  EXPECT_THAT(error("?n=%00"), HasSubstr("no keyboard types"));
  EXPECT_THAT(error("?preset=%ff%fe"), HasSubstr("no text in UTF-8"));
  EXPECT_THAT(error("?values=" + std::string(9000, '1')),
              HasSubstr("too long: it has 9007 characters, and 8000"));
  EXPECT_THAT(error("?n=1000000000000"), testing::Not(""));
}

TEST_F(Links, PercentsBothWays) {
  const Pairs pairs{{"key", "a b+c&d=e#f?g%h"},
                    {"\xe5\x80\xbc", "\xe4\xb8\xad\xe6\x96\x87"},
                    {"empty", ""},
                    {"list", "3,1,7"}};
  const std::string query = query_of(pairs);
  EXPECT_EQ(query, "key=a%20b%2Bc%26d=e%23f%3Fg%25h&%E5%80%BC=%E4%B8%AD%E6%96%87&empty=&list=3,1,7");
  EXPECT_EQ(pairs_in("?" + query), pairs);
  EXPECT_EQ(pairs_in("?a=b+c&&d"), (Pairs{{"a", "b c"}, {"d", ""}}));
  std::mt19937 random(5);
  for (int k = 0; k < 500; ++k) {
    std::string value;
    for (int n = int(random() % 20); n; --n) value += char(0x20 + random() % 95);
    EXPECT_EQ(pairs_in("?" + query_of({{"key", value}})), (Pairs{{"key", value}}));
  }
}

// ---- random states ---------------------------------------------------------------------------------------

/// A user who does everything that can be done without a mouse.
class RandomUser {
 public:
  explicit RandomUser(uint32_t seed) : random_(seed) {
    shelf_.refresh();
    state = on({.kernel = "scan/blelloch"});
  }

  void step() {
    const LoadedState before = state;
    switch (below(13)) {
      case 0: state = with_kernel(std::move(state), any(catalog())->name, Where::nowhere); break;
      case 1: change_request(); break;
      case 2: lesson(); break;
      case 3: state.tab = any(tabs())->name; break;
      case 4: look(); break;
      case 5:
      case 6: move(); break;
      case 7: select(); break;
      case 8:
      case 9: tab_command(); break;
      case 10: control(); break;
      case 11: state = below(2) ? predict(std::move(state)) : forward(std::move(state), false); break;
      default: state = below(2) ? next_substep(std::move(state)) : clear_selection(std::move(state));
    }
    if (!state.run || !steps(*state.run) || !state.error.empty()) state = before;
    state.cursor.phase = 1;
    state.playing = false;
    if (state.only_run) state.tab = "watch";  // which it is of
    state = settle_prediction(with_needs(std::move(state)));
    if (!state.error.empty()) state = before;
  }

  LoadedState state;

 private:
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  template <class All>
  const typename All::value_type& any(const All& all) {
    return all[size_t(below(int(all.size())))];
  }

  void change_request() {
    const Algorithm* a = algorithm_of(state.run->trace.kernel);
    if (!a) return;  // the program of a lesson takes no request
    Target t = state.target;
    switch (below(6)) {
      case 0: t.request = with_length(t, *state.run, 1 + below(64)); break;
      case 1: {
        std::vector<double> values;
        for (int n = 1 + below(20); n; --n) values.push_back(below(8));
        t.request = with_numbers(t, *state.run, values);
        break;
      }
      case 2:
        t.request = with_pattern(t, *state.run,
                                 any(std::vector<std::string>{"ones", "ramp", "random", "sine", "zipf"}));
        break;
      case 3:
        if (!a->presets.empty()) t.request = {.kernel = a->name, .preset = any(a->presets).name};
        break;
      case 4:
        t.schedule =
            parse_schedule(any(std::vector<std::string>{"auto", "to-barrier", "lockstep", "shuffle:7"}));
        break;
      default:
        if (a->parameters.empty()) return;
        if (const Parameter& p = any(a->parameters); !p.values.empty())
          put(t.request, p.name, std::string(any(p.values).text));
    }
    state = opened(std::move(state), t, Where::nowhere);
  }

  void lesson() {
    if (below(4) == 0) {
      state.lesson.open = !state.lesson.open;
      return;
    }
    const Lesson& l = *shelf_.find(any(shelf_.ids()), state.language);
    const int step = below(int(l.steps.size()));
    if (l.steps[size_t(step)].target.is_program()) return;  // a link names no file, but by its lesson
    state = at_lesson_step(std::move(state), l, step, runs_at_once(),
                           below(int(l.steps[size_t(step)].parts.size())));
  }

  void look() {
    state = to_theme(std::move(state), ThemeName(below(3)));
    if (below(2)) state.language = Language(below(2));
    if (below(4) == 0) state.only_run = !state.only_run;
    if (below(2)) state.cursor.arrows = !state.cursor.arrows;
    state = below(2) ? zoom(std::move(state), 1.1f) : reset_zoom(std::move(state));
  }

  void move() {
    static const std::vector<LoadedState (*)(LoadedState)> moves{first, last, next_phase, previous_phase,
                                                                 back};
    const int step = below(steps(*state.run));
    state = below(2) ? any(moves)(std::move(state)) : to_step(std::move(state), step);
  }

  void select() {
    if (below(3) == 0) state.cursor.line = below(80);
    state = below(2) ? follow_thread(std::move(state), below(2) ? 1 : -1)
                     : select_next(std::move(state), below(2) ? 1 : -1);
  }

  void tab_command() {
    const Tab& tab = *any(tabs());
    if (tab.commands.empty()) return;
    const TabCommand& c = any(tab.commands);
    if (c.id.starts_with("measure") || c.id == "json" || c.id == "csv")
      return;  // takes long, or writes files
    state.tab = tab.name;
    state = with_needs(std::move(state));
    if (!c.can || c.can(state, services_)) c.run(state, services_);
  }

  void control() {
    const Tab& tab = *any(tabs());
    if (tab.controls.empty()) return;
    const Control& c = any(tab.controls);
    set_control(c, state, c.least + below(c.most - c.least + 1));
  }

  std::mt19937 random_;
  LessonShelf shelf_;
  TabServices services_;
};

constexpr int states = test::all_or_part(150, 50);
constexpr size_t kernels_met = test::all_or_part(20, 12), lessons_met = test::all_or_part(6, 4);

TEST_F(Links, RandomStatesComeBack) {
  std::set<std::string> tabs_seen, kernels, lessons;
  size_t longest = 0;
  for (const uint32_t seed : {1u, 2u, 3u, 4u}) {
    RandomUser user(seed);
    for (int k = 0; k < states; ++k) {
      user.step();
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", step " << k);
      expect_round(user.state);
      if (HasFailure()) return;
      tabs_seen.insert(user.state.tab);
      kernels.insert(user.state.run->trace.kernel);
      if (user.state.lesson.open) lessons.insert(user.state.lesson.lesson);
      longest = std::max(longest, link_of(user.state).size());
    }
  }
  EXPECT_EQ(tabs_seen.size(), tabs().size());
  EXPECT_GT(kernels.size(), kernels_met);
  EXPECT_GT(lessons.size(), lessons_met);
  RecordProperty("longest", int(longest));
}

// ---- forged links ----------------------------------------------------------------------------------------

TEST_F(Links, SurviveAnything) {
  LoadedState s = on({.kernel = "scan/blelloch"});
  s.of<BanksState>().request = 1;
  const std::string text = session_text(s);
  RunStore open([&](const Target& t) -> OpenedRun {
    if (t.is_file() || (t.request.n && *t.request.n > 4096))
      throw UsageError(Message::plain("not in a test"));
    return open_now(t);
  });
  const std::vector<std::string> good{
      "?kernel=scan/kogge-stone&n=32&step=5&tab=banks&thread=3&cell=sum%5B7%5D&line=20",
      "?lesson=blelloch:3+&theme=light&language=zh&watch.words=true",
      "?values=3,1,7,0&block=4&predict=true&prediction.guesses=\"1\",\"2\"&cursor.zoom=2",
      "?kernel=histogram/racy&n=64&pattern=zipf&seed=7&schedule=shuffle:3&tab=atomics&atomics.t=4",
      "?kernel=scan/blelloch&set=operator=max&tab=compare&compare.right.kernel=scan/kogge-stone"};
  std::mt19937 random(11);
  int taken = 0, refused = 0;
  for (int k = 0; k < test::all_or_part(3000, 1000); ++k) {
    std::string link = good[random() % good.size()];
    for (int n = 1 + int(random() % 4); n; --n) {
      const size_t at = 1 + random() % (link.size() - 1);
      switch (random() % 5) {
        case 0: link.erase(at, random() % 8); break;
        case 1: link.insert(at, std::string("&%=+,#?.\0\xff-9e[", 14).substr(random() % 14, 1)); break;
        case 2: link.insert(at, "99999999999999"); break;
        case 3: link += "&" + link.substr(at); break;
        default: link[at] = char(random());
      }
      if (link.size() < 2) link = "?n";
    }
    const LoadedState back = with_link(s, link, open);
    ASSERT_TRUE(back.run);
    ASSERT_EQ(fitted(*back.run, back.cursor), back.cursor) << link;
    if (back.error.empty()) {
      ++taken;
      EXPECT_EQ(promised(with_link(LoadedState{}, link_of(back), open)), promised(back)) << link;
    } else {
      ++refused;
      EXPECT_EQ(session_text(back), text) << link;
      EXPECT_EQ(back.error.english().find('\n'), std::string::npos) << back.error.english();
    }
  }
  EXPECT_GT(taken, test::all_or_part(50, 15));
  EXPECT_GT(refused, test::all_or_part(500, 150));
}

}  // namespace
}  // namespace bscope

// What a lesson says is true of what stands beside it: no number is typed that a run could give, each is
// asked of the run on screen (or the sentence says of which other), and what is spoken of is in the picture.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "app/cli/start.hpp"
#include "app/export/figure.hpp"
#include "app/lessons/answers.hpp"
#include "app/lessons/play.hpp"
#include "app/lessons/shelf.hpp"
#include "app/session/tab.hpp"
#include "app/tabs/atomics/atomics_state.hpp"
#include "app/tabs/compare/compare_state.hpp"
#include "app/tabs/watch/array/view.hpp"
#include "app/tabs/watch/source/panel.hpp"
#include "app/tabs/watch/watch_state.hpp"
#include "app/words/counting.hpp"
#include "engine/analysis/block_steps.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/exchanges.hpp"
#include "engine/analysis/lane_rows.hpp"
#include "engine/analysis/work.hpp"
#include "engine/catalog/catalog.hpp"
#include "tests/at_once.hpp"
#include "tests/lessons/built_in_lessons.hpp"
#include "tests/places.hpp"
#include "tests/tabs/layout_support.hpp"

namespace bscope {
namespace {

/// Lessons whose words have not been gone through yet; BARRIERSCOPE_ALL_LESSONS in the environment holds
/// them, too.
const std::set<std::string> pending;

/// Numbers that no run gives, and why. A phrase that no lesson uses any more has to go.
struct Allowed {
  const char* lesson;  ///< its id; "": all
  Language language;
  const char* phrase;  ///< as it stands in the text; "#" stands for any number
  const char* reason;
};
const Allowed allowed[] = {
    {"", Language::en, "between two barriers", "what a step is"},
    {"", Language::zh, "两个屏障之间", "what a step is"},
    {"", Language::en, "three phases", "a kernel's name"},
    {"", Language::zh, "三阶段", "a kernel's name"},
    {"", Language::zh, "2 的幂", "powers of two"},
    {"", Language::en, "32 different banks", "the hardware's"},
    {"", Language::zh, "32 个不同的存储体", "the hardware's"},
    {"", Language::en, "32 lanes", "the hardware's"},
    {"", Language::zh, "32 个通道", "the hardware's"},
    {"", Language::en, "32 banks", "the hardware's"},
    {"", Language::zh, "32 个存储体", "the hardware's"},
    {"occupancy", Language::en, "64 places", "the hardware's: warps on a multiprocessor"},
    {"occupancy", Language::zh, "64 个位置", "the hardware's: warps on a multiprocessor"},
    {"", Language::en, "32 bytes", "the hardware's: a sector"},
    {"", Language::zh, "32 字节", "the hardware's: a sector"},
};

/// Kernels, and programs with other constants, that a sentence names by what they do.
struct Called {
  const char* run;
  const char* en;
  const char* zh;
};
const Called called[] = {
    {"reduce/serial-in-block", "one thread", "一个线程"},
    {"reduce/tree-mask", "neighbours", "相邻"},
    {"scan/hierarchical", "levels", "分层"},
    {"scan/hillis-steele", "two buffers", "两个缓冲区"},
    {"histogram/global-atomics", "global", "全局"},
    {"histogram/shared-atomics", "shared", "共享"},
    {"scan/blelloch", "plain", "无填充"},
    {"TILED=false", "straight", "直接"},
    {"TILED=false", "direct", "直接"},
    {"TILED=false", "without", "没有"},
    {"PADDING=0", "| tile |", "| 分块 |"},
    {"FENCE=false", "without fences", "没有栅栏"},
};

std::string without(std::string s, const char* pattern, const char* by = " ") {
  return std::regex_replace(s, std::regex(pattern), by);
}
template <class F>
void each_match(const std::string& text, const std::regex& what, const F& f) {
  for (std::sregex_iterator at(text.begin(), text.end(), what), last; at != last; ++at) f(*at);
}
std::string lower(std::string s) {
  for (char& c : s) c = char(std::tolower(static_cast<unsigned char>(c)));
  return s;
}
void erase_all(std::string& s, const std::string& what) {
  for (size_t at = s.find(what); !what.empty() && at != std::string::npos; at = s.find(what, at))
    s.replace(at, what.size(), " ");
}

/// The words alone: no code, no placeholders, no links' targets.
std::string prose_alone(std::string s) {
  s = without(s, "```[^`]*```");
  s = without(s, "`[^`]*`");
  s = without(s, "\\]\\([^)]*\\)", "] ");
  return without(s, "\\{[a-z][^}]*\\}", " @ ");
}

/// Names that hold a number: x3, t0..t7, thread 2, block 5, bin 5, (2016), H200.
std::string without_names(std::string s, Language language) {
  s = without(s, "\\b[xt][0-9]+(\\.\\.[xt][0-9]+)?(?![0-9])");
  s = without(s, "(\\(|（)(19|20)[0-9][0-9](\\)|）)");
  s = without(s, "\\bH[12]00\\b");
  s = without(s, "\\blog2\\b");
  if (language == Language::en)
    return without(
        s,
        "\\b([Tt]hread|[Bb]lock|[Ww]arp|[Ll]ane|[Bb]ank|[Bb]in|[Tt]ile|[Ll]aunch|[Bb]arrier|[Rr]ow)"
        "s? [0-9]+( and [0-9]+)?");
  s = without(s, "第(一|二|三|四|五|六|七|八|九|十)");  // ordinals, as "second" is
  return without(s, "(线程|线程块|线程束|通道|存储体|桶|块区|屏障|行) ?[0-9]+( 和 ?[0-9]+)?");
}

/// Numbers typed in the text: digits, and words for numbers of what a run counts.
std::vector<std::string> typed_numbers(const std::string& lesson, Language language, const std::string& text,
                                       std::set<const Allowed*>* used = nullptr) {
  std::string s = prose_alone(text);
  for (const Allowed& a : allowed)
    if (a.language == language && (!*a.lesson || lesson == a.lesson) &&
        s.find(a.phrase) != std::string::npos) {
      erase_all(s, a.phrase);
      if (used) used->insert(&a);
    }
  s = without_names(s, language);
  std::vector<std::string> found;
  const auto look = [&](const char* pattern) {
    each_match(s, std::regex(pattern, std::regex::icase),
               [&](const std::smatch& m) { found.push_back(m.str()); });
  };
  look("[0-9]+");
  if (language == Language::en) {
    look(
        "\\b(three|four|five|six|seven|eight|nine|ten|eleven|twelve|sixteen|twenty|thirty|forty|sixty|"
        "hundred|"
        "thousand|million|dozen)s?\\b");
    // "two" is also what everybody says of a pair: only what the run counts
    look(
        "\\btwo( [a-z]+)? "
        "(threads|blocks|steps|levels|barriers|adds|launches|warps|wavefronts|sectors|strides|"
        "tiles|keys|loads|queues|inputs|copies|requests)\\b");
    look("\\btwo (are|work|add|remain|wait)\\b");
  } else {
    look("(三|四|五|六|七|八|九|十|百|千|万|亿)+(个|次|步|层|级|条|份|组|格|位|轮|块|种|趟|遍|阶)");
    look(
        "(两|二)(个|次|步|层|级|条|份|趟)(线程|步|层|屏障|加法|启动|波前|扇区|步长|块区|键|加载|队|输入|"
        "请求)");
  }
  return found;
}

/// Paragraphs, lists and tables: what is read together.
std::vector<std::string> blocks_of(const std::string& text) {
  std::vector<std::string> all{""};
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    if (line.empty())
      all.emplace_back();
    else
      all.back() += line + "\n";
    at = end + 1;
  }
  return all;
}

std::vector<std::string> placeholders(const std::string& text) {
  std::vector<std::string> all;
  each_match(text, std::regex("\\{([a-z][^}\\n]*)\\}"), [&](const std::smatch& m) { all.push_back(m[1]); });
  return all;
}

/// Whether `number` is in the text, by itself.
bool has_number(const std::string& text, const std::string& number) {
  for (size_t at = text.find(number); at != std::string::npos; at = text.find(number, at + 1)) {
    const bool before = at > 0 && std::isdigit(static_cast<unsigned char>(text[at - 1]));
    const size_t end = at + number.size();
    const bool after = end < text.size() && std::isdigit(static_cast<unsigned char>(text[end]));
    if (!before && !after) return true;
  }
  return false;
}

struct Played {
  const Lesson* lesson;
  int number;
  const LessonStep& step;
  LoadedState state;
  LessonRuns& runs;
  std::string fill(const std::string& text) const {
    std::vector<Mistake> mistakes;
    return filled(text, 1, step, *state.run, state.cursor, runs, mistakes);
  }
};

class EveryLessonIsTrue : public testing::TestWithParam<test::LessonInLanguage> {
 protected:
  void SetUp() override {
    if (pending.contains(id()) && !std::getenv("BARRIERSCOPE_ALL_LESSONS"))
      GTEST_SKIP() << "its words have not been gone through yet";
    speak(language());
  }
  void TearDown() override { speak(Language::en); }
  static std::string id() { return std::get<0>(GetParam()); }
  static Language language() { return std::get<1>(GetParam()); }

  template <class F>
  void each_step(const F& f) {
    const Lesson* lesson = test::built_in_lessons().find(id(), language());
    ASSERT_TRUE(lesson);
    LessonRuns runs(runs_at_once());
    LoadedState s;
    s.language = language();
    for (int k = 0; k < int(lesson->steps.size()); ++k) {
      const LessonStep& whole = lesson->steps[size_t(k)];
      // an answer that shows a place of its own is held to that one
      for (int from = 0, to = 0; from < int(whole.parts.size()); from = to) {
        for (to = from + 1; to < int(whole.parts.size()) && !whole.parts[size_t(to)].shows;) ++to;
        LessonStep step = shown_at(whole, from);
        step.parts.assign(whole.parts.begin() + from, whole.parts.begin() + to);
        SCOPED_TRACE(id() + ":" + std::to_string(k + 1) + (from ? "+ " : " ") + step.title);
        s = at_lesson_step(std::move(s), *lesson, k, runs_at_once(), from);
        s.cursor.phase = 1;
        ASSERT_TRUE(s.run);
        ASSERT_EQ(s.error.english(), "");
        f(Played{lesson, k, step, s, runs});
        if (HasFatalFailure()) return;
      }
    }
  }
};

TEST_P(EveryLessonIsTrue, NoNumberIsTyped) {
  each_step([&](const Played& p) {
    EXPECT_THAT(typed_numbers(id(), language(), p.step.title), testing::IsEmpty()) << p.step.title;
    for (const auto& part : p.step.parts)
      for (const std::string& block : blocks_of(part.text))
        EXPECT_THAT(typed_numbers(id(), language(), block), testing::IsEmpty()) << block;
  });
}

// Constants stand in the shown CUDA program as they are in the run, and its main is said not to be what ran.
TEST_P(EveryLessonIsTrue, TheShownProgramHasTheRunsSizes) {
  each_step([&](const Played& p) {
    const Trace& t = p.state.run->trace;
    if (t.dialect != Dialect::ours_in_cuda) return;
    const std::string& text = t.sources.front().text;
    const auto constant = [&](const std::string& name) {
      std::smatch m;
      return std::regex_search(text, m, std::regex("\\b" + name + " = ([0-9]+)[,;]")) ? m[1].str() : "";
    };
    EXPECT_EQ(constant("N"), parameter_of(t, "n"));
    EXPECT_EQ(constant("BLOCK"), std::to_string(t.launches.front().block));
    const Theme look = theme(ThemeName::dark, 900);
    const RunQueries model(p.state.run);
    const Picture panel = source_panel(model, p.state.cursor, look, fixed_metrics(), 380, 6000, {});
    const auto is_said = [](const Shape& s) {
      return s.words == tr("the run shown has its own input") || s.words == tr("the run has its own input");
    };
    EXPECT_TRUE(std::ranges::any_of(panel.shapes, is_said));
  });
}

// A lane that brought a value to a shuffle shows it, also where it is a constant that no trace holds.
TEST_P(EveryLessonIsTrue, NoRegisterIsEmptyThatALaneAddedTo) {
  each_step([&](const Played& p) {
    const RunQueries model(p.state.run);
    const auto& cursor = p.state.cursor;
    if (!model.step(cursor)) return;
    const Interval& here = *model.step(cursor)->interval;
    std::map<int, std::vector<const Exchange*>> of_warp;
    for (const Exchange& e : model.exchanges(here.launch, here.block))
      if (e.interval == here.index && moves_something(e)) of_warp[e.warp].push_back(&e);
    for (const auto& [warp, all] : of_warp) {
      const LaneRows found = lane_rows(model.flow(), all, all.front()->lanes_in_warp);
      for (const LaneRows::LaneRow& row : found.rows) {
        if (row.gives_to < 0) continue;
        const Exchange& e = *all[size_t(row.gives_to)];
        const auto adds = [&](const auto& l) { return combined(model.flow(), l) >= 0; };
        if (e.op != Op::shuffle || !std::ranges::any_of(e.lanes, adds)) continue;
        for (const Exchange::ExchangeLane& l : e.lanes)
          EXPECT_TRUE(l.used < 0 || row.lanes[size_t(l.lane)].known) << "warp " << warp << " lane " << l.lane;
      }
    }
  });
}

// Names exist: threads, blocks, inputs and cells that a sentence names are the run's.
TEST_P(EveryLessonIsTrue, WhatIsNamedIsThere) {
  each_step([&](const Played& p) {
    const Trace& t = p.state.run->trace;
    const Launch& l = t.launches[size_t(p.state.cursor.launch)];
    const char* thread = language() == Language::en ? "[Tt]hreads? ([0-9]+)" : "线程 ?([0-9]+)";
    std::string all;
    for (const auto& part : p.step.parts) all += part.text + "\n";
    const auto highest = [&](const char* pattern) {
      const std::string text = prose_alone(all);
      int most = -1;
      each_match(text, std::regex(pattern),
                 [&](const std::smatch& m) { most = std::max(most, std::stoi(m[1])); });
      return most;
    };
    EXPECT_LT(highest("\\bx([0-9]+)"), int(p.state.run->report.input.size()));
    EXPECT_LT(highest("\\bt([0-9]+)"), l.block);
    EXPECT_LT(highest(thread), l.block);
    int grid = 0;
    for (const Launch& one : t.launches) grid = std::max(grid, one.grid);
    EXPECT_LT(highest(language() == Language::en ? "[Bb]locks? ([0-9]+)" : "线程块 ?([0-9]+)"), grid);
    // `sum[7]`
    each_match(all, std::regex("`([a-z_]+)\\[([0-9]+)\\]`"), [&](const std::smatch& m) {
      bool there = false;
      const auto holds = [&](const ArrayInfo& a) {
        there = there || (a.name == m[1] && std::stoi(m[2]) < a.size);
      };
      for (const ArrayInfo& a : l.shared) holds(a);
      for (const ArrayInfo& a : t.arrays) holds(a);
      EXPECT_TRUE(there) << m.str();
    });
    // the followed thread is the one that is spoken of
    if (const int of = p.step.location.thread; of >= 0 && highest(thread) >= 0) {
      bool spoken = false;
      each_match(prose_alone(all), std::regex(thread),
                 [&](const std::smatch& m) { spoken = spoken || std::stoi(m[1]) == of; });
      EXPECT_TRUE(spoken) << "thread " << of << " is followed, others are spoken of";
    }
  });
}

// A number of another run (kernel, length, parameters) stands where the words say of which.
TEST_P(EveryLessonIsTrue, OtherRunsAreNamed) {
  each_step([&](const Played& p) {
    for (const auto& part : p.step.parts)
      for (const std::string& block : blocks_of(part.text))
        for (const std::string& words : placeholders(block)) {
          const size_t of = words.find(" of ");
          const std::string what = words.substr(0, of);
          if (of == std::string::npos || what == "gbps" || what == "of-copy" ||
              what.starts_with("full-size "))
            continue;
          const std::string shown = lower(p.fill(block));
          std::string spec = words.substr(of + 4);
          for (const char* sign : {" / ", " - ", " + ", " * "}) spec = spec.substr(0, spec.find(sign));
          const auto is_called = [&](const std::string& what) {
            return std::ranges::any_of(called, [&](const Called& c) {
              return what == c.run &&
                     shown.find(language() == Language::en ? c.en : c.zh) != std::string::npos;
            });
          };
          for (size_t at = 0; at < spec.size();) {
            const size_t end = std::min(spec.find(' ', at), spec.size());
            const std::string word = spec.substr(at, end - at);
            at = end + 1;
            if (word == "launch") {  // by its number, or its kernel
              const std::string number = spec.substr(at);
              const int launch = std::stoi(number) - 1;
              EXPECT_TRUE(has_number(shown, number) ||
                          shown.find(lower(p.state.run->trace.launches[size_t(launch)].name)) !=
                              std::string::npos)
                  << "{" << words << "}: no word says of which launch\n"
                  << shown;
              break;
            }
            if (const size_t sign = word.find('='); sign != std::string::npos) {
              // another kernel may need other blocks on the same input
              const bool same =
                  word.starts_with("block=") || (word.starts_with("n=") && p.fill("{n}") == word.substr(2));
              const std::string value = word.substr(sign + 1);
              EXPECT_TRUE(same || is_called(word) || has_number(shown, value) ||
                          has_number(shown, grouped(value)) || shown.find(value) != std::string::npos)
                  << "{" << words << "}: no word says " << word << "\n"
                  << shown;
              continue;
            }
            if (word == p.step.target.request.kernel) continue;
            if (word.ends_with(".cu")) {
              EXPECT_TRUE(p.step.target.file.ends_with(word) || shown.find(lower(word)) != std::string::npos)
                  << "{" << words << "}: no word says that this is of " << word << "\n"
                  << shown;
              continue;
            }
            const bool named = is_called(word) || shown.find(lower(find(word).title)) != std::string::npos ||
                               shown.find(lower(translated(find(word).title))) != std::string::npos;
            EXPECT_TRUE(named) << "{" << words << "}: no word says that this is of " << find(word).title
                               << "\n"
                               << shown;
          }
        }
  });
}

// One run is on screen: its tab shows no other order of it than the sentences speak of.
TEST_P(EveryLessonIsTrue, TheTabShowsTheOrderThatTheWordsSpeakOf) {
  each_step([&](const Played& p) {
    EXPECT_TRUE(same_target(p.state.target, p.step.target));
    const LoadedState s = with_needs(p.state);
    if (s.tab == "atomics") {
      EXPECT_FALSE(s.of<AtomicsState>().shuffled && s.target.schedule.kind != Schedule::shuffled)
          << "the tab's runs have an order of their own: see `order:`";
    }
  });
}

// "64 keys a thread": as many as the text says that a thread takes are there for it, in this run and in those
// that the words compare with; and the longest queue of all blocks is not shown as that of the one on screen.
TEST_P(EveryLessonIsTrue, ThreadsTakeAsManyAsIsSaid) {
  each_step([](const Played& p) {
    static const std::regex items("set items( of [a-z/-]+ items=([0-9]+))?");
    for (const auto& part : p.step.parts)
      for (const std::string& words : placeholders(part.text)) {
        const auto& run = *p.state.run;
        const Algorithm* a = algorithm_of(run.trace.kernel);
        if (std::smatch m; a && a->family() == "histogram" && std::regex_match(words, m, items)) {
          const auto of = [&](const char* name) { return std::atoll(parameter_of(run.trace, name).c_str()); };
          const long long each = m[2].matched ? std::stoll(m[2]) : of("items");
          EXPECT_GE(of("n"), of("block") * each) << "{" << words << "}: no thread finds so many keys";
        }
        if (words != "queue shared step") continue;
        const RunQueries model(p.state.run);
        const int queue = model.step(p.state.cursor)->traffic().queue;
        EXPECT_EQ(p.fill("{queue shared step}"), std::to_string(queue))
            << "the picture says that it is " << queue;
        EXPECT_NE(part.text.find("{look}"), std::string::npos) << "of which block?";
      }
  });
}

// A cell whose value the text gives is on screen, and so is the value.
TEST_P(EveryLessonIsTrue, CellsThatAreToldCanBeSeen) {
  each_step([](const Played& p) {
    if (p.step.tab != "watch") return;
    const RunQueries model(p.state.run);
    // a program's step often moves between several arrays: its source and its captions name the others' cells
    std::string named;
    if (p.step.target.is_program()) {
      const LoadedState s = with_needs(p.state);
      for (const Shape& shape : figure(s, figure_theme(s, 1600, 900), fixed_metrics(), 1600, 900).shapes)
        if (shape.type == Shape::text) named += shape.words + "\n";
    }
    const Picture shown = array_view(model, p.state.cursor, theme(ThemeName::dark, 900), fixed_metrics(), 956,
                                     400, nullptr, p.state.of<WatchState>());
    for (const auto& part : p.step.parts)
      for (const std::string& words : placeholders(part.text)) {
        for (const char* kind : {"value ", "before ", "word ", "inputs "}) {
          if (!words.starts_with(kind) || words.find(" of ") != std::string::npos) continue;
          std::string cell = words.substr(std::string_view(kind).size());
          if (cell.starts_with("before ")) cell = cell.substr(std::string_view("before ").size());
          cell = cell.substr(0, cell.find(' '));
          const bool seen = std::any_of(shown.hits.begin(), shown.hits.end(), [&](const HitRegion& h) {
            return h.name == "before:" + cell || h.name == "after:" + cell || h.name == "all:" + cell;
          });
          EXPECT_TRUE(seen || named.find(cell) != std::string::npos)
              << "{" << words << "}: " << cell << " is not in the picture";
        }
      }
  });
}

/// The texts of a picture, row by row, without spaces.
std::string rows_of_text(const Picture& p) {
  std::map<std::pair<int, int>, std::string> rows;
  for (const Shape& s : p.shapes)
    if (s.type == Shape::text) rows[{int(std::lround(s.box.centre().y)), int(s.box.x)}] += s.words;
  std::string all;
  int y = -1;
  for (const auto& [at, words] : rows) {
    if (std::abs(at.first - y) > 2) all += "\n";
    y = at.first;
    all += words;
  }
  return without(all, " ", "");
}

// While a question is open, or comes later in this run, no picture says what the run does next: no launch
// that follows is named, and no line of the source is shown that the launch has yet to reach. (Where a line
// answers the question all of them are shown, and so are those above the boxed one.)
TEST_P(EveryLessonIsTrue, AnOpenQuestionShowsNothingThatComes) {
  each_step([&](const Played& p) {
    const LoadedState s = with_needs(p.state);
    if (!s.lesson.hides_future() || s.tab != "watch" || !steps(*s.run)) return;
    const std::string shown = rows_of_text(figure(s, figure_theme(s, 1600, 900), fixed_metrics(), 1600, 900));
    const auto& launches = s.run->trace.launches;
    std::set<std::string> known;
    for (int k = 0; k <= s.cursor.launch; ++k) known.insert(launches[size_t(k)].name);
    for (const Launch& l : launches)
      if (!known.contains(l.name)) {
        const std::string name = without(translated(l.name), " ", "");
        // a program's source names its kernels
        const bool in_source = std::ranges::any_of(
            s.run->trace.sources, [&](const Source& f) { return f.text.find(l.name) != std::string::npos; });
        // "scan totals 2" is found where "scan totals" stands before a number
        const bool like_known = std::ranges::any_of(known, [&](const std::string& k) {
          return k.find(l.name) != std::string::npos || (!k.empty() && l.name.find(k) != std::string::npos);
        });
        EXPECT_TRUE(in_source || like_known || shown.find(name) == std::string::npos)
            << "the launch " << l.name << " is named";
      }
    if (!s.lesson.hides_code()) return;
    const std::string& text = s.run->trace.sources[size_t(launches[size_t(s.cursor.launch)].source)].text;
    std::map<int, std::pair<int, int>> first;  // the first launch and step that run a line
    for (const Interval& v : s.run->report.flow.intervals)
      if (v.launch == s.cursor.launch || s.run->trace.dialect != Dialect::cuda)
        for (const int node : v.nodes) {
          const std::pair now(v.launch, v.index);
          const auto [at, fresh] = first.try_emplace(s.run->report.flow.nodes[size_t(node)].line, now);
          if (!fresh) at->second = std::min(at->second, now);
        }
    std::vector<std::string> lines(1);
    for (std::istringstream in(text); std::getline(in, lines.emplace_back());) {}
    for (const auto& [line, step] : first) {
      if (step <= std::pair(s.cursor.launch, s.cursor.interval) || line <= s.cursor.line) continue;
      const std::string code = without(lines[size_t(line)], " ", "");
      const bool twice = std::ranges::count(lines, lines[size_t(line)]) > 1;
      EXPECT_TRUE(twice || code.size() < 6 || shown.find(code) == std::string::npos)
          << "line " << line << " runs in step " << step.second + 1 << ": " << code;
    }
  });
}

// Where a textbook's formula stands beside the count (in the words, or in Compare's table), they agree, or
// the formula says that it is a bound.
TEST_P(EveryLessonIsTrue, FormulasAgreeWithTheCount) {
  each_step([](const Played& p) {
    std::string words;
    for (const auto& part : p.step.parts) words += part.text;
    const auto hold = [&](const auto& run) {
      for (const Formula& f : run.trace.formulas) {
        const bool asked = p.step.tab == "compare" || words.find("{formula " + f.of) != std::string::npos ||
                           words.find("{rule " + f.of) != std::string::npos;
        if (!asked || f.text.find("at most") != std::string::npos) continue;
        const double counted = f.of == "span" ? run.report.span() : double(run.report.work().adds);
        EXPECT_EQ(counted, f.value) << run.trace.kernel << ": " << f.of << " " << f.text;
      }
    };
    hold(*p.state.run);
    if (p.step.tab == "compare") {
      ASSERT_TRUE(p.state.results.of<CompareRuns>().other);
      hold(*p.state.results.of<CompareRuns>().other);
    }
  });
}

// docs/lesson-questions: ten for each lesson, and on which screen the answer is. Every number, input and cell
// of an answer is there, in the words (the step's own answer open) or in the picture beside them.
TEST_P(EveryLessonIsTrue, TenQuestionsAreAnsweredOnItsScreens) {
  const std::string path = BARRIERSCOPE_ROOT "/docs/lesson-questions/" + id() + ".md";
  std::vector<std::string> on_screen;
  each_step([&](const Played& p) {
    std::string all;
    for (const auto& part : p.step.parts) all += p.fill(part.text) + "\n";
    const LoadedState s = with_needs(p.state);
    const Picture shown = figure(s, figure_theme(s, 1600, 900), fixed_metrics(), 1600, 900);
    for (const Shape& shape : shown.shapes)
      if (shape.type == Shape::text) all += shape.words + "\n";
    // thousands are set apart in pictures
    on_screen.resize(size_t(p.number) + 1);  // an answer with a place of its own belongs to its step
    on_screen.back() += without(all, ",(?=[0-9][0-9][0-9])", "");
  });
  const std::regex question("([0-9]+)\\. .+\\? — (.+) \\(screen ([0-9]+): .+\\)");
  std::ifstream in(path);
  ASSERT_TRUE(in) << path;
  int asked = 0;
  for (std::string line; std::getline(in, line);) {
    std::smatch m;
    if (line.empty() || line[0] == '#') continue;
    ASSERT_TRUE(std::regex_match(line, m, question))
        << line << ": write 1. Question? — answer (screen 2: where)";
    EXPECT_EQ(std::stoi(m[1]), ++asked);
    const int screen = std::stoi(m[3]);
    ASSERT_GE(screen, 1) << line;
    ASSERT_LE(screen, int(on_screen.size())) << line;
    const std::string& there = on_screen[size_t(screen) - 1];
    each_match(m[2], std::regex("[a-z]*\\[[0-9]+\\]|x[0-9]+(\\.\\.x[0-9]+)?|[0-9]+(\\.[0-9]+)?"),
               [&](const std::smatch& told) {
                 const std::string what = told.str();
                 const bool number = std::isdigit(static_cast<unsigned char>(what[0]));
                 EXPECT_TRUE(number ? has_number(there, what) : there.find(what) != std::string::npos)
                     << line << "\nScreen " << screen << " does not show " << what;
               });
  }
  EXPECT_EQ(asked, 10);
}

INSTANTIATE_TEST_SUITE_P(All, EveryLessonIsTrue, test::each_lesson_in_each_language(), test::name_of_lesson);

TEST(EveryLessonsNumbers, ThatAreAllowedAreStillUsed) {
  std::set<const Allowed*> used;
  for (const Language language : {Language::en, Language::zh})
    for (const std::string& id : test::built_in_lessons().ids())
      for (const LessonStep& step : test::built_in_lessons().find(id, language)->steps) {
        typed_numbers(id, language, step.title, &used);
        for (const auto& part : step.parts) typed_numbers(id, language, part.text, &used);
      }
  for (const Allowed& a : allowed)
    EXPECT_TRUE(used.contains(&a)) << a.phrase << ": no lesson says that any more";
}

// The net itself: what it has to catch, and what it has to let through.
TEST(LessonTruth, TypedNumbersAreSeen) {
  const auto en = [](const char* s) { return typed_numbers("", Language::en, s).size(); };
  const auto zh = [](const char* s) { return typed_numbers("", Language::zh, s).size(); };
  for (const char* s : {"It takes 4 steps.", "Four threads work.", "Two threads work now.", "strides 1",
                        "a million values", "n = 1024", "Two are left, one tile takes them."})
    EXPECT_GE(en(s), 1u) << s;
  for (const char* s :
       {"It takes {span} steps.", "Thread 2 adds x1 to x2 in `sum[10]`.", "32 lanes, 32 banks", "two buffers",
        "[next](step:3)", "log2 {n}", "Merrill and Garland (2016)", "t0, t2, t4",
        "```\nfor (int k = 0; k < 8; ++k)\n```", "An H200's counters", "one barrier"})
    EXPECT_EQ(en(s), 0u) << s;
  for (const char* s : {"共 4 步", "四个线程在工作", "现在有两个线程工作", "一百万个值"})
    EXPECT_GE(zh(s), 1u) << s;
  for (const char* s : {"线程 2 把 x1 加到 x2 上", "{n} 个值", "两个缓冲区", "一个屏障", "32 个存储体"})
    EXPECT_EQ(zh(s), 0u) << s;
}

}  // namespace
}  // namespace bscope

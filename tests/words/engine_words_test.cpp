// Everything that the engine says of real runs and real errors is said in Chinese, too.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "app/run/run.hpp"
#include "app/run/troubles.hpp"
#include "app/run/verdict.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/estimate.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/simt/algorithm.hpp"
#include "engine/simt/parameter.hpp"
#include "engine/simt/schedule.hpp"
#include "engine/trace/file.hpp"
#include "tests/sanitized.hpp"

namespace bscope {
namespace {

/// No two English words stand side by side outside of code and quotes.
bool is_chinese(const std::string& text) {
  static const std::regex aside("`[^`]*`|“[^”]*”|--[a-z-]+ [a-z]+(=[a-z]+)?|unsigned char");
  static const std::regex words("\\b[a-z]{3,} [a-z]{2,}\\b");
  return !std::regex_search(std::regex_replace(text, aside, ""), words);
}

/// Each part of the message is translated.
testing::AssertionResult in_chinese(const Message& m) {
  if (m.empty()) return testing::AssertionSuccess();
  if (!known(Language::zh, m)) return testing::AssertionFailure() << "not translated: " << m.english();
  speak(Language::zh);
  const std::string chinese = tr(m);
  speak(Language::en);
  if (is_chinese(chinese)) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "\"" << m.english() << "\" became \"" << chinese << "\"";
}

/// Translated, and to the last word.
testing::AssertionResult in_chinese(const std::string& english) {
  if (english.empty()) return testing::AssertionSuccess();
  if (!known(Language::zh, english)) return testing::AssertionFailure() << "not translated: " << english;
  speak(Language::zh);
  const std::string chinese = translated(english);
  speak(Language::en);
  if (is_chinese(chinese)) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "\"" << english << "\" became \"" << chinese << "\"";
}

std::shared_ptr<const Run> run_of(const RunSpec& r, Schedule::Policy kind = Schedule::automatic) {
  return open_run(r, Device::cpu, {.kind = kind, .seed = 3});
}

/// What the window and `check` say of a run.
void expect_said(const Run& run) {
  SCOPED_TRACE(run.trace.kernel);
  const Verdict v = check(run);
  std::vector<Message> messages;
  for (const CoverageGap& gap : v.coverage.gaps) messages.insert(messages.end(), {gap.message, gap.help});
  for (const Finding& f : v.findings) messages.push_back(f.message);
  for (const Barrier& b : v.barriers) messages.push_back(b.message);
  for (const Hazard& h : run.report.flow.hazards) messages.insert(messages.end(), {h.message, h.help});
  for (const Finding& f : run.report.flow.faults) messages.push_back(f.message);
  for (const Message& m : troubles(run).messages) messages.push_back(m);
  messages.push_back(run.report.proof().message);
  for (const Message& m : messages) EXPECT_TRUE(in_chinese(m));
  std::set<std::string> all;
  for (const Interval& i : run.report.flow.intervals) all.insert(i.phase);
  for (const Launch& l : run.trace.launches) all.insert(l.name);
  for (const Formula& f : run.trace.formulas) {
    all.insert(f.of);
    all.insert(f.text);
  }
  for (const std::string& s : all) EXPECT_TRUE(in_chinese(s));
}

TEST(EngineWords, OfTheCatalog) {
  for (const Algorithm* a : catalog()) {
    EXPECT_TRUE(in_chinese(a->title)) << a->name;
    EXPECT_TRUE(in_chinese(a->lesson)) << a->name;
    EXPECT_TRUE(in_chinese(a->fix)) << a->name;
    EXPECT_TRUE(known(Language::zh, a->family())) << a->name;
    EXPECT_TRUE(known(Language::zh, family_of(a->name).title)) << a->name;
    for (const Preset& p : a->presets) EXPECT_TRUE(in_chinese(p.what)) << a->name;
    for (const Parameter& p : a->parameters) {
      EXPECT_TRUE(known(Language::zh, p.name)) << a->name << " " << p.name;
      EXPECT_FALSE(p.hint.empty()) << a->name << ": nobody says what " << p.name << " means";
      EXPECT_TRUE(in_chinese(p.hint)) << a->name << " " << p.name;
      for (const auto& [value, why] : p.refused) EXPECT_TRUE(in_chinese(why)) << a->name << " " << value;
    }
  }
}

TEST(EngineWords, OfEveryKernelsRuns) {
  for (const Algorithm* a : catalog()) {
    RunSpec r;
    r.kernel = a->name;
    expect_said(*run_of(r));
    r.n = 150;
    r.block = 16;
    expect_said(*run_of(r));
    for (const Parameter& p : a->parameters)
      for (const Choice& c : p.values) {
        RunSpec other;
        other.kernel = a->name;
        other.set = {{p.name, c.text}};
        expect_said(*run_of(other));
      }
  }
}

TEST(EngineWords, OfMistakesAtManySizes) {
  for (const Algorithm* a : catalog()) {
    if (a->family() != "mistakes" && a->name != "histogram/racy") continue;
    for (const Schedule::Policy kind : {Schedule::to_barrier, Schedule::lockstep, Schedule::shuffled})
      for (int n : test::all_or_part<std::vector<int>>({1, 5, 19, 40, 130}, {19}))
        for (int block : {1, 4, 16, 64}) {
          RunSpec r;
          r.kernel = a->name;
          r.n = n;
          r.block = block;
          expect_said(*run_of(r, kind));
        }
  }
}

/// What is thrown tells the user.
template <class F>
Message engine_error(F f) {
  try {
    f();
  } catch (const Error& e) { return e.message(); }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}
Message refusal(const std::string& kernel, RunSpec r) {
  return engine_error([&] { make_problem(find(kernel), r); });
}

TEST(EngineWords, OfWhatARequestIsRefusedFor) {
  const Message some[] = {
      refusal("scan/bleloch", {}),
      refusal("zzzzzzzzzzzzzzzz", {}),
      refusal("kogge", {}),
      refusal("scan/blelloch", {.n = 0}),
      refusal("scan/blelloch", {.n = 1ll << 40}),
      refusal("scan/blelloch", {.block = 48}),
      refusal("scan/blelloch", {.block = 1023}),
      refusal("scan/blelloch", {.block = 5000}),
      refusal("scan/blelloch", {.pattern = "stripes"}),
      refusal("scan/blelloch", {.skew = 0.5}),
      refusal("histogram/racy", {.skew = 3}),
      refusal("histogram/racy", {.pattern = "ones", .skew = 0.5}),
      refusal("scan/blelloch", {.pattern = "zipf"}),
      refusal("scan/blelloch", {.entropy = 1}),
      refusal("histogram/racy", {.entropy = 0.5}),
      refusal("histogram/racy", {.skew = 0.5, .entropy = 1}),
      refusal("histogram/racy", {.pattern = "ones", .entropy = 1}),
      refusal("scan/blelloch", {.values = std::vector<double>{}}),
      refusal("scan/blelloch", {.n = 3, .values = std::vector<double>{1, 2}}),
      refusal("scan/blelloch", {.values = std::vector<double>{1, 2}, .pattern = "ones"}),
      refusal("scan/blelloch", {.values = std::vector<double>{1}, .input_file = "x"}),
      refusal("scan/blelloch", {.values = std::vector<double>{1, 2.5}}),
      refusal("scan/blelloch", {.values = std::vector<double>{1e300}, .set = {{"type", "float"}}}),
      refusal("scan/blelloch", {.values = std::vector<double>{INFINITY}, .set = {{"type", "double"}}}),
      refusal("scan/blelloch", {.values = std::vector<double>{1e9}, .set = {{"operator", "affine"}}}),
      refusal("scan/blelloch", {.set = {{"operator", "affine"}, {"type", "double"}}}),
      refusal("histogram/racy", {.values = std::vector<double>{1, 999}}),
      refusal("scan/blelloch", {.set = {{"colour", "red"}}}),
      refusal("scan/blelloch", {.set = {{"scan", "sideways"}}}),
      refusal("histogram/racy", {.set = {{"bins", "many"}}}),
      refusal("reduce/shared", {.set = {{"operator", "affine"}}}),
      refusal("reduce/bulk-copy", {.set = {{"type", "float"}}}),
      refusal("scan/blelloch", {.preset = "best"}),
      refusal("histogram/racy", {.preset = "best"}),
      refusal("histogram/racy", {.n = 3, .preset = "queue-7x20"}),
      engine_error([] { parse_schedule("backwards"); }),
      refusal("scan/blelloch", {.n = 1 << 22}),
      engine_error([] {
        const double before = memory_limit();
        limit_memory(1);
        const Message said = refusal("scan/blelloch", {.n = 1 << 22});
        limit_memory(before);
        throw UsageError(said);
      }),
  };
  for (const Message& s : some) EXPECT_TRUE(in_chinese(s));
}

TEST(EngineWords, OfFiles) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("engine-words-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const auto file = [&](const char* name, const std::string& text) {
    std::ofstream(folder / name, std::ios::binary) << text;
    return (folder / name).string();
  };
  const auto trace = [&](const char* name, const std::string& text) {
    return engine_error([&] { open_file(file(name, text)); });
  };
  RunSpec r;
  r.kernel = "scan/blelloch";
  const Algorithm& a = find(r.kernel);
  const std::vector<std::byte> bytes = write_trace(run(a, make_problem(a, r), Device::cpu));
  const std::string whole(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const auto spoiled = [&](auto change) {
    Trace t = run(a, make_problem(a, r), Device::cpu);
    change(t);
    const auto out = write_trace(t);
    return std::string(reinterpret_cast<const char*>(out.data()), out.size());
  };
  const Message some[] = {
      engine_error([&] { read_numbers((folder / "none.txt").string()); }),
      engine_error([&] { read_numbers(folder.string()); }),
      engine_error([&] { read_numbers(file("words.txt", "1 2\nthree 4")); }),
      engine_error([&] { read_numbers(file("empty.txt", "# nothing")); }),
      engine_error([&] { read_numbers(file("binary.txt", std::string("1 2\0 3", 6))); }),
      engine_error([&] { open_file((folder / "none.bscope").string()); }),
      engine_error([&] { open_file(folder.string()); }),
      trace("empty.bscope", ""),
      trace("text.bscope", "this is no trace, but a text that is long enough to look like one"),
      trace("short.bscope", whole.substr(0, whole.size() / 2)),
      trace("grid.bscope", spoiled([](Trace& t) { t.launches[0].grid = -1; })),
      trace("source.bscope", spoiled([](Trace& t) { t.launches[0].source = 99; })),
      trace("size.bscope", spoiled([](Trace& t) { t.arrays[0].size = -2; })),
      trace("output.bscope", spoiled([](Trace& t) { t.output = 77; })),
      trace("expected.bscope", spoiled([](Trace& t) { t.expected.resize(3); })),
      trace("name.bscope", spoiled([](Trace& t) { t.kernel = std::string(100000, 'x'); })),
      trace("formula.bscope", spoiled([](Trace& t) { t.formulas[0].value = NAN; })),
  };
  for (const Message& s : some) EXPECT_TRUE(in_chinese(s));
  fs::remove_all(folder);
}

}  // namespace
}  // namespace bscope

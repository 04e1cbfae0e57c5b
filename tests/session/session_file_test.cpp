#include "app/session/session_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <boost/pfr/core.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "app/session/stored_session.hpp"
#include "app/tabs/banks/banks_state.hpp"
#include "app/tabs/compare/compare_state.hpp"
#include "app/tabs/compare/steps.hpp"
#include "app/tabs/time/time_state.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/run.hpp"
#include "engine/trace/file.hpp"
#include "tests/at_once.hpp"
#include "tests/sanitized.hpp"

namespace bscope {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;
using testing::HasSubstr;

struct Session : testing::Test {
  fs::path folder = fs::path(testing::TempDir()) /
                    ("session" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) +
                     ::testing::UnitTest::GetInstance()->current_test_info()->name());
  Session() { fs::create_directories(folder); }
  ~Session() override { fs::remove_all(folder); }
  std::string in(const std::string& name) const { return (folder / name).string(); }

  /// Somewhere inside a run, with something to remember in several tabs.
  static LoadedState somewhere() {
    LoadedState s;
    Target t;
    t.request.kernel = "scan/blelloch";
    t.request.values = std::vector<double>{3, 1, 7, 0, 4, 1, 6, 3};
    t.request.block = 4;
    s = opened(std::move(s), t, Where::nowhere);
    s = to_step(std::move(s), 2);
    s.cursor.cell = CellRef{first_shared, 3};
    s.cursor.thread = 1;
    s.cursor.zoom = 2;
    s.cursor.arrows = false;
    s.tab = "compare";
    s = with_other(std::move(s), "scan/kogge-stone");
    s.of<TimeState>().log_n = 22;
    s.of<BanksState>().request = 1;
    return s;
  }
};

TEST_F(Session, ComesBackFromText) {
  const LoadedState s = to_theme(somewhere(), ThemeName::light);
  const std::string text = session_text(s);
  const LoadedState back = with_session(LoadedState{}, text);
  EXPECT_EQ(back.error.english(), "");
  EXPECT_EQ(session_text(back), text);
  EXPECT_EQ(back.run->trace, s.run->trace);
  EXPECT_EQ(back.cursor, s.cursor);
  EXPECT_EQ(back.theme, ThemeName::light);
  // the same text on the same state opens nothing anew
  RunStore none([](const Target&) -> OpenedRun {
    ADD_FAILURE() << "opened anew";
    return OpenedRun();
  });
  const LoadedState again = with_session(s, text, none);
  EXPECT_EQ(again.run, s.run);
  EXPECT_EQ(again.results.of<CompareRuns>().other, s.results.of<CompareRuns>().other);
  EXPECT_EQ(session_text(again), text);
}

TEST_F(Session, TellsStatesApart) {
  const LoadedState s = somewhere();
  const std::string text = session_text(s);
  EXPECT_NE(session_text(forward(s)), text);
  EXPECT_NE(session_text(to_theme(s, ThemeName::projector)), text);
  LoadedState t = s;
  t.of<BanksState>().request = 2;
  EXPECT_NE(session_text(t), text);
  LoadedState moving = s;
  moving.cursor.phase = 0.3f;
  EXPECT_EQ(session_text(moving), text);
}

TEST_F(Session, TravelsWithItsRun) {
  const LoadedState s = somewhere();
  save_session(s, in("a.bscope"));
  LoadedState reader;
  reader.theme = ThemeName::projector;
  reader.language = Language::zh;
  LoadedState back = load_session(reader, in("a.bscope"));
  EXPECT_EQ(back.error.english(), "");
  EXPECT_EQ(back.run->trace, s.run->trace);
  EXPECT_EQ(back.cursor, s.cursor);
  EXPECT_EQ(back.tab, "compare");
  EXPECT_EQ(compared(back).results.of<CompareRuns>().other->trace.kernel, "scan/kogge-stone");
  EXPECT_EQ(back.of<TimeState>().log_n, 22);
  // the reader's own looks stay, and parameters can be changed as if it had been traced here
  EXPECT_EQ(back.theme, ThemeName::projector);
  EXPECT_EQ(back.language, Language::zh);
  EXPECT_FALSE(back.target.is_file());
  EXPECT_EQ(back.target.request.values, s.target.request.values);
  // a file is a trace like any other
  EXPECT_EQ(load(in("a.bscope")), s.run->trace);
}

TEST_F(Session, KeepsKeysOfAnEntropy) {
  Target t;
  t.request = {.kernel = "histogram/racy", .n = 64, .entropy = 0.337};
  const LoadedState s = opened(LoadedState{}, t, Where::nowhere);
  ASSERT_EQ(s.error.english(), "");
  const LoadedState back = with_session(LoadedState{}, session_text(s));
  EXPECT_EQ(back.target.request, s.target.request);
  EXPECT_EQ(back.run->trace, s.run->trace);
}

// The pattern goes along to the next kernel, but not to one that takes numbers.
TEST_F(Session, PatternsOfKeysStayWithHistograms) {
  Target t;
  t.request = {.kernel = "histogram/racy", .n = 64, .pattern = "zipf"};
  const LoadedState s = opened(LoadedState{}, t, Where::nowhere);
  ASSERT_EQ(s.error.english(), "");
  EXPECT_EQ(with_kernel(s, "histogram/privatised", Where::nowhere).target.request.pattern, "zipf");
  const LoadedState scan = with_kernel(s, "scan/blelloch", Where::nowhere);
  EXPECT_EQ(scan.error.english(), "");
  EXPECT_EQ(scan.target.request.pattern, "");
  EXPECT_EQ(with_other(s, "scan/blelloch").error.english(), "");
}

TEST_F(Session, KeepsPathsOfThisMachineOut) {
  std::ofstream(in("numbers.txt")) << "5, 4, 3, 2\n";
  LoadedState s;
  Target t;
  t.request.kernel = "scan/kogge-stone";
  t.request.input_file = in("numbers.txt");
  s = opened(std::move(s), t, Where::nowhere);
  ASSERT_EQ(s.error.english(), "");
  save_session(s, in("a.bscope"));
  std::string text;
  load(in("a.bscope"), &text);
  EXPECT_THAT(text, testing::Not(HasSubstr(folder.filename().string())));
  fs::remove(in("numbers.txt"));
  const LoadedState back = load_session({}, in("a.bscope"));
  EXPECT_FALSE(back.target.is_file());
  EXPECT_EQ(back.target.request.values, (std::vector<double>{5, 4, 3, 2}));
  // and of a file that was opened from a file
  LoadedState second = load_session({}, in("a.bscope"));
  second.target = {};
  second.target.file = in("a.bscope");
  save_session(forward(second, false), in("b.bscope"));
  load(in("b.bscope"), &text);
  EXPECT_THAT(text, testing::Not(HasSubstr(folder.filename().string())));
  const LoadedState third = load_session({}, in("b.bscope"));
  EXPECT_EQ(step_of(*third.run, third.cursor), 1);
}

TEST_F(Session, PlainTraceOpensToo) {
  const LoadedState s = somewhere();
  save(s.run->trace, in("plain.bscope"));
  const LoadedState back = load_session({}, in("plain.bscope"));
  EXPECT_EQ(back.error.english(), "");
  EXPECT_EQ(back.run->trace, s.run->trace);
  EXPECT_TRUE(back.target.is_file());
  EXPECT_EQ(step_of(*back.run, back.cursor), 0);
}

TEST_F(Session, RequestThatGivesAnotherRunIsNotBelieved) {
  const LoadedState s = somewhere();
  json all = json::parse(session_text(s));
  for (const auto& [key, value] :
       std::vector<std::pair<std::string, json>>{{"values", json{3, 1, 7, 0, 4, 1, 6, 4}},
                                                 {"block", 8},
                                                 {"n", 1000000000000},
                                                 {"kernel", "scan/kogge-stone"}}) {
    json forged = all;
    forged["target"]["request"][key] = value;
    save(s.run->trace, in("forged.bscope"), forged.dump());
    const LoadedState back = load_session({}, in("forged.bscope"));
    EXPECT_EQ(back.run->trace, s.run->trace) << key;
    EXPECT_TRUE(back.target.is_file()) << key;
  }
}

TEST_F(Session, ErrorsAreSentencesAndChangeNothingElse) {
  const LoadedState s = somewhere();
  const std::string text = session_text(s);
  const auto error = [&](const std::string& bad) {
    const LoadedState after = with_session(s, bad);
    EXPECT_EQ(session_text(after), text);
    EXPECT_EQ(after.error_at, Where::file);
    return after.error.english();
  };
  EXPECT_THAT(error("nonsense"), HasSubstr("it is not JSON"));
  EXPECT_THAT(error("[]"), HasSubstr("it is not JSON"));
  EXPECT_THAT(error("{}"), HasSubstr("its format is not barrierscope.session/1"));
  const auto with = [&](const char* pointer, json value) {
    json all = json::parse(text);
    all[json::json_pointer(pointer)] = std::move(value);
    return all.dump();
  };
  EXPECT_THAT(error(with("/tab", "clouds")), HasSubstr("there is no tab \"clouds\""));
  EXPECT_THAT(error(with("/cursor/thread", "one")), HasSubstr("\"cursor.thread\" is no whole number"));
  EXPECT_THAT(error(with("/cursor/cell", json{1})), HasSubstr("is no cell"));
  EXPECT_THAT(error(with("/tabs/time/log_n", 1e300)), HasSubstr("\"time.log_n\""));
  for (const json& wrong : {json("notes"), json(8), json(-1)})
    EXPECT_THAT(error(with("/tabs/time/facet", wrong)),
                HasSubstr("\"time.facet\" is none of its choices, which are numbers from 0 to "));
  EXPECT_THAT(error(with("/target/device", "tpu")),
              HasSubstr("\"target.device\" is none of these: cpu, gpu"));
  EXPECT_THAT(error(with("/target/request/n", "many")), HasSubstr("\"target.request.n\" is no whole number"));
  EXPECT_THAT(error(with("/looks/theme", "pink")),
              HasSubstr("\"looks.theme\" is none of these: dark, light, projector"));
  EXPECT_THAT(error(with("/set_aside", json{{"request", 3}})),
              HasSubstr("\"set_aside.request\" is no object"));
  EXPECT_THAT(error(with("/target/request/kernel", "scan/nothing")), HasSubstr("scan/nothing"));
  // in a file: the run opens, and the sentence says what does not
  save(s.run->trace, in("a.bscope"), with("/tab", 7));
  const LoadedState back = load_session({}, in("a.bscope"));
  EXPECT_EQ(back.run->trace, s.run->trace);
  EXPECT_THAT(back.error.english(), HasSubstr("not usable: \"tab\" is no text"));
  const LoadedState missing = load_session(s, in("missing.bscope"));
  EXPECT_EQ(session_text(missing), text);
  EXPECT_THAT(missing.error.english(), HasSubstr("there is no file"));
  EXPECT_THROW(save_session(s, in("no/such/folder.bscope")), SystemError);
}

TEST(StoredSessions, ListEveryMember) {
  EXPECT_EQ(count_fields<StoredTarget>(), boost::pfr::tuple_size_v<StoredTarget>);
  EXPECT_EQ(count_fields<StoredSetAside>(), boost::pfr::tuple_size_v<StoredSetAside>);
  EXPECT_EQ(count_fields<StoredPlace>(), boost::pfr::tuple_size_v<StoredPlace>);
  EXPECT_EQ(count_fields<StoredLooks>(), boost::pfr::tuple_size_v<StoredLooks>);
}

TEST_F(Session, UnknownMembersArePassedOver) {
  const LoadedState s = somewhere();
  json all = json::parse(session_text(s));
  all["tomorrow"] = json{{"a", {1, 2, 3}}};
  all["cursor"]["mood"] = "good";
  all["tabs"]["time"]["unknown"] = nullptr;
  all["tabs"].erase("banks");
  const LoadedState back = with_session(s, all.dump());
  EXPECT_EQ(back.error.english(), "");
  EXPECT_EQ(session_text(back), session_text(s));
}

/// Every place in the JSON: a pointer to each value.
void places(const json& j, const std::string& at, std::vector<std::string>& all) {
  all.push_back(at);
  if (j.is_structured())
    for (const auto& [key, value] : j.items()) places(value, at + "/" + key, all);
}

// Whatever stands in it, there is a run to look at and the cursor is inside it.
TEST_F(Session, SurvivesEveryChangedValue) {
  const LoadedState s = somewhere();
  const json good = json::parse(session_text(s));
  std::vector<std::string> all;
  places(good, "", all);
  ASSERT_GT(all.size(), 40u);
  const json values[] = {nullptr,
                         true,
                         -1,
                         -2147483648LL,
                         2147483647,
                         4294967296LL,
                         18446744073709551615ull,
                         1e308,
                         0.5,
                         "",
                         "scan/blelloch",
                         json::array(),
                         json::array({1, 2}),
                         json::array({128, 2147483647}),
                         json::object()};
  int taken = 0, refused = 0, tried = 0;
  RunStore open([&](const Target& t) -> OpenedRun {  // as open_now, but nothing large
    if (t.is_file() || (t.request.n && *t.request.n > 4096))
      throw UsageError(Message::plain("not in a test"));
    return open_now(t);
  });
  for (const std::string& at : all)
    for (const json& value : values) {
      if (tried++ % test::all_or_part(1, 4)) continue;
      json changed = good;
      changed[json::json_pointer(at)] = value;
      SCOPED_TRACE(at + " = " + value.dump());
      const LoadedState back = with_session(s, changed.dump(), open);
      ++(back.error.empty() ? taken : refused);
      ASSERT_TRUE(back.run);
      const Cursor& c = back.cursor;
      ASSERT_EQ(fitted(*back.run, c), c);
      const Interval& here = interval_at(*back.run, c);
      EXPECT_EQ(std::tuple(here.launch, here.block, here.index), std::tuple(c.launch, c.block, c.interval));
      EXPECT_TRUE(back.speed >= 0.25f && back.speed <= 4);
      // what was taken can be written and is then the same
      const LoadedState again = with_session(back, session_text(back), open);
      EXPECT_EQ(session_text(again), session_text(back));
    }
  EXPECT_GT(taken, test::all_or_part(50, 12));
  EXPECT_GT(refused, test::all_or_part(200, 50));
}

TEST_F(Session, SurvivesChangedCharacters) {
  const LoadedState s = somewhere();
  const std::string good = session_text(s);
  std::mt19937 random(11);
  for (int k = 0; k < 3000; ++k) {
    std::string text = good;
    for (int n = 1 + int(random() % 4); n; --n) {
      const size_t at = random() % text.size();
      if (random() % 3 == 0)
        text.erase(at, random() % 8);
      else
        text[at] = "0123456789-.eE\"[]{},:ntf\\\xff "[random() % 27];
    }
    RunStore none([](const Target&) -> OpenedRun { throw UsageError(Message::plain("not in a test")); });
    const LoadedState back = with_session(s, text, none);
    ASSERT_EQ(fitted(*back.run, back.cursor), back.cursor);
  }
  // far too deep
  const LoadedState deep = with_session(s, std::string(1 << 20, '['));
  EXPECT_NE(deep.error.english(), "");
}

// A question that this run could not have asked is none.
TEST_F(Session, AsksNothingThatTheRunHasNot) {
  LoadedState asks = predict(somewhere());
  ASSERT_TRUE(asks.prediction.on);
  json session = json::parse(session_text(asks));
  EXPECT_TRUE(with_session(asks, session.dump()).prediction.on);
  session["tabs"]["prediction"]["cells"] = {99999};
  session["tabs"]["prediction"]["guesses"] = {""};
  const LoadedState back = with_session(asks, session.dump());
  EXPECT_FALSE(back.prediction.on);
  EXPECT_TRUE(back.prediction.cells.empty());
}

// A session is untrusted: what is no file is refused, wherever it is named, and nothing waits for it.
TEST_F(Session, WaitsForNoPipeThatItNames) {
  ASSERT_EQ(::mkfifo(in("pipe").c_str(), 0600), 0);
  const LoadedState s = somewhere();
  for (const std::string& stream : {in("pipe"), std::string("/dev/zero"), std::string("-")}) {
    SCOPED_TRACE(stream);
    const auto refused = [&](const json& session) {
      const LoadedState after = with_session(s, session.dump());
      EXPECT_THAT(after.error.english(), HasSubstr(stream));
      EXPECT_EQ(after.run, s.run);
    };
    json session = json::parse(session_text(s));
    session["target"]["request"].erase("values");
    session["target"]["request"]["input"] = stream;
    refused(session);
    session = json::parse(session_text(s));
    session["set_aside"] = {{"request", {{"kernel", "scan/blelloch"}, {"input", stream}}}, {"why", "."}};
    refused(session);
    session = json::parse(session_text(s));
    session["target"] = {{"file", stream}};
    refused(session);
    session = json::parse(session_text(s));
    session["tabs"]["compare"]["right"]["file"] = stream;
    const LoadedState compares = compared(with_session(s, session.dump()));
    EXPECT_THAT(compares.error.english(), HasSubstr(stream));
    EXPECT_EQ(compares.results.of<CompareRuns>().other, nullptr);
  }
}

}  // namespace
}  // namespace bscope

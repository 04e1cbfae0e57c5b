#include "app/links/host_message.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "app/links/link.hpp"
#include "app/session/tab.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "tests/at_once.hpp"

namespace bscope {
namespace {

using json = nlohmann::ordered_json;
using testing::HasSubstr;

LoadedState shown(const std::string& link = "kernel=scan/blelloch&n=16", const std::string& embed = "watch") {
  LoadedState s = with_link(LoadedState{}, link + "&embed=" + embed);
  EXPECT_EQ(s.error.english(), "") << link;
  return s;
}

LoadedState after(LoadedState s, const std::string& message, const std::string& embed = "watch") {
  return obeyed(std::move(s), parse_host_message(message), embed);
}

json told(const LoadedState& s, const std::string& embed = "watch") {
  return json::parse(told_of(s, "step", embed, link_of(s)));
}

TEST(Messages, MoveTheStep) {
  LoadedState s = shown();
  const int last = steps(*s.run) - 1;
  EXPECT_EQ(told(s)["step"], 0);
  EXPECT_EQ(told(s)["of"], last + 1);
  s = after(std::move(s), R"({"barrierscope":1,"type":"go","step":3})");
  EXPECT_EQ(told(s)["step"], 3);
  s = after(std::move(s), R"({"barrierscope":1,"type":"next"})");
  EXPECT_EQ(told(s)["step"], 4);
  EXPECT_EQ(s.cursor.phase, 0) << "as a key does: it moves";
  s = after(std::move(s), R"({"barrierscope":1,"type":"back"})");
  EXPECT_EQ(told(s)["step"], 3);
  s = after(std::move(s), R"({"barrierscope":1,"type":"go","step":1000000})");
  EXPECT_EQ(told(s)["step"], last);
  s = after(std::move(s), R"({"barrierscope":1,"type":"go","step":3,"substep":1})");
  EXPECT_EQ(told(s)["substep"], 1);
  s = after(std::move(s), R"({"barrierscope":1,"type":"go","step":4,"substep":null})");
  EXPECT_TRUE(told(s)["substep"].is_null());
}

TEST(Messages, PlayAndPauseSayWhatIsToBe) {
  LoadedState s = shown();
  for (int twice = 0; twice < 2; ++twice) {
    s = after(std::move(s), R"({"barrierscope":1,"type":"play"})");
    EXPECT_EQ(told(s)["playing"], true);
  }
  for (int twice = 0; twice < 2; ++twice) {
    s = after(std::move(s), R"({"barrierscope":1,"type":"pause"})");
    EXPECT_EQ(told(s)["playing"], false);
  }
}

// The atomics' own time is what their transport moves.
TEST(Messages, MoveTheTabsOwnTime) {
  LoadedState s = with_needs(shown("kernel=histogram/global-atomics", "atomics"));
  EXPECT_GT(told(s, "atomics")["of"], 2);
  s = after(std::move(s), R"({"barrierscope":1,"type":"go","step":2})", "atomics");
  EXPECT_EQ(told(s, "atomics")["step"], 2);
  EXPECT_EQ(own_time(s)->now, 2);
}

TEST(Messages, OpenALinkInTheSameView) {
  LoadedState s = shown("kernel=scan/blelloch&n=16", "banks");
  s = after(std::move(s),
            R"({"barrierscope":1,"type":"open","link":"?kernel=scan/kogge-stone&n=8&step=2&tab=memory"})",
            "banks");
  EXPECT_EQ(s.error.english(), "");
  EXPECT_EQ(s.tab, "banks");
  EXPECT_EQ(told(s)["kernel"], "scan/kogge-stone");
  EXPECT_EQ(told(s)["step"], 2);
  s = after(std::move(s), R"({"barrierscope":1,"type":"theme","theme":"light"})");
  EXPECT_EQ(s.theme, ThemeName::light);
}

TEST(Messages, TellALinkThatOpensTheSame) {
  LoadedState s = shown("kernel=scan/kogge-stone&n=32&step=3", "run");
  const json all = told(s, "run");
  EXPECT_EQ(all["barrierscope"], 1);
  EXPECT_EQ(all["type"], "step");
  EXPECT_EQ(all["view"], "run");
  const LoadedState back = with_link(LoadedState{}, all["link"].get<std::string>());
  EXPECT_EQ(link_of(back), all["link"].get<std::string>());
  EXPECT_TRUE(back.only_run);
  EXPECT_EQ(step_of(*back.run, back.cursor), 3);
}

TEST(Messages, ThatAreDamagedAreToldInASentence) {
  const std::pair<const char*, const char*> bad[] = {
      {"", "an object"},
      {"[1]", "an object"},
      {R"({"type":"next"})", "version"},
      {R"({"barrierscope":2,"type":"next"})", "speaks 1"},
      {R"({"barrierscope":1})", "type"},
      {R"({"barrierscope":1,"type":7})", "type"},
      {R"({"barrierscope":1,"type":"jump"})", "go, next, back"},
      {R"({"barrierscope":1,"type":"go"})", "step"},
      {R"({"barrierscope":1,"type":"go","step":-1})", "step"},
      {R"({"barrierscope":1,"type":"go","step":1.5})", "step"},
      {R"({"barrierscope":1,"type":"go","step":99999999999999999999})", "step"},
      {R"({"barrierscope":1,"type":"go","step":1,"substep":"x"})", "substep"},
      {R"({"barrierscope":1,"type":"open"})", "link"},
      {R"({"barrierscope":1,"type":"open","link":"?kernel=scan/blelloc"})", "scan/blelloch"},
      {R"({"barrierscope":1,"type":"open","link":"?input=/etc/passwd"})", "input"},
      {R"({"barrierscope":1,"type":"theme","theme":"pink"})", "light"},
  };
  for (const auto& [text, words] : bad) try {
      parse_host_message(text);
      ADD_FAILURE() << text << " is taken";
    } catch (const UsageError& e) { EXPECT_THAT(e.what(), HasSubstr(words)) << text; }
}

// A link may be well formed and still open nothing: what is shown stays.
TEST(Messages, WhoseLinkOpensNothingLeaveWhatIsShown) {
  LoadedState s = shown();
  const auto run = s.run;
  s = after(std::move(s), R"({"barrierscope":1,"type":"open","link":"?kernel=scan/blelloch&n=-3"})");
  EXPECT_THAT(s.error.english(), HasSubstr("cannot be opened"));
  EXPECT_EQ(s.run, run);
  EXPECT_EQ(json::parse(told_error(s.error.english()))["sentence"].get<std::string>(), s.error.english());
}

}  // namespace
}  // namespace bscope

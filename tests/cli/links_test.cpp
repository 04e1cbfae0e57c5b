// A link in a kernel's place: every verb takes what it says, as if it had been typed.
#include <gmock/gmock.h>

#include "tests/cli/run_support.hpp"

namespace bscope {
namespace {

using test::barrierscope;
using ::testing::HasSubstr;

TEST(CommandLineLinks, SayWhatOptionsSay) {
  const std::vector<std::string> typed{"show",       "scan/kogge-stone", "--values", "3,1,7,0", "--set",
                                       "type=float", "--schedule",       "lockstep", "--json"};
  const std::string link =
      "https://example.org/scope/?kernel=scan/kogge-stone&values=3,1,7,0&set=type=float&schedule=lockstep"
      "&step=2&tab=banks&watch.words=true&theme=light&cell=sum%5B1%5D";
  EXPECT_EQ(barrierscope({"show", link, "--json"}).out, barrierscope(typed).out);
  EXPECT_EQ(barrierscope({link, "show", "--json"}).out, barrierscope(typed).out);
  // what is typed goes before what the link says
  EXPECT_EQ(barrierscope({"check", "?kernel=scan/blelloch&n=64", "--n", "8"}).out,
            barrierscope({"check", "scan/blelloch", "--n", "8"}).out);
  EXPECT_EQ(barrierscope({"check", "barrierscope:?"}).out, barrierscope({"check", "scan/blelloch"}).out);
}

TEST(CommandLineLinks, ALessonIsItsRun) {
  const auto r = barrierscope({"show", "?lesson=blelloch:3&step=4", "--json"});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("\"scan/blelloch\""));
  EXPECT_EQ(barrierscope({"check", "?lesson=blelloch:3&kernel=reduce/shared"}).out,
            barrierscope({"check", "reduce/shared"}).out);
}

TEST(CommandLineLinks, OpenTheWindowThere) {
  std::vector<WindowOptions> opened;
  Window w;
  w.open = [&](const WindowOptions& o) {
    opened.push_back(o);
    return 0;
  };
  const auto with_display = [](Console& c) { c.display = true; };
  const auto open = [&](const std::vector<std::string>& args) {
    const auto r = barrierscope(args, w, with_display);
    EXPECT_EQ(r.code, 0) << r.err;
    return opened.empty() ? WindowOptions{} : opened.back();
  };
  WindowOptions o =
      open({"?kernel=reduce/shared&n=64&step=2&tab=memory&thread=3&language=zh&banks.request=1"});
  EXPECT_EQ(o.target.request.kernel, "reduce/shared");
  EXPECT_EQ(o.target.request.n, 64);
  EXPECT_EQ(o.step, 2);
  EXPECT_EQ(o.view, "memory");
  EXPECT_EQ(o.thread, 3);
  EXPECT_EQ(o.language, "zh");
  EXPECT_EQ(o.states, std::vector<std::string>{"banks.request=1"});
  o = open(
      {"scan/blelloch", "--step", "2", "--tab", "memory", "--thread", "3", "--state", "banks.request=1"});
  EXPECT_EQ(o.step, 2);
  EXPECT_EQ(o.view, "memory");
  EXPECT_EQ(o.language, "");
  o = open({"?lesson=blelloch:3"});
  EXPECT_EQ(o.lesson, "blelloch:3");
  EXPECT_FALSE(o.beside);
  o = open({"?lesson=blelloch:3&kernel=reduce/shared"});
  EXPECT_TRUE(o.beside);
  EXPECT_EQ(o.target.request.kernel, "reduce/shared");
}

TEST(CommandLineLinks, AreRefusedInASentence) {
  const auto error = [](const std::vector<std::string>& args) {
    const auto r = barrierscope(args);
    EXPECT_EQ(r.code, 2) << r.out;
    EXPECT_EQ(std::ranges::count(r.err, '\n'), 1);
    return r.err;
  };
  EXPECT_THAT(error({"show", "?kernl=scan/blelloch"}), HasSubstr("did you mean kernel?"));
  EXPECT_THAT(error({"show", "?n=ten"}), HasSubstr("--n ten is not a number"));
  EXPECT_THAT(error({"show", "?input=/etc/passwd"}), HasSubstr("a link may not say input"));
  EXPECT_THAT(error({"check", "?kernel=/etc/passwd"}), HasSubstr("/etc/passwd"));
  EXPECT_THAT(error({"list", "barrierscope:?n=8"}), HasSubstr("`list` takes no kernel"));
  EXPECT_THAT(error({"show", "?n=8", "?n=9"}), HasSubstr("only one link"));
  EXPECT_THAT(error({"show", "?n=8", "scan/kogge-stone"}), HasSubstr("scan/kogge-stone is one too many"));
  EXPECT_THAT(error({"check", "?language=zh&n=ten"}), HasSubstr("不是数字"));
}

}  // namespace
}  // namespace bscope

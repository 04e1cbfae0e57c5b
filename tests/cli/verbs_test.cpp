// A verb is one value: what it takes, its help and its mistakes follow from that, and nothing of it is left
// where it is taken out.
#include <gmock/gmock.h>

#include "app/cli/run_options.hpp"
#include "app/cli/verb.hpp"
#include "app/options/options.hpp"
#include "app/options/run_options.hpp"
#include "tests/cli/run_support.hpp"

namespace bscope {
namespace {

using test::barrierscope;
using ::testing::HasSubstr;
using ::testing::Not;

Verb greet() {
  return {.name = "greet", .what = "Says hello to a kernel", .place = 99, .takes = [](Options& o) -> Action {
            struct Asked {
              std::vector<std::string> words, marks;
              RunOptions run;
              std::string mood = "well";
              bool loud = false;
            };
            const auto a = std::make_shared<Asked>();
            o.words("KERNEL", "Whom", 1, a->words);
            o.option("--mood", "M", "well or ill", a->mood, one_of({"well", "ill"}));
            o.repeated("--mark", "C", "What it ends with; may be repeated", a->marks,
                       some_word("a mark, please"));
            o.flag("--loud", "In capitals", a->loud);
            input_options(o, a->run);
            return [a](Console& c, const Window&) {
              c.out << (a->loud ? "HELLO " : "hello ") << target_of(a->run, a->words, "greet").request.kernel
                    << " of " << a->run.request.n.value_or(0) << ", " << a->mood;
              for (const std::string& mark : a->marks) c.out << mark;
              return 7;
            };
          }};
}

TEST(Verbs, AVerbIsOneValue) {
  {
    const RegisterVerb here(greet());
    const auto r = barrierscope({"greet", "scan/blelloch", "--n", "2^3", "--mark", "!", "--mark=?"});
    EXPECT_EQ(r.code, 7) << r.err;
    EXPECT_EQ(r.out, "hello scan/blelloch of 8, well!?");
    EXPECT_EQ(barrierscope({"greet", "--loud", "--mood", "ill", "scan/look-back"}).out,
              "HELLO scan/look-back of 0, ill");
    EXPECT_THAT(barrierscope({"--help"}).out,
                HasSubstr("greet                           Says hello to a kernel"));
    EXPECT_THAT(barrierscope({"greet", "--help"}).out,
                HasSubstr("--mood M                        well or ill"));
    EXPECT_EQ(barrierscope({"greet", "scan/blelloch", "--mood", "odd"}).err,
              "barrierscope: --mood odd is not known: choose one of well, ill.\n");
    EXPECT_EQ(barrierscope({"greet", "scan/blelloch", "--mark", ""}).err, "barrierscope: a mark, please.\n");
  }
  EXPECT_EQ(barrierscope({"greet", "scan/blelloch"}).code, 2);
  EXPECT_THAT(barrierscope({"--help"}).out, Not(HasSubstr("greet")));
}

TEST(Verbs, WhatStandsBeforeTheVerbIsTakenByIt) {
  const RegisterVerb here(greet());
  EXPECT_EQ(barrierscope({"--n", "4", "greet", "scan/blelloch"}).out, "hello scan/blelloch of 4, well");
  EXPECT_EQ(barrierscope({"--n", "4", "greet", "scan/blelloch", "--n", "5"}).out,
            "hello scan/blelloch of 5, well");
  EXPECT_EQ(barrierscope({"scan/blelloch", "greet"}).out, "hello scan/blelloch of 0, well");
  EXPECT_THAT(barrierscope({"--theme", "dark", "greet", "scan/blelloch"}).err,
              HasSubstr("`greet` takes no --theme: `barrierscope greet --help` lists what it takes"));
  EXPECT_THAT(barrierscope({"scan/blelloch", "greet", "scan/look-back"}).err,
              HasSubstr("scan/look-back is one too many: `greet` takes one kernel or file"));
  EXPECT_THAT(barrierscope({"scan/blelloch", "list"}).err,
              HasSubstr("scan/blelloch is one too many: `list` takes no kernel"));
}

}  // namespace
}  // namespace bscope

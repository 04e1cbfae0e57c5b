// What a tip says of the thing under the mouse ends in the definition of its term.
#ifdef BARRIERSCOPE_PICTURES
#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "app/cli/start.hpp"
#include "app/export/figure.hpp"
#include "app/session/tab.hpp"
#include "app/words/glossary.hpp"
#include "tests/at_once.hpp"

namespace bscope {
namespace {

struct Tips : testing::Test {
  ~Tips() override { speak(Language::en); }
};

std::set<std::string> tips_of(const char* kernel, const char* view, Language language) {
  RenderOptions o;
  Target target;
  target.request.kernel = kernel;
  o.targets = {target};
  o.view = view;
  o.step = 3;
  o.language = name_of(language);
  const LoadedState s = with_needs(start(o));
  std::set<std::string> tips;
  Theme t = figure_theme(s, 1600, 900);
  t.printed = false;  // as in the window: controls have tips, too
  for (const HitRegion& h : figure(s, t, fixed_metrics(), 1600, 900).hits) tips.insert(h.tip);
  tips.erase("");
  return tips;
}

std::string term(std::string_view sentence) {
  const Term* t = term_in(sentence);
  return t ? t->word : "";
}

TEST_F(Tips, NameTheTermThatTheyAreAbout) {
  speak(Language::en);
  EXPECT_EQ(term("Wavefront 2 of 4: lanes 0 and 4 want bank 0."), "wavefront");
  EXPECT_EQ(term("The bank conflicts of this request"), "bank conflict");
  EXPECT_EQ(term("thread 5 of block 0 waits at the barrier"), "barrier");
  EXPECT_EQ(term("Thread 5 touches no cell in this step."), "thread");
  EXPECT_EQ(term("Opens the kernel that comes in the next step."), "");
  EXPECT_EQ(term("Bankrupt embargoes, sectored races_"), "");
  EXPECT_EQ(term(""), "");
  // it is defined already
  EXPECT_EQ(term(definition("barrier")), "");
  EXPECT_EQ(term("A barrier (__syncthreads) lets no thread past until every thread has come."), "");
  EXPECT_EQ(term("A sector is 32 bytes of global memory."), "");
  speak(Language::zh);
  EXPECT_EQ(term("存储体冲突：3"), "bank conflict");
  EXPECT_EQ(term("桶 3：4 个键"), "bin");
}

/// The terms of a tab that a student meets there for the first time.
TEST_F(Tips, DefineEachTabsTerms) {
  const std::tuple<const char*, const char*, std::set<std::string>> tabs[] = {
      {"scan/blelloch", "banks", {"bank", "wavefront", "lane", "request", "up-sweep"}},
      {"scan/blelloch", "memory", {"sector", "request"}},
      {"histogram/shared-atomics", "atomics", {"bin"}},
      {"scan/blelloch", "compare", {"wavefront", "up-sweep"}},
      {"scan/blelloch", "time", {"GB/s", "median"}},
  };
  for (const Language language : {Language::en, Language::zh})
    for (const auto& [kernel, view, wanted] : tabs) {
      std::set<std::string> found;
      for (const std::string& tip : tips_of(kernel, view, language)) {
        const Term* t = term_in(tip);
        if (!t) continue;
        found.insert(t->word);
        // a tip, no page: four lines of it at most
        EXPECT_LE(tip.size() + definition(t->word).size(), 330u) << tip;
      }
      for (const std::string& word : wanted)
        EXPECT_TRUE(found.contains(word)) << view << ", " << name_of(language) << ": " << word;
    }
}

}  // namespace
}  // namespace bscope
#endif

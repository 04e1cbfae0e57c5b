// What stands in the source while a lesson asks: code, without what comments say of it.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "app/run/run.hpp"
#include "app/tabs/watch/source/content.hpp"
#include "app/tabs/watch/source/panel.hpp"
#include "engine/analysis/run.hpp"
#include "engine/analysis/run_queries.hpp"
#include "engine/trace/trace.hpp"
#include "tests/tabs/layout_support.hpp"

namespace bscope {
namespace {

TEST(SourceComments, AreHiddenWhileALessonAsks) {
  Trace trace = traced("reduce/shared", "", 8, 4)->trace;
  const std::string told =
      "// what it computes\n"
      "int a = 1;  // one\n"
      "print(\"http://x\");\n"
      "/* two\n"
      "   lines */ int b = 2;\n"
      "int c = /* three */ 3;\n";
  std::string& text = trace.sources.at(0).text;
  text = told + text;
  const RunQueries model(analysed(std::move(trace)));
  const auto shown = [&](bool hints) {
    return SourceContent(model, {}, {}, false, nullptr, {.faults = true, .coming = true, .hints = hints});
  };
  const SourceContent all = shown(true), asked = shown(false);
  EXPECT_EQ(all.text(2), "int a = 1;  // one");
  EXPECT_EQ(asked.text(2), "int a = 1;");
  EXPECT_EQ(asked.text(3), "print(\"http://x\");");
  EXPECT_EQ(asked.text(5), "            int b = 2;");
  EXPECT_EQ(asked.text(6), "int c =             3;");
  EXPECT_TRUE(all.comments.empty());
  for (int line = 1; line <= 6; ++line) EXPECT_EQ(asked.is_hidden(line), line == 1 || line == 4) << line;
}

}  // namespace
}  // namespace bscope

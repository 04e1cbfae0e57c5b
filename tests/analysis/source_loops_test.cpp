// Which lines the loops of a text hold.
#include "engine/analysis/source_loops.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

std::vector<std::pair<int, int>> lines_of(std::string_view text) {
  std::vector<std::pair<int, int>> all;
  const SourceLoops loops(text);
  for (const SourceLoops::Range& l : loops.loops()) all.emplace_back(l.first, l.last);
  return all;
}

TEST(SourceLoops, AreEveryKindOfStatement) {
  EXPECT_THAT(lines_of("for (int k = 0; k < n; ++k) {\n  f(k);\n}\ng();\n"), ElementsAre(Pair(1, 3)));
  EXPECT_THAT(lines_of("while (a[k] !=\n       b) {\n  ++k;\n}\n"), ElementsAre(Pair(1, 4)));
  EXPECT_THAT(lines_of("do {\n  ++k;\n}\nwhile (a[k]\n       != b);\ng();\n"), ElementsAre(Pair(1, 5)));
  EXPECT_THAT(lines_of("for (int x :\n     all)\n  f(x);\ng();\n"), ElementsAre(Pair(1, 3)));
  EXPECT_THAT(lines_of("for (;;)\n  ;\ng();\n"), ElementsAre(Pair(1, 2)));
}

TEST(SourceLoops, EndWithTheStatementThatTheyRepeat) {
  EXPECT_THAT(lines_of("for (;;)\n  for (;;)\n    f();\ng();\n"), ElementsAre(Pair(1, 3), Pair(2, 3)));
  EXPECT_THAT(lines_of("for (;;)\n  if (a)\n    f();\n  else\n    g();\nh();\n"), ElementsAre(Pair(1, 5)));
  EXPECT_THAT(lines_of("if (a)\n  for (;;)\n    f();\nelse\n  while (b)\n    g();\nh();\n"),
              ElementsAre(Pair(2, 3), Pair(5, 6)));
  EXPECT_THAT(lines_of("for (;;)\n  if (a) {\n    f();\n  } else if (b) {\n    g();\n  }\nh();\n"),
              ElementsAre(Pair(1, 6)));
  EXPECT_THAT(lines_of("for (;;)\n  do\n    if (a) f();\n  while (b);\ng();\n"),
              ElementsAre(Pair(1, 4), Pair(2, 4)));
  EXPECT_THAT(lines_of("while (a)\n  switch (b) {\n    case 1: f(); break;\n    default: g();\n  }\nh();\n"),
              ElementsAre(Pair(1, 5)));
  EXPECT_THAT(lines_of("for (;;)\n  if constexpr (a) [[likely]] {\n    f();\n  }\ng();\n"),
              ElementsAre(Pair(1, 4)));
  // braces within the statement do not end it
  EXPECT_THAT(lines_of("for (;;)\n  f([&](int x) { return x; },\n    T{1});\ng();\n"),
              ElementsAre(Pair(1, 3)));
  EXPECT_THAT(
      lines_of("void k() {\n  for (;;)\n    auto f = [&] {\n      while (a) b();\n    },\n    g = 1;\n}\n"),
      ElementsAre(Pair(2, 6), Pair(4, 4)));
}

TEST(SourceLoops, MayShareALine) {
  EXPECT_THAT(lines_of("for (;;) for (;;) f(); while (a) g();\nh();\n"),
              ElementsAre(Pair(1, 1), Pair(1, 1), Pair(1, 1)));
  const SourceLoops meet("for (;;) {\n  f();\n} while (a) {\n  g();\n}\n");
  EXPECT_TRUE(meet.share_loop(2, 3));
  EXPECT_TRUE(meet.share_loop(3, 4));
  EXPECT_FALSE(meet.share_loop(2, 4));
}

TEST(SourceLoops, AreNoWordsOfCommentsStringsAndDirectives) {
  EXPECT_THAT(lines_of("// for (;;)\n/* while (a)\n do { */ f(\"for (;;) {\", 'w', '\"', '{', '\\'');\n"),
              IsEmpty());
  EXPECT_THAT(lines_of("f(R\"(for (;;) {\n\")\");\nfor (;;)\n  g(u8R\"x(} )\" } )x\");\nh();\n"),
              ElementsAre(Pair(3, 4)));
  EXPECT_THAT(
      lines_of("#define LOOP for (;;) { \\\n  while (a)\n#pragma unroll\nfor (;;)\n  f(1'000 * x);\ng();\n"),
      ElementsAre(Pair(4, 5)));
  EXPECT_THAT(lines_of("// goes on \\\nfor (;;) {\nint format, dot, whiles, do_it;\n"), IsEmpty());
  EXPECT_THAT(lines_of("for (;;)\n#if A\n  // }\n#endif\n  f();\ng();\n"), ElementsAre(Pair(1, 5)));
}

TEST(SourceLoops, TellTheLoopsAndTheFunctionOfALine) {
  const SourceLoops loops(
      "struct Kernel {\n"                                       // 1
      "  template <class T, int n = (1 > 0)>\n"                 // 2
      "  __device__ void operator()(T* s, T x = {}) const {\n"  // 3
      "    for (int r = 0; r < n; ++r) {\n"                     // 4
      "      for (int k = 0; k < n; ++k)\n"                     // 5
      "        if (s[k]) break;\n"                              // 6
      "\n"                                                      // 7
      "      s[r] = x;  // behind the search\n"                 // 8
      "    }\n"                                                 // 9
      "    s[0] = x;\n"                                         // 10
      "  }\n"                                                   // 11
      "};\n"                                                    // 12
      "__device__ int twice(int x) {\n"                         // 13
      "  return 2 * x;\n"                                       // 14
      "}\n"                                                     // 15
      "static const int table[] = {1, 2};\n");                  // 16
  EXPECT_TRUE(loops.share_loop(6, 8));
  EXPECT_FALSE(loops.share_loop(6, 10));
  EXPECT_FALSE(loops.share_loop(6, 14));
  const int inner = loops.loop_at(6), outer = loops.loop_at(8);
  EXPECT_NE(inner, outer);
  EXPECT_FALSE(loops.holds(inner, 8));
  EXPECT_TRUE(loops.holds(outer, 6));
  EXPECT_EQ(loops.loop_at(10), -1);
  EXPECT_TRUE(loops.share_function(6, 10));
  EXPECT_FALSE(loops.share_function(6, 14));
  EXPECT_TRUE(loops.share_function(1, 16));  // of none
  EXPECT_TRUE(loops.has_code(9));
  for (const int line : {-1, 0, 7, 17, 1 << 20}) {
    EXPECT_FALSE(loops.has_code(line));
    EXPECT_FALSE(loops.decides(line));
    EXPECT_EQ(loops.loop_at(line), line == 7 ? outer : -1);
  }
  EXPECT_TRUE(loops.decides(6));
  EXPECT_FALSE(loops.decides(8));
}

TEST(SourceLoops, OfAnyTextAreNested) {
  const std::vector<std::string> words{"for",  "while",    "do", "if",     "else",    "(",  ")",    "{",
                                       "}",    ";",        "\n", "\n",     "x",       "[[", "]",    "R\"",
                                       "\"",   "'",        "/*", "*/",     "//",      "#",  "\\\n", ":",
                                       "case", "template", "<",  "struct", "for(;;)", "&&", "\xff", "\r\n"};
  std::mt19937 random(1);
  for (int k = 0; k < 3000; ++k) {
    std::string text;
    for (unsigned n = random() % 60; n > 0; --n)
      text += words[random() % words.size()] + (random() % 4 ? "" : " ");
    const SourceLoops loops(text);
    const int lines = int(std::count(text.begin(), text.end(), '\n')) + 1;
    for (int line = 0; line <= lines + 1; ++line) {
      bool held = false;
      for (const SourceLoops::Range& l : loops.loops()) held |= l.first <= line && line <= l.last;
      ASSERT_EQ(loops.loop_at(line) >= 0, held) << text;
      ASSERT_TRUE(!held || loops.holds(loops.loop_at(line), line)) << text;
    }
    for (const SourceLoops::Range& l : loops.loops()) {
      ASSERT_TRUE(1 <= l.first && l.first <= l.last && l.last <= lines) << text;
      if (l.around >= 0) ASSERT_TRUE(loops.holds(l.around, l.first) && loops.holds(l.around, l.last)) << text;
    }
  }
}

TEST(SourceLoops, OfDeepTextsTakeLinearTime) {  // else this does not end
  for (const char* part :
       {"for(;;)\n", "(", "{", "}", "if(x)", "do ", "R\"", "R\"(", "/*", "[[", "f({", "((({}"}) {
    std::string text;
    while (text.size() < 200'000) text += part;
    SourceLoops{text};
  }
}

TEST(SourceLoops, AreThoseOfEachSource) {
  Trace t;
  t.sources = {{"a.cu", ""}, {"b.cu", "for (;;) f();\n"}};
  const auto all = source_loops(t);
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_THAT(all[0].loops(), IsEmpty());
  EXPECT_THAT(all[1].loops(), SizeIs(1));
}

}  // namespace
}  // namespace bscope

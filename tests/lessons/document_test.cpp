// Markdown as it is read: which marks are distinguished, and that nothing of it is lost.
#include "app/lessons/document.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace bscope {
namespace {

using testing::ElementsAre;

std::string plain(const Spans& words) {
  return std::accumulate(words.begin(), words.end(), std::string(),
                         [](std::string all, const TextSpan& s) { return all + s.words; });
}
std::vector<std::string> prose(const std::string& text) {
  std::vector<std::string> all;
  for (const Spans& words : prose_of(read_markdown(text))) all.push_back(plain(words));
  return all;
}

TEST(Document, TellsBlocksApart) {
  std::vector<TextBlock::BlockType> kinds;
  for (const TextBlock& b :
       read_markdown("one\n\n### two\n- three\n\n> four\n\n```\nfive\n```\n\n---\n\n| a |\n|---|\n"))
    kinds.push_back(b.kind);
  EXPECT_THAT(kinds, ElementsAre(TextBlock::paragraph, TextBlock::heading, TextBlock::item,
                                 TextBlock::question, TextBlock::code, TextBlock::rule, TextBlock::table));
}

TEST(Document, ItemsHaveTheirMarksAndDepth) {
  std::vector<std::string> items;
  for (const TextBlock& b : read_markdown("3. a\n   - b\n\n     more of b\n4. c\n"))
    items.push_back(b.mark + std::string(size_t(b.level), '>') + plain(b.words));
  EXPECT_THAT(items, ElementsAre("3.a", "\u2022>b", ">more of b", "4.c"));
}

TEST(Document, LinesAreJoinedAndChineseWithoutASpace) {
  EXPECT_THAT(prose("two\nlines"), ElementsAre("two lines"));
  EXPECT_THAT(prose("中文\n换行"), ElementsAre("中文换行"));
  EXPECT_THAT(prose("中文\n**换行**\n`s[0]`"), ElementsAre("中文换行 s[0]"));
  EXPECT_THAT(prose("see\n[it](step:2)"), ElementsAre("see it"));
}

// What looks like HTML is C++ here, and what is not closed stands as it was typed.
TEST(Document, LosesNothingThatWasTyped) {
  EXPECT_THAT(prose("a Tracked<int> & b"), ElementsAre("a Tracked<int> & b"));
  EXPECT_THAT(prose("<div>\nwords\n</div>"), ElementsAre("<div> words </div>"));
  EXPECT_THAT(prose("\\*no\\* 2 * 3 snake_case_name"), ElementsAre("*no* 2 * 3 snake_case_name"));
  EXPECT_THAT(prose("a `b and [c](d"), ElementsAre("a `b and [c](d"));
  EXPECT_THAT(prose("see [it]()"), ElementsAre("see [it]()"));
  EXPECT_EQ(read_markdown("```\nx = *y*;\n\n  z\n```")[0].text, "x = *y*;\n\n  z");
}

TEST(Document, LinksKeepTheirStylesAndKnowTheirLine) {
  const Spans words = read_markdown("One.\n\nTwo\n[the **tree**](cell:sum[7]) [](step:2)")[1].words;
  Spans links;
  for (const TextSpan& s : words)
    if (!s.link.empty()) links.push_back(s);
  ASSERT_EQ(links.size(), 3u);
  EXPECT_EQ(links[0].words, "the ");
  EXPECT_EQ(links[0].link, "cell:sum[7]");
  EXPECT_EQ(links[0].line, 3);
  EXPECT_TRUE(links[1].bold);
  EXPECT_EQ(links[2].words, "");
  EXPECT_EQ(links[2].link, "step:2");
}

TEST(Document, MayBeNestedAsDeepAsATextLikes) {
  std::string quotes, stars;
  for (int k = 0; k < 5000; ++k) quotes += "> ", stars += "*a **b ";
  EXPECT_THAT(prose(quotes + "end"), ElementsAre("end"));
  EXPECT_FALSE(prose(stars).empty());
}

}  // namespace
}  // namespace bscope

#include "app/parts/key_sheet.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/words/glossary.hpp"
#include "app/words/words.hpp"
#include "tests/tabs/layout_support.hpp"

namespace bscope {
namespace {

std::vector<KeyGroup> many() {
  std::vector<KeyGroup> groups;
  for (int g = 0; g < 5; ++g) {
    KeyGroup group{"Group " + std::to_string(g), {}};
    for (int r = 0; r < 16; ++r)
      group.rows.push_back(
          {r % 5 == 4 ? std::vector<std::string>{}
           : r % 3    ? std::vector<std::string>{"Ctrl+Shift+Z", "Ctrl+Y"}
                      : std::vector<std::string>{"Page Down"},
           "Select the next cell that this step writes, number " + std::to_string(g * 16 + r)});
    groups.push_back(group);
  }
  return groups;
}

std::vector<Definition> terms() {
  std::vector<Definition> all;
  for (const Term& t : glossary()) all.push_back({tr(t.word), tr(t.meaning)});
  return all;
}

/// Every page of a sheet, clean, and every row on one of them.
template <class Make>
void expect_all_pages(const std::string& name, const Make& make, int rows_expected) {
  for (int page = 0, pages = 1; page < pages; ++page)
    expect_clean_everywhere(name, [&](const Theme& t, const Metrics& m, float w, float h) {
      KeySheet s = make(page, t, m, w, h);
      pages = std::max(pages, s.pages);
      Picture backed;
      backed.width = w;
      backed.height = h;
      Pen(backed, m).rect({0, 0, w, h}, t.panel);
      backed.shapes.insert(backed.shapes.end(), s.picture.shapes.begin(), s.picture.shapes.end());
      return backed;
    });
  const Theme t = theme(ThemeName::projector, 900);
  std::multiset<std::string> found;
  for (int page = 0, pages = 1; page < pages; ++page) {
    const KeySheet s = make(page, t, fixed_metrics(), 1500, 800);
    pages = s.pages;
    EXPECT_EQ(s.page, page);
    for (const Shape& shape : s.picture.shapes)
      if (shape.type == Shape::text) found.insert(shape.words);
  }
  EXPECT_GE(int(found.size()), rows_expected);
  const KeySheet beyond = make(1000, t, fixed_metrics(), 1500, 800);
  EXPECT_EQ(beyond.page, beyond.pages - 1);
}

TEST(KeySheetView, IsCleanEverywhereAndLeavesNothingOut) {
  expect_all_pages(
      "keys",
      [](int page, const Theme& t, const Metrics& m, float w, float h) {
        return key_sheet(many(), page, t, m, w, h);
      },
      80);
}

TEST(KeySheetView, AHeadingStaysWithItsFirstRow) {
  const Theme t = theme(ThemeName::dark, 900);
  const auto words = [](const Shape& s) { return s.type == Shape::text; };
  // as many rows before it as bring it near the bottom of a column; its own first row takes three lines
  for (int rows = 5; rows < 40; ++rows) {
    std::vector<KeyGroup> groups{{"First", {}}, {"Second", {}}};
    for (int r = 0; r < rows; ++r) groups[0].rows.push_back({{"A"}, "Do it"});
    std::string lengthy = "Second's";
    for (int k = 0; k < 24; ++k) lengthy += " lengthy";
    groups[1].rows.push_back({{"B"}, lengthy});
    const auto& shapes = key_sheet(groups, 0, t, fixed_metrics(), 1500, 500).picture.shapes;
    const auto heading = std::find_if(shapes.begin(), shapes.end(),
                                      [&](const Shape& s) { return words(s) && s.words == "Second"; });
    const auto row = std::find_if(shapes.begin(), shapes.end(),
                                  [&](const Shape& s) { return words(s) && s.words == "B"; });
    if (heading == shapes.end()) continue;  // on the next page, and so is its row
    ASSERT_NE(row, shapes.end()) << rows;
    EXPECT_GT(row->points[0].y, heading->points[0].y) << rows;
    EXPECT_LT(std::abs(row->points[0].x - heading->points[0].x), 60) << rows;
  }
}

TEST(KeySheetView, TheGlossaryIsCleanInBothLanguages) {
  for (const Language l : {Language::en, Language::zh}) {
    speak(l);
    const auto all = terms();
    expect_all_pages(
        std::string("glossary ") + name_of(l),
        [&](int page, const Theme& t, const Metrics& m, float w, float h) {
          return glossary_sheet(all, page, t, m, w, h);
        },
        int(all.size()) * 2);
  }
  speak(Language::en);
}

TEST(Glossary, EachTermIsDefinedOnceInASentence) {
  std::set<std::string> words;
  for (const Term& t : glossary()) {
    EXPECT_TRUE(words.insert(t.word).second) << t.word;
    EXPECT_TRUE(std::string(t.meaning).ends_with('.')) << t.word;
    EXPECT_TRUE(known(Language::zh, t.word)) << t.word;
    EXPECT_TRUE(known(Language::zh, t.meaning)) << t.word;
  }
  // the words that the pictures use
  for (const char* word : {"lane", "warp", "block", "barrier", "bank", "wavefront", "sector", "contention",
                           "divergence", "span", "work", "inclusive", "exclusive", "race"})
    EXPECT_FALSE(definition(word).empty()) << word;
  EXPECT_EQ(definition("no such term"), "");
}

}  // namespace
}  // namespace bscope

#include "app/view/picture.hpp"

#include <gtest/gtest.h>

namespace bscope {
namespace {

struct Drawn {
  Picture picture;
  Metrics metrics = fixed_metrics();
  Pen pen{picture, metrics};
};

TEST(Pen, TextSitsOnItsPoint) {
  Drawn d;
  const Box left = d.pen.text({100, 50}, "abcd", 10, 1, Font::mono);
  const Box centre = d.pen.text({100, 50}, "abcd", 10, 1, Font::mono, Align::centre);
  const Box right = d.pen.text({100, 50}, "abcd", 10, 1, Font::mono, Align::right);
  EXPECT_FLOAT_EQ(left.x, 100);
  EXPECT_FLOAT_EQ(centre.x, 88);
  EXPECT_FLOAT_EQ(right.x, 76);
  for (const Box& b : {left, centre, right}) {
    EXPECT_FLOAT_EQ(b.w, 24);
    EXPECT_FLOAT_EQ(b.centre().y, 50);
  }
  EXPECT_EQ(d.picture.shapes.size(), 3u);
}

TEST(Pen, FittedIsTheLongestThatFits) {
  Drawn d;
  EXPECT_EQ(d.pen.fitted("abcdefghij", 60.5f, 10, Font::mono), "abcdefghij");
  EXPECT_EQ(d.pen.fitted("abcdefghij", 59.5f, 10, Font::mono), "abcdef...");
  EXPECT_EQ(d.pen.fitted("abcdefghij", 17, 10, Font::mono), "");
  // two bytes a character: never half of one
  EXPECT_EQ(d.pen.fitted("\u00e9\u00e9\u00e9\u00e9\u00e9", 29, 10, Font::mono), "\u00e9...");
}

TEST(Pen, ArrowHeadEndsAtItsTip) {
  Drawn d;
  d.pen.arrow_head({10, 20}, {0, 3}, 8, 1);
  ASSERT_EQ(d.picture.shapes.size(), 1u);
  const auto& p = d.picture.shapes[0].points;
  EXPECT_FLOAT_EQ(p[0].y, 20);
  EXPECT_FLOAT_EQ(p[1].y, 12);
  EXPECT_FLOAT_EQ(p[2].y, 12);
  d.pen.arrow_head({10, 20}, {0, 0}, 8, 1);  // no direction, no head
  EXPECT_EQ(d.picture.shapes.size(), 1u);
}

}  // namespace
}  // namespace bscope

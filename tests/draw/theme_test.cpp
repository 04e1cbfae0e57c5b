#include "app/draw/theme.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

namespace bscope {
namespace {

const Theme themes[] = {theme(ThemeName::dark, 900), theme(ThemeName::light, 900),
                        theme(ThemeName::projector, 900)};

TEST(Theme, EveryTextIsReadableOnItsBackground) {
  for (const Theme& t : themes) {
    for (Colour background : {t.window, t.panel, t.cell})
      for (Colour ink : {t.ink, t.ink2, t.ink3})
        EXPECT_GE(contrast(ink, background), 4.5f) << name_of(t.name);
    for (Colour ink : {t.ink, t.ink2}) EXPECT_GE(contrast(ink, t.selected), 4.5f) << name_of(t.name);
    for (Colour role : {t.read, t.write, t.thread})
      EXPECT_GE(contrast(role, t.panel), 4.5f) << name_of(t.name);
    for (Colour fill : {t.read, t.write, t.changed, t.thread, t.conflict, t.atomic, t.race, t.phase_load,
                        t.phase_up, t.phase_clear, t.phase_down})
      EXPECT_GE(contrast(t.on(fill), fill), 4.5f) << name_of(t.name) << " " << std::hex << fill;
  }
}

TEST(Theme, ProjectorNeverGoesBelow22) {
  const Theme& t = themes[2];
  for (float size :
       {t.size_changed, t.size_why, t.size_value, t.size_title, t.size_label, t.size_code, t.size_index})
    EXPECT_GE(size, 22);
}

TEST(Theme, ScalesWithTheWindow) {
  EXPECT_FLOAT_EQ(theme(ThemeName::dark, 1800).px(8), 16);
  EXPECT_FLOAT_EQ(theme(ThemeName::dark, 720).px(10), 8);
}

TEST(Theme, PhasesOfTheDesign) {
  const Theme& t = themes[0];
  EXPECT_EQ(t.phase("load"), t.phase_load);
  EXPECT_EQ(t.phase("store"), t.phase_load);
  EXPECT_EQ(t.phase("up-sweep"), t.phase_up);
  EXPECT_EQ(t.phase("clear"), t.phase_clear);
  EXPECT_EQ(t.phase("down-sweep"), t.phase_down);
  EXPECT_EQ(t.phase("steps"), t.phase("steps"));
}

TEST(Theme, ContrastIsTheOneOfTheStandard) {
  EXPECT_NEAR(contrast(0x000000ff, 0xffffffff), 21, 0.01);
  EXPECT_NEAR(contrast(0x777777ff, 0xffffffff), 4.48, 0.01);
  EXPECT_EQ(mix(0xff0000ff, 0x0000ffff, 1), 0xff0000ffu);
}

}  // namespace
}  // namespace bscope

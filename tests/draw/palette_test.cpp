// Every reader can tell the roles apart: CIEDE2000 between all pairs, with normal sight and with each kind of
// colour blindness.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "app/draw/theme.hpp"

namespace bscope {
namespace {

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

Triple times(const Matrix& m, const Triple& v) {
  Triple out{};
  for (size_t i = 0; i < 3; ++i)
    for (size_t k = 0; k < 3; ++k) out[i] += m[i][k] * v[k];
  return out;
}

Triple linear(Colour c) {
  Triple out{};
  for (size_t i = 0; i < 3; ++i) {
    const double v = double(c >> (24 - 8 * i) & 0xff) / 255;
    out[i] = v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  }
  return out;
}

/// CIELAB under D65.
Triple lab(const Triple& rgb) {
  constexpr Matrix to_xyz{{{0.4124564, 0.3575761, 0.1804375},
                           {0.2126729, 0.7151522, 0.0721750},
                           {0.0193339, 0.1191920, 0.9503041}}};
  constexpr Triple white{0.95047, 1, 1.08883};
  const Triple xyz = times(to_xyz, rgb);
  Triple f{};
  for (size_t i = 0; i < 3; ++i) {
    const double v = xyz[i] / white[i];
    f[i] = v > 216.0 / 24389 ? std::cbrt(v) : (24389.0 / 27 * v + 16) / 116;
  }
  return {116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])};
}

/// CIEDE2000, after Sharma, Wu and Dalal (2005).
double difference(const Triple& a, const Triple& b) {
  constexpr double pi = std::numbers::pi;
  const auto pow7 = [](double x) { return std::pow(x, 7); };
  const double c1 = std::hypot(a[1], a[2]), c2 = std::hypot(b[1], b[2]), mean = (c1 + c2) / 2;
  const double g = 0.5 * (1 - std::sqrt(pow7(mean) / (pow7(mean) + pow7(25))));
  const double a1 = (1 + g) * a[1], a2 = (1 + g) * b[1];
  const double chroma1 = std::hypot(a1, a[2]), chroma2 = std::hypot(a2, b[2]);
  const auto hue = [&](double x, double y) {
    if (x == 0 && y == 0) return 0.0;
    const double h = std::atan2(y, x);
    return h < 0 ? h + 2 * pi : h;
  };
  const double h1 = hue(a1, a[2]), h2 = hue(a2, b[2]);
  const bool grey = chroma1 * chroma2 == 0;
  double dh = grey ? 0 : h2 - h1;
  if (dh > pi) dh -= 2 * pi;
  if (dh < -pi) dh += 2 * pi;
  const double dl = b[0] - a[0], dc = chroma2 - chroma1;
  const double dH = 2 * std::sqrt(chroma1 * chroma2) * std::sin(dh / 2);
  const double l = (a[0] + b[0]) / 2, c = (chroma1 + chroma2) / 2;
  double h = h1 + h2;
  if (!grey) {
    if (std::abs(h1 - h2) > pi) h += h < 2 * pi ? 2 * pi : -2 * pi;
    h /= 2;
  }
  const double t = 1 - 0.17 * std::cos(h - pi / 6) + 0.24 * std::cos(2 * h) +
                   0.32 * std::cos(3 * h + pi / 30) - 0.20 * std::cos(4 * h - 63 * pi / 180);
  const double turn = (h * 180 / pi - 275) / 25;
  const double rotation = 30 * pi / 180 * std::exp(-turn * turn);
  const double rc = 2 * std::sqrt(pow7(c) / (pow7(c) + pow7(25)));
  const double sl = 1 + 0.015 * (l - 50) * (l - 50) / std::sqrt(20 + (l - 50) * (l - 50));
  const double sc = 1 + 0.045 * c, sh = 1 + 0.015 * c * t;
  const double x = dl / sl, y = dc / sc, z = dH / sh;
  return std::sqrt(x * x + y * y + z * z - std::sin(2 * rotation) * rc * y * z);
}

struct Sight {
  const char* name;
  Matrix matrix;  ///< on linear RGB: Machado, Oliveira and Fernandes (2009), severity 1
};
constexpr Sight normal{"normal", {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
constexpr Sight deuteranopia{
    "deuteranopia",
    {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}}};
constexpr Sight protanopia{
    "protanopia",
    {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}}};
constexpr Sight tritanopia{
    "tritanopia",
    {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}};

Triple seen(Colour c, const Sight& by) {
  Triple rgb = times(by.matrix, linear(c));
  for (double& v : rgb) v = std::clamp(v, 0.0, 1.0);
  return lab(rgb);
}

struct Closest {
  double apart = 1e9;
  std::string pair;
};
Closest closest(const Theme& t, const Sight& by) {
  const std::vector<std::pair<const char*, Colour>> roles{
      {"read", t.read},     {"write", t.write}, {"changed", t.changed},
      {"thread", t.thread}, {"idle", t.idle},   {"conflict", t.conflict},
      {"atomic", t.atomic}, {"race", t.race},   {"barrier", t.barrier},
  };
  Closest out;
  for (size_t i = 0; i < roles.size(); ++i)
    for (size_t k = 0; k < i; ++k) {
      const double d = difference(seen(roles[i].second, by), seen(roles[k].second, by));
      if (d < out.apart)
        out = {d, std::string(roles[k].first) + " and " + roles[i].first + " for " + by.name};
    }
  return out;
}

TEST(Palette, TheDifferenceIsTheOneOfThePaper) {
  // pairs of the authors' test data
  EXPECT_NEAR(difference({50, 2.6772, -79.7751}, {50, 0, -82.7485}), 2.0425, 5e-5);
  EXPECT_NEAR(difference({50, -1, 2}, {50, 0, 0}), 2.3669, 5e-5);
  EXPECT_NEAR(difference({50, 2.4900, -0.0010}, {50, -2.4900, 0.0011}), 7.2195, 5e-5);
  EXPECT_NEAR(difference({50, 2.5, 0}, {73, 25, -18}), 27.1492, 5e-5);
  EXPECT_NEAR(difference({22.7233, 20.0904, -46.6940}, {23.0331, 14.9730, -42.5619}), 2.0373, 5e-5);
  EXPECT_NEAR(difference({2.0776, 0.0795, -1.1350}, {0.9033, -0.0636, -0.5514}), 0.9082, 5e-5);
}

TEST(Palette, RolesAreToldApartByTheirColour) {
  // what the design promises; 14.54 is what its 14.7 comes to with colours clipped to the screen's
  const std::pair<ThemeName, double> promised[] = {
      {ThemeName::dark, 15.45}, {ThemeName::light, 14.5}, {ThemeName::projector, 14.5}};
  for (const auto& [name, least] : promised)
    for (const Sight& by : {normal, deuteranopia, protanopia}) {
      const Closest c = closest(theme(name, 900), by);
      EXPECT_GE(c.apart, least - 0.01) << name_of(name) << ": " << c.pair;
    }
}

TEST(Palette, WhereTritanopiaBringsRolesTogetherItIsKnownWhich) {
  // there shape carries the meaning: an arrow is no pill
  const Closest dark = closest(theme(ThemeName::dark, 900), tritanopia);
  EXPECT_GE(dark.apart, 6.8);
  EXPECT_EQ(dark.pair, "read and thread for tritanopia");
  EXPECT_GE(closest(theme(ThemeName::light, 900), tritanopia).apart, 11.3);
  EXPECT_GE(closest(theme(ThemeName::projector, 900), tritanopia).apart, 11.3);
}

TEST(Palette, LinesOfATextAndFillsDifferFromWhatLiesBehindThem) {
  for (const ThemeName name : {ThemeName::dark, ThemeName::light, ThemeName::projector}) {
    const Theme t = theme(name, 900);
    // WCAG asks 3:1 of what is no text; light `changed` is a fill with a border of ink
    for (const Colour role : {t.read, t.write, t.thread, t.idle, t.conflict, t.atomic, t.race, t.barrier})
      EXPECT_GE(contrast(role, t.panel), 3) << name_of(name) << " " << std::hex << role;
  }
}

}  // namespace
}  // namespace bscope

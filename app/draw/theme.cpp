#include "app/draw/theme.hpp"

#include <cmath>

namespace bscope {
namespace {

constexpr Colour opaque(uint32_t rgb) { return rgb << 8 | 0xff; }
constexpr Colour dark_ink = opaque(0x0A0E14), white = opaque(0xFFFFFF);

constexpr Theme dark_theme{
    .name = ThemeName::dark,
    .read = opaque(0x9AD2FE),
    .write = opaque(0xED9921),
    .changed = opaque(0xFFF95D),
    .thread = opaque(0x84E8AB),
    .idle = opaque(0x7E7F81),
    .conflict = opaque(0xFE7CB9),
    .atomic = opaque(0xA567F1),
    .race = opaque(0xE04851),
    .barrier = opaque(0xF8F9FA),
    .window = opaque(0x0B0E13),
    .panel = opaque(0x12161D),
    .cell = opaque(0x1C222C),
    .selected = opaque(0x28313E),
    .line = opaque(0x2B3441),
    .ink = opaque(0xEEF2F7),
    .ink2 = opaque(0xB6C0CD),
    .ink3 = opaque(0x929DAC),
    .phase_load = opaque(0x33404F),
    .phase_up = opaque(0x1F5A63),
    .phase_clear = opaque(0x5E4A2A),
    .phase_down = opaque(0x4B4388),
    .size_changed = 26,
    .size_why = 17,
    .size_value = 17,
    .size_title = 15,
    .size_label = 13,
    .size_code = 12,
    .size_index = 11,
};

constexpr Theme light_theme{
    .name = ThemeName::light,
    .read = opaque(0x2C6BFB),
    .write = opaque(0xB95A00),
    .changed = opaque(0xFFE32E),
    .thread = opaque(0x005050),
    .idle = opaque(0x757676),
    .conflict = opaque(0xA43F91),
    .atomic = opaque(0x480075),
    .race = opaque(0xA10625),
    .barrier = opaque(0x070B12),
    .window = opaque(0xE6E9ED),
    .panel = opaque(0xFFFFFF),
    .cell = opaque(0xF1F4F7),
    .selected = opaque(0xDDE3EA),
    .line = opaque(0xB4BDC8),
    .ink = opaque(0x0A0E14),
    .ink2 = opaque(0x323C49),
    .ink3 = opaque(0x4B5664),
    .phase_load = opaque(0xD3DAE2),
    .phase_up = opaque(0xBFE3E4),
    .phase_clear = opaque(0xF0DDB4),
    .phase_down = opaque(0xD9D2F5),
    .size_changed = 26,
    .size_why = 17,
    .size_value = 17,
    .size_title = 15,
    .size_label = 13,
    .size_code = 12,
    .size_index = 11,
};

/// The light colours in the sizes of the last row.
constexpr Theme projector_theme = [] {
  Theme t = light_theme;
  t.name = ThemeName::projector;
  t.size_changed = t.size_why = 36;
  t.size_value = t.size_title = 26;
  t.size_label = t.size_code = t.size_index = 22;
  return t;
}();

float channel(Colour c, int shift) { return float(c >> shift & 0xff) / 255; }

/// WCAG 2 relative luminance.
float luminance(Colour c) {
  const auto linear = [](float v) {
    return v <= 0.04045f ? v / 12.92f : std::pow((v + 0.055f) / 1.055f, 2.4f);
  };
  return 0.2126f * linear(channel(c, 24)) + 0.7152f * linear(channel(c, 16)) +
         0.0722f * linear(channel(c, 8));
}

}  // namespace

Theme theme(ThemeName name, float height) {
  Theme t = name == ThemeName::dark ? dark_theme : name == ThemeName::light ? light_theme : projector_theme;
  t.scale = height / 900;
  return t;
}

Colour Theme::phase(const std::string& words) const {
  const auto says = [&](const char* part) { return words.find(part) != std::string::npos; };
  if (words.empty() || says("load") || says("store")) return phase_load;
  if (says("up") || says("reduc")) return phase_up;
  if (says("clear")) return phase_clear;
  if (says("down") || says("distribut")) return phase_down;
  const Colour others[] = {phase_up, phase_down, phase_clear};
  uint32_t hash = 2166136261u;  // FNV-1a
  for (const char c : words) hash = (hash ^ uint8_t(c)) * 16777619u;
  return others[hash % 3];
}

Colour Theme::on(Colour fill) const {
  return contrast(dark_ink, fill) >= contrast(white, fill) ? dark_ink : white;
}

float contrast(Colour a, Colour b) {
  const float la = luminance(a), lb = luminance(b);
  return (std::fmax(la, lb) + 0.05f) / (std::fmin(la, lb) + 0.05f);
}

Colour mix(Colour a, Colour b, float share) {
  Colour c = 0xff;
  for (int shift : {8, 16, 24}) {
    const float v = channel(a, shift) * share + channel(b, shift) * (1 - share);
    c |= Colour(v * 255 + 0.5f) << shift;
  }
  return c;
}

Colour faint(Colour text, Colour background, float share) {
  for (; share < 1; share += 0.02f)
    if (const Colour c = mix(text, background, share); contrast(c, background) >= 4.5f) return c;
  return text;
}

const char* name_of(ThemeName t) {
  return t == ThemeName::dark ? "dark" : t == ThemeName::light ? "light" : "projector";
}

}  // namespace bscope

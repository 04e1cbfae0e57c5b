// Fetches from textures, and reads and writes of surfaces (engine/cuda/include/barrierscope/textures.h). A
// fetch loads its texels as the kernel would through a pointer, and filters them.
#include <algorithm>
#include <bit>
#include <cmath>

#include "engine/cuda/machine/interpreter.hpp"

namespace bscope::cuda {
namespace {

/// What the functions of CUDA are called, by __bscope_fetch_function.
constexpr const char* fetch_names[] = {"tex1Dfetch",   "tex1D",        "tex2D",      "tex3D",
                                       "tex1DLayered", "tex2DLayered", "texCubemap", "texCubemapLayered",
                                       "tex2Dgather"};
constexpr const char* surface_reads[] = {"",
                                         "surf1Dread",
                                         "surf2Dread",
                                         "surf3Dread",
                                         "surf1DLayeredread",
                                         "surf2DLayeredread",
                                         "surfCubemapread",
                                         "surfCubemapLayeredread"};
constexpr const char* surface_writes[] = {"",
                                          "surf1Dwrite",
                                          "surf2Dwrite",
                                          "surf3Dwrite",
                                          "surf1DLayeredwrite",
                                          "surf2DLayeredwrite",
                                          "surfCubemapwrite",
                                          "surfCubemapLayeredwrite"};
constexpr uint8_t gather = 8;
constexpr uint64_t by_reference = 1 << 24;
constexpr uint64_t faces = 6;
constexpr double full_weight = 256;  // the whole of an axis's weight

/// A texture or a surface as a kernel names it, and the function that does.
struct Named {
  uint64_t number = 0;
  bool is_reference = false;
  const char* function = "";
};

/// A reference that was passed by value lies in local memory: its number is there.
Named named(Interpreter& w, const Value& given, uint64_t form, const char* function, uint32_t line) {
  Named n{given.bits, (form & by_reference) != 0, function};
  if (n.is_reference && n.number >> ir::kind_shift == ir::local_base >> ir::kind_shift)
    n.number = w.peek(n.number, sizeof n.number, line);
  return n;
}

const Texture& texture_of(Interpreter& w, const Named& n, bool surface, uint32_t line) {
  Memories& memories = w.launch().memories;
  const Texture* const t = memories.textures.find(n.number);
  if (t && t->state == Texture::bound && t->is_surface == surface) return *t;
  if (n.is_reference) {
    const Memory* const variable = memories.at(n.number);
    const std::string name = variable ? variable->name : std::string("?");
    w.fail(LaunchOutcome::address, line,
           message("{} calls {} in line {} with {}, which is bound to nothing.", w.who(), n.function, line,
                   name),
           surface ? message("Call cudaBindSurfaceToArray before the launch.")
                   : message("Call cudaBindTexture, cudaBindTexture2D or cudaBindTextureToArray before the "
                             "launch."));
  }
  if (t && t->state == Texture::destroyed)
    w.fail(LaunchOutcome::address, line,
           message("{} calls {} in line {} with an object that is destroyed.", w.who(), n.function, line),
           message("Destroy it after the launch has ended."));
  w.fail(LaunchOutcome::address, line,
         surface ? message("{} calls {} in line {} with a number that is no surface object.", w.who(),
                           n.function, line)
                 : message("{} calls {} in line {} with a number that is no texture object.", w.who(),
                           n.function, line),
         surface ? message("Pass what cudaCreateSurfaceObject gave.")
                 : message("Pass what cudaCreateTextureObject gave."));
}

// ---- fetches ---------------------------------------------------------------------------------------------

/// One texel that a fetch takes. Without an address: the border.
struct Tap {
  uint64_t address = 0;
  double weight = 1;
};
struct Taps {
  std::array<Tap, 16> all{};
  size_t count = 0;
  void add(Tap t) { all[count++] = t; }
};

/// What a kernel asks for.
struct Fetch {
  uint8_t function;
  ChannelKind kind;
  uint8_t bytes, channels, component;
  std::array<float, 3> at;
  int layer;
  float level;
};

Fetch fetch_of(const BuiltinCall& c) {
  const uint64_t form = c[2].bits;
  return {.function = uint8_t(form & 255),
          .kind = ChannelKind(form >> 8 & 15),
          .bytes = uint8_t(form >> 12 & 15),
          .channels = uint8_t(form >> 16 & 15),
          .component = uint8_t(form >> 20 & 3),
          .at = {as<float>(c[3].bits), as<float>(c[4].bits), as<float>(c[5].bits)},
          .layer = as<int32_t>(c[6].bits),
          .level = as<float>(c[7].bits)};
}

TextureAxis axis_of(const Texture& t, int which, uint32_t size, bool linear) {
  return {.size = std::max(1u, size),
          .address = t.is_cubemap() ? TextureAddress::clamp : t.address[size_t(which)],
          .normalized = t.normalized || t.is_cubemap(),
          .linear = linear};
}

Tap tap_at(const Texture& t, const TextureLevel& l, int64_t x, int64_t y, int64_t z, double weight) {
  if (x < 0 || y < 0 || z < 0) return {0, weight};
  return {l.address + uint64_t(z) * l.slice() + uint64_t(y) * l.pitch + uint64_t(x) * t.format.texel_bytes(),
          weight};
}

/// The slice of a layered texture or a cubemap.
int64_t slice_of(const Texture& t, const TextureLevel& l, int layer, int face) {
  const auto layers = int64_t(t.is_cubemap() ? l.depth / faces : l.depth);
  // a number below 0 counts as a large one
  const int64_t of =
      t.is_layered() ? std::min<int64_t>(uint32_t(layer), std::max<int64_t>(layers - 1, 0)) : 0;
  return t.is_cubemap() ? of * int64_t(faces) + face : of;
}

void add_taps(const Texture& t, const TextureLevel& l, const Fetch& f, double weight, Taps& all) {
  std::array<float, 3> at = f.at;
  int face = 0;
  if (t.is_cubemap()) {
    const CubemapPlace place = cubemap_place(at[0], at[1], at[2]);
    at = {place.x, place.y, 0};
    face = place.face;
  }
  const bool flat = t.shape == Texture::one || t.shape == Texture::one_layered;
  const AxisTaps lone{{{{0, uint32_t(full_weight)}, {}}}, 1};
  const AxisTaps x = taps_of(axis_of(t, 0, l.width, t.linear_filter), at[0]);
  const AxisTaps y = flat ? lone : taps_of(axis_of(t, 1, l.height, t.linear_filter), at[1]);
  AxisTaps z = lone;
  if (t.shape == Texture::three)
    z = taps_of(axis_of(t, 2, l.depth, t.linear_filter), at[2]);
  else
    z.taps[0].index = slice_of(t, l, f.layer, face);
  for (int c = 0; c < z.count; ++c)
    for (int b = 0; b < y.count; ++b)
      for (int a = 0; a < x.count; ++a) {
        const AxisTap &i = x.taps[size_t(a)], &j = y.taps[size_t(b)], &k = z.taps[size_t(c)];
        all.add(
            tap_at(t, l, i.index, j.index, k.index,
                   weight * (i.weight / full_weight) * (j.weight / full_weight) * (k.weight / full_weight)));
      }
}

Taps taps_of_fetch(const Texture& t, const Fetch& f) {
  Taps all;
  if (t.shape == Texture::linear) {
    const TextureLevel& l = t.levels[0];
    const bool inside = f.layer >= 0 && uint32_t(f.layer) < l.width;
    all.add(tap_at(t, l, inside ? f.layer : -1, 0, 0, 1));
    return all;
  }
  float level = 0;
  if (t.levels.size() > 1)
    level = std::clamp(f.level + t.level_bias, t.least_level, std::max(t.least_level, t.most_level));
  const LevelTaps levels = level_taps(level, t.linear_levels, uint32_t(t.levels.size()));
  add_taps(t, t.levels[levels.lower], f, (full_weight - levels.weight) / full_weight, all);
  if (levels.weight) add_taps(t, t.levels[levels.upper], f, levels.weight / full_weight, all);
  return all;
}

/// The texels that tex2Dgather gives: below left, below right, right, and the one itself, where y grows
/// downwards.
Taps gathered(const Texture& t, const Fetch& f) {
  const TextureLevel& l = t.levels[0];
  const TextureAxis x = axis_of(t, 0, l.width, true), y = axis_of(t, 1, l.height, true);
  const int64_t i = place_on(x, f.at[0]).index, j = place_on(y, f.at[1]).index;
  Taps all;
  for (const auto& [right, down] : {std::pair(0, 1), std::pair(1, 1), std::pair(1, 0), std::pair(0, 0)})
    all.add(tap_at(t, l, led_back(x, i + right), led_back(y, j + down), 0, 1));
  return all;
}

ElementType kind_of(TexelFormat f) {
  if (f.kind == ChannelKind::floating) return f.bytes == 4 ? ElementType::f32 : ElementType::f16;
  return integer_kind(f.bytes * 8, f.kind == ChannelKind::without_sign);
}

const char* name_of(ChannelKind kind, int bytes) {
  if (kind == ChannelKind::floating) return bytes == 2 ? "half" : "float";
  constexpr const char* names[2][3] = {{"char", "short", "int"},
                                       {"unsigned char", "unsigned short", "unsigned int"}};
  return names[kind == ChannelKind::without_sign][bytes == 1 ? 0 : bytes == 2 ? 1 : 2];
}

/// Ends a thread that fetches another type than the texels have, or by a function for other shapes.
void check(Interpreter& w, const Texture& t, const Fetch& f, const Named& n, uint32_t line) {
  const bool fits = f.function == gather ? t.shape == Texture::two : f.function == uint8_t(t.shape);
  if (!fits)
    w.fail(LaunchOutcome::address, line,
           message("{} calls {} in line {} with a texture that {} reads.", w.who(), n.function, line,
                   fetch_names[t.shape]),
           message("Use {}.", fetch_names[t.shape]));
  const bool wants_floats = f.kind == ChannelKind::floating;
  if (wants_floats != t.gives_floats())
    w.fail(line,
           message("{} asks {} for {} in line {}, but the texture gives {}.", w.who(), n.function,
                   name_of(f.kind, f.bytes), line,
                   t.gives_floats() ? "float" : name_of(t.format.kind, t.format.bytes)),
           wants_floats ? message("Ask for the type of its texels, or create it with "
                                  "cudaReadModeNormalizedFloat, which gives floats from 0 to 1.")
                        : message("Ask for float."));
  const int given = f.function == gather ? 4 : t.format.channels;
  if (f.channels > given || (f.function == gather && f.component >= t.format.channels))
    w.fail(line,
           message("{} asks {} for {} channels in line {}, but the texture has {}.", w.who(), n.function,
                   f.function == gather ? f.component + 1 : int(f.channels), line, int(t.format.channels)),
           message("Ask for the type of its texels."));
}

/// A channel of a fetch while its texels are added up.
struct Channel {
  FilterSum sum;
  bool srgb;
  Value value = {};
  bool begun = false;
};

Value constant(float v) { return {bits_from(v), 0, no_kind}; }

/// Adds a texel's channel. The trace reports a product and a sum where several texels are filtered.
void add(Interpreter& w, Channel& to, const Texture& t, const Value& texel, double weight, uint32_t line) {
  const uint64_t number = bits_from(channel_value(texel.bits, t.format, to.srgb));
  const bool is_float = t.format.kind == ChannelKind::floating && t.format.bytes == 4;
  Value v = is_float ? texel : w.converted(texel, number, ElementType::f32, line);
  to.sum.add(texel.bits, weight);
  const bool as_it_is = weight == 1 && (!t.linear_filter || t.format.kind == ChannelKind::floating);
  const uint64_t sum = as_it_is ? number : bits_from(to.sum.value());
  if (weight != 1) {
    const auto part = float(as<float>(number) * weight);
    v = w.made(Op::mul, v, constant(float(weight)), bits_from(part), ElementType::f32, ElementType::f32,
               line);
  }
  if (to.begun) v = w.made(Op::add, to.value, v, sum, ElementType::f32, ElementType::f32, line);
  to.value = v;
  to.value.bits = sum;
  to.begun = true;
}

/// The same of a texel of the border.
void add_border(Interpreter& w, Channel& to, float border, double weight, uint32_t line) {
  to.sum.add_border(border, weight);
  const uint64_t sum = bits_from(to.sum.value());
  const Value part = constant(float(border * weight));
  to.value = w.made(Op::add, to.value, part, sum, ElementType::f32, ElementType::f32, line);
  to.begun = true;
}

/// The channels that filtering makes of the texels.
std::array<Value, 4> filtered(Interpreter& w, const Texture& t, const Taps& taps, const Value& way,
                              uint32_t line) {
  const Channel colour{FilterSum(t.format, t.srgb), t.srgb}, alpha{FilterSum(t.format, false), false};
  std::array<Channel, 4> channels = {colour, colour, colour, alpha};
  const Access access{t.format.bytes, kind_of(t.format), line};
  for (size_t k = 0; k < taps.count; ++k) {
    const Tap& tap = taps.all[k];
    if (!tap.address) {
      for (size_t c = 0; c < t.format.channels; ++c)
        add_border(w, channels[c], t.border[c], tap.weight, line);
      continue;
    }
    w.check_stale(tap.address, t.format.texel_bytes(), line);
    Value address = way;
    address.bits = tap.address;
    const auto texel = w.load_texel(address, t.format.channels, access);
    for (size_t c = 0; c < t.format.channels; ++c) add(w, channels[c], t, texel[c], tap.weight, line);
  }
  std::array<Value, 4> out;
  for (size_t c = 0; c < t.format.channels; ++c) out[c] = channels[c].value;
  return out;
}

/// The channels of one texel as they are stored, or as floats where the texture gives floats.
std::array<Value, 4> loaded_texel(Interpreter& w, const Texture& t, const Tap& tap, const Value& way,
                                  uint32_t line) {
  if (t.gives_floats()) {
    Taps lone;
    lone.add(tap);
    return filtered(w, t, lone, way, line);
  }
  std::array<Value, 4> out;
  if (!tap.address) {
    for (size_t c = 0; c < t.format.channels; ++c) out[c].bits = uint64_t(int64_t(t.border[c]));
    return out;
  }
  w.check_stale(tap.address, t.format.texel_bytes(), line);
  Value address = way;
  address.bits = tap.address;
  return w.load_texel(address, t.format.channels, {t.format.bytes, kind_of(t.format), line});
}

/// A channel of an integer texture as the type that was asked for.
Value as_asked(Interpreter& w, const Texture& t, const Fetch& f, const Value& v, uint32_t line) {
  if (t.gives_floats() || f.bytes == t.format.bytes) return v;
  const int shift = 64 - t.format.bytes * 8;
  const uint64_t wide =
      t.format.kind == ChannelKind::with_sign ? uint64_t(int64_t(v.bits << shift) >> shift) : v.bits;
  return w.converted(v, wide, integer_kind(f.bytes * 8, f.kind == ChannelKind::without_sign), line);
}

/// Where the coordinates come from: the first that is data, and the first that is not set.
Value way_of(const BuiltinCall& c, size_t from, size_t to) {
  Value way;
  for (size_t k = from; k < to; ++k) {
    if (!way.source) way.source = c[k].source;
    if (!way.origin) way.origin = c[k].origin;
  }
  return way;
}

Value texture(Interpreter& w, const BuiltinCall& c) {
  const Fetch f = fetch_of(c);
  const Named n = named(w, c[1], c[2].bits, fetch_names[f.function], c.line);
  const Texture& t = texture_of(w, n, false, c.line);
  check(w, t, f, n, c.line);
  const Value way = way_of(c, 3, 8);
  std::array<Value, 4> out;
  if (f.function == gather) {
    const Taps taps = gathered(t, f);
    for (size_t k = 0; k < taps.count; ++k)
      out[k] = loaded_texel(w, t, taps.all[k], way, c.line)[f.component];
  } else {
    const Taps taps = taps_of_fetch(t, f);
    out = taps.count == 1 ? loaded_texel(w, t, taps.all[0], way, c.line) : filtered(w, t, taps, way, c.line);
  }
  const ElementType kind =
      t.gives_floats() ? ElementType::f32 : integer_kind(f.bytes * 8, f.kind == ChannelKind::without_sign);
  for (uint64_t k = 0; k < f.channels; ++k)
    w.store({c[0].bits + k * f.bytes, 0, no_kind}, as_asked(w, t, f, out[k], c.line),
            {f.bytes, kind, c.line, Op::store});
  return {};
}

/// As graphics define it: the binary logarithm of the longer of the two ways, in texels.
Value texture_level(Interpreter& w, const BuiltinCall& c) {
  // The number alone distinguishes a reference from an object.
  Named n{c[0].bits, c[0].bits >> ir::kind_shift != 0, "tex2DGrad"};
  if (n.number >> ir::kind_shift == ir::local_base >> ir::kind_shift)
    n.number = w.peek(n.number, sizeof n.number, c.line);
  const Texture& t = texture_of(w, n, false, c.line);
  const TextureLevel& l = t.levels[0];
  const bool scaled = t.normalized;
  const auto length = [&](size_t from) {
    const double x = double(as<float>(c[from].bits)) * (scaled ? l.width : 1);
    const double y = double(as<float>(c[from + 1].bits)) * (scaled ? l.height : 1);
    const double z = double(as<float>(c[from + 2].bits)) * (scaled ? l.depth : 1);
    return std::sqrt(x * x + y * y + z * z);
  };
  const double longest = std::max(length(1), length(4));
  return {bits_from(longest > 0 ? float(std::log2(longest)) : 0.f), 0, no_kind};
}

// ---- surfaces --------------------------------------------------------------------------------------------

enum Boundary : uint8_t { zero, clamp, trap };  // as cudaSurfaceBoundaryMode

/// What lies outside of a surface is an error, nothing, or the nearest element.
[[noreturn]] void outside(Interpreter& w, const Named& n, const TextureLevel& l, const BuiltinCall& c) {
  const Memory* const m = w.launch().memories.at(l.address);
  if (w.launch().fault_kind == LaunchOutcome::none) w.launch().fault_kind = LaunchOutcome::address;
  w.fail(
      c.line,
      message("{} calls {} in line {} at byte {} of row {}, slice {}, outside of {}: it has {} bytes a row, "
              "rows: {}, slices: {}.",
              w.who(), n.function, c.line, as<int32_t>(c[3].bits), as<int32_t>(c[4].bits),
              as<int32_t>(c[5].bits), m ? m->name : std::string("?"), l.pitch, l.height, l.depth),
      message("Test the coordinates, or pass cudaBoundaryModeZero or cudaBoundaryModeClamp."),
      CpuThread::StopScope::thread, FindingKind::out_of_bounds);
}

/// The element's address; 0: it lies outside, and nothing happens.
uint64_t surface_address(Interpreter& w, const Texture& t, const Named& n, uint64_t bytes,
                         const BuiltinCall& c) {
  const TextureLevel& l = t.levels[0];
  int64_t x = as<int32_t>(c[3].bits), y = as<int32_t>(c[4].bits), z = as<int32_t>(c[5].bits);
  if (x % int64_t(bytes))
    w.fail(LaunchOutcome::misaligned, c.line,
           message("{} calls {} in line {} at byte {}, which is no multiple of the {} bytes of an element.",
                   w.who(), n.function, c.line, x, bytes),
           message("The x of a surface counts bytes: multiply it by the size of an element."));
  const std::array<int64_t, 3> most = {int64_t(l.pitch - bytes), int64_t(l.height) - 1, int64_t(l.depth) - 1};
  const bool inside = x >= 0 && x <= most[0] && y >= 0 && y <= most[1] && z >= 0 && z <= most[2];
  if (!inside && c[6].bits == trap) outside(w, n, l, c);
  if (!inside && c[6].bits == zero) return 0;
  x = std::clamp<int64_t>(x, 0, most[0]);
  y = std::clamp<int64_t>(y, 0, most[1]);
  z = std::clamp<int64_t>(z, 0, most[2]);
  return l.address + uint64_t(z) * l.slice() + uint64_t(y) * l.pitch + uint64_t(x);
}

/// A read (to local memory) or a write (from there).
Value surface(Interpreter& w, const BuiltinCall& c) {
  const uint64_t form = c[2].bits, bytes = form & 255;
  const auto function = uint8_t(form >> 8 & 15);
  const bool writes = c.what != 0;
  const Named n = named(w, c[1], form, writes ? surface_writes[function] : surface_reads[function], c.line);
  const Texture& t = texture_of(w, n, true, c.line);
  if (function != uint8_t(t.shape)) {
    const char* const right = writes ? surface_writes[t.shape] : surface_reads[t.shape];
    w.fail(LaunchOutcome::address, c.line,
           message("{} calls {} in line {} with a surface for {}.", w.who(), n.function, c.line, right),
           message("Use {}.", right));
  }
  Value place = way_of(c, 3, 6);
  place.bits = surface_address(w, t, n, bytes, c);
  const auto align = uint32_t(std::min<uint64_t>(bytes, largest_request));
  if (writes) {
    if (place.bits) w.copy(place, c[0], bytes, align, ElementType::other, c.line);
  } else if (place.bits) {
    w.check_stale(place.bits, bytes, c.line);
    w.copy(c[0], place, bytes, align, ElementType::other, c.line);
  } else {
    w.fill(c[0], 0, bytes, c.line);
  }
  return {};
}

/// A reference is named by its variable's address.
Value handle(Interpreter&, const BuiltinCall& c) { return {c[0].bits, 0, no_kind}; }

}  // namespace

void add_textures(Builtins& all) {
  all.add("__bscope_texture", {texture, ElementType::f32, 0, 8});
  all.add("__bscope_texture_level", {texture_level, ElementType::f32, 0, 7});
  all.add("__bscope_surface_read", {surface, ElementType::u8, 0, 7});
  all.add("__bscope_surface_write", {surface, ElementType::u8, 1, 7});
  all.add("llvm.nvvm.texsurf.handle.internal", {handle, ElementType::u64, 0, 1});
}

}  // namespace bscope::cuda

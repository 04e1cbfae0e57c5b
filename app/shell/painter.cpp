#include "app/shell/painter.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "app/draw/instances.hpp"
#include "app/draw/snapping.hpp"
#include "app/draw/sorted.hpp"

namespace bscope {
namespace {

void line(const Shape& s, ImVec2 o, ImDrawList* list) {
  const ImU32 colour = screen(s.stroke);
  const float thickness = std::max(1.0f, s.thickness);
  for (size_t i = 1; i < s.points.size(); ++i) {
    Point from{o.x + s.points[i - 1].x, o.y + s.points[i - 1].y},
        to{o.x + s.points[i].x, o.y + s.points[i].y};
    snap_line(from, to, thickness);
    const ImVec2 a{from.x, from.y}, b{to.x, to.y};
    if (s.dash <= 0) {
      list->AddLine(a, b, colour, thickness);
      continue;
    }
    const ImVec2 d = b - a;
    const float length = std::hypot(d.x, d.y);
    for (float begin = 0; begin < length; begin += 2 * s.dash) {
      const float end = std::min(begin + s.dash, length);
      list->AddLine(a + d * (begin / length), a + d * (end / length), colour, thickness);
    }
  }
}

/// Draws a white disc that touches the inside of a square's border of one pixel.
void bake_disc(ImTextureData& texture, const ImFontAtlasRect& at, float radius) {
  const float centre = float(at.w) / 2;
  for (int y = 0; y < at.h; ++y)
    for (int x = 0; x < at.w; ++x) {
      const float away = std::hypot(float(x) + 0.5f - centre, float(y) + 0.5f - centre);
      const auto alpha = ImU32(std::clamp(radius + 0.5f - away, 0.0f, 1.0f) * 255 + 0.5f);
      void* pixel = texture.GetPixelsAt(at.x + x, at.y + y);
      if (texture.Format == ImTextureFormat_Alpha8)
        *static_cast<unsigned char*>(pixel) = static_cast<unsigned char>(alpha);
      else
        *static_cast<ImU32*>(pixel) = IM_COL32(255, 255, 255, 0) | alpha << IM_COL32_A_SHIFT;
    }
}

/// Strokes at 45 degrees, cut at the box by arithmetic: a clip rectangle each would split the draw list.
void hatch(const Shape& s, ImVec2 o, ImDrawList* list) {
  const float spacing = std::max(2.0f, s.dash);
  const ImVec2 a{o.x + s.box.x, o.y + s.box.y};
  const float w = s.box.w, h = s.box.h;
  // the stroke x + y = t, for t across the box
  for (float t = spacing / 2; t < w + h; t += spacing) {
    const float x0 = std::max(0.0f, t - h), x1 = std::min(w, t);
    list->AddLine({a.x + x0, a.y + t - x0}, {a.x + x1, a.y + t - x1}, screen(s.stroke), s.thickness);
  }
}

}  // namespace

/// A strip's colours on the GPU.
struct Painter::Texture {
  ImTextureData data;
  std::vector<Colour> colours;
  bool used = true;
};

struct Painter::Sorting {
  Sorter sorter;
  Sorted once;
};

Painter::Painter(Fonts fonts) : fonts_(fonts), sorting_(std::make_unique<Sorting>()) {}

Painter::~Painter() {
  for (auto& t : textures_) ImGui::UnregisterUserTexture(&t->data);
}

void Painter::end_frame() {
  for (auto it = textures_.begin(); it != textures_.end();) {
    Texture& t = **it;
    if (t.data.Status == ImTextureStatus_Destroyed && !t.used) {
      ImGui::UnregisterUserTexture(&t.data);
      it = textures_.erase(it);
      continue;
    }
    if (!t.used && t.data.Status == ImTextureStatus_OK) {
      t.data.UnusedFrames = 1;
      t.data.WantDestroyNextFrame = true;
      t.data.SetStatus(ImTextureStatus_WantDestroy);
    }
    t.used = false;
    ++it;
  }
}

void Painter::fill(ImDrawList* list, ImVec2 a, ImVec2 b, Colour c, float radius) {
  if (!shaders) return list->AddRectFilled(a, b, screen(c), radius);
  std::vector<ShapeInstance> parts;
  filled_box({a.x, a.y, b.x - a.x, b.y - a.y}, c, radius, parts);
  for (int k = 0; k < primitives; ++k)
    for (const ShapeInstance& p : parts)
      if (int(p.kind) == k) instances(list, p.kind, {&p.instance, 1});
}

void Painter::block(ImDrawList* list, ImVec2 a, ImVec2 b, Colour c, float cut) {
  if (cut == 0) {
    list->AddRectFilled(a, b, screen(c));
    return;
  }
  const ImDrawFlags smooth = list->Flags;
  list->Flags &= ~ImDrawFlags_AAFill;
  for (const auto& [x, y] : {std::pair{a.x + cut, a.y},
                             {b.x - cut, a.y},
                             {b.x, a.y + cut},
                             {b.x, b.y - cut},
                             {b.x - cut, b.y},
                             {a.x + cut, b.y},
                             {a.x, b.y - cut},
                             {a.x, a.y + cut}})
    list->PathLineTo({x, y});
  list->PathFillConvex(screen(c));
  list->Flags = smooth;
}

void Painter::rectangle(const Shape& s, ImVec2 o, ImDrawList* list) {
  const Box box = snapped({o.x + s.box.x, o.y + s.box.y, s.box.w, s.box.h});
  const ImVec2 a{box.x, box.y}, b{box.right(), box.bottom()};
  const bool solid = (s.fill & 0xff) == 0xff, edged = (s.stroke & 0xff) == 0xff;
  if (s.radius < 3.5f && solid && (edged || (s.stroke & 0xff) == 0)) {
    // Hundreds of small blocks (lanes, wavefronts, boxes): an edge is the larger shape behind the smaller
    // one, and cut corners look round at that size. Smooth arcs would be most of a frame's vertices.
    const float edge = edged ? std::max(1.0f, std::round(s.thickness)) : 0;
    const bool cut = s.radius > 0 && b.x - a.x >= 12 && b.y - a.y >= 8;
    if (edged) block(list, a, b, s.stroke, cut ? std::max(1.0f, std::round(s.radius * 0.4f)) : 0);
    const float inner = cut ? std::max(edged ? 0.0f : 1.0f, std::round((s.radius - edge) * 0.4f)) : 0;
    const ImVec2 in{edge, edge};
    if (b.x - a.x > 2 * edge && b.y - a.y > 2 * edge) block(list, a + in, b - in, s.fill, inner);
    return;
  }
  if (s.radius < 3.5f && (s.fill & 0xff) == 0) {
    list->AddRect(a, b, screen(s.stroke), 0, std::max(1.0f, s.thickness));
    return;
  }
  // a stroke covers the fill's edge: smoothing both would double the triangles
  const ImDrawFlags flags = list->Flags;
  if (edged) list->Flags &= ~ImDrawFlags_AAFill;
  if (s.fill & 0xff) list->AddRectFilled(a, b, screen(s.fill), s.radius);
  list->Flags = flags;
  if (s.stroke & 0xff) list->AddRect(a, b, screen(s.stroke), s.radius, std::max(1.0f, s.thickness));
}

void Painter::disc(ImDrawList* list, ImVec2 centre, float radius, Colour c) {
  constexpr float most_baked = 16;
  if (radius > most_baked || radius < 0.25f) {
    list->AddCircleFilled(centre, radius, screen(c));
    return;
  }
  // hundreds of dots: two triangles each, where a polygon with smooth edges takes thirty
  const auto size = size_t(std::lround(radius * 2));
  const float baked = float(size) / 2;
  if (discs_.size() <= size) discs_.resize(size + 1, ImFontAtlasRectId_Invalid);
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  ImFontAtlasRect at;
  if (discs_[size] == ImFontAtlasRectId_Invalid || !atlas.GetCustomRect(discs_[size], &at)) {
    const int side = int(size) + 3;
    discs_[size] = atlas.AddCustomRect(side, side, &at);
    if (discs_[size] == ImFontAtlasRectId_Invalid) return list->AddCircleFilled(centre, radius, screen(c));
    bake_disc(*atlas.TexData, at, baked);
  }
  const float half = float(at.w) / 2 * (radius / baked);
  list->PrimReserve(6, 4);
  list->PrimRectUV({centre.x - half, centre.y - half}, {centre.x + half, centre.y + half}, at.uv0, at.uv1,
                   screen(c));
}

Painter::Texture& Painter::texture_of(const Shape& s) {
  const int rows = std::max(1, s.rows), columns = int(s.colours.size()) / rows;
  // A texture of the same size is written over: scrolling makes new colours in every frame.
  Texture* texture = nullptr;
  for (auto& t : textures_) {
    if (t->used || t->data.Status == ImTextureStatus_WantDestroy ||
        t->data.Status == ImTextureStatus_Destroyed || t->data.Width != columns || t->data.Height != rows)
      continue;
    texture = t.get();
    if (t->colours == s.colours) break;
  }
  const bool fresh = !texture;
  if (fresh) {
    textures_.push_back(std::make_unique<Texture>());
    texture = textures_.back().get();
    texture->data.Create(ImTextureFormat_RGBA32, columns, rows);
    texture->data.UseColors = true;
    texture->data.SetStatus(ImTextureStatus_WantCreate);
    ImGui::RegisterUserTexture(&texture->data);
  }
  if (fresh || texture->colours != s.colours) {
    texture->colours = s.colours;
    std::transform(s.colours.begin(), s.colours.end(), static_cast<ImU32*>(texture->data.GetPixels()),
                   screen);
    ImTextureDataQueueUpload(&texture->data, 0, 0, columns, rows);
  }
  texture->used = true;
  return *texture;
}

void Painter::strip(const Shape& s, ImVec2 o, ImDrawList* list) {
  const auto rectangle = [&](Box b, Colour c) {
    list->AddRectFilled({b.x, b.y}, {b.right(), b.bottom()}, screen(c));
  };
  if (runs_of(s, {o.x, o.y}, rectangle)) return;
  const ImVec2 a{o.x + s.box.x, o.y + s.box.y}, b{a.x + s.box.w, a.y + s.box.h};
  Texture& texture = texture_of(s);
  // Cells have edges: no blending between neighbours.
  const ImGuiPlatformIO& platform = ImGui::GetPlatformIO();
  if (platform.DrawCallback_SetSamplerNearest)
    list->AddCallback(platform.DrawCallback_SetSamplerNearest, nullptr);
  list->AddImage(texture.data.GetTexRef(), a, b);
  if (platform.DrawCallback_SetSamplerLinear)
    list->AddCallback(platform.DrawCallback_SetSamplerLinear, nullptr);
}

void Painter::glyphs(ImDrawList* list, ImVec2 top_left, const std::string& words, float size, Colour c,
                     Font f) {
  const float drawn = drawn_size(size);
  ImFont* font = fonts_[f];
  const float baseline = std::round(top_left.y + size * text_baseline);
  list->AddText(font, drawn, {std::round(top_left.x), baseline - font->GetFontBaked(drawn)->Ascent},
                screen(c), words.data(), words.data() + words.size());
}

void Painter::text(ImDrawList* list, ImVec2 p, const std::string& words, float size, Colour c, Font f,
                   Align align) {
  if (align != Align::left) {
    const float w =
        fonts_[f]->CalcTextSizeA(drawn_size(size), 1e30f, 0, words.data(), words.data() + words.size()).x;
    p.x -= align == Align::centre ? w / 2 : w;
  }
  glyphs(list, {p.x, p.y - size * text_height / 2}, words, size, c, f);
}

void Painter::by_lists(const Shape& s, ImVec2 origin, ImDrawList* list) {
  switch (s.type) {
    case Shape::rect: rectangle(s, origin, list); break;
    case Shape::line: line(s, origin, list); break;
    case Shape::curve:
      if (s.points.size() == 4) {
        const auto at = [&](int i) {
          return ImVec2{origin.x + s.points[size_t(i)].x, origin.y + s.points[size_t(i)].y};
        };
        list->AddBezierCubic(at(0), at(1), at(2), at(3), screen(s.stroke), std::max(1.0f, s.thickness));
      }
      break;
    case Shape::polygon: {
      ImVector<ImVec2> points;
      for (Point p : s.points) points.push_back({origin.x + p.x, origin.y + p.y});
      // ImGui smooths edges for one winding only
      float area = 0;
      for (int i = 0, n = points.Size; i < n; ++i) {
        const ImVec2 p = points[i], q = points[(i + 1) % n];
        area += p.x * q.y - q.x * p.y;
      }
      if (area < 0) std::reverse(points.begin(), points.end());
      list->AddConvexPolyFilled(points.Data, points.Size, screen(s.fill));
      break;
    }
    case Shape::disc: {
      const ImVec2 centre{origin.x + s.box.centre().x, origin.y + s.box.centre().y};
      const bool edged = s.stroke & 0xff;
      if (edged) disc(list, centre, s.box.w / 2, s.stroke);
      disc(list, centre, s.box.w / 2 - (edged ? s.thickness : 0), s.fill);
      break;
    }
    case Shape::hatch: hatch(s, origin, list); break;
    case Shape::text:
      if (!s.points.empty())
        glyphs(list, {origin.x + s.points[0].x, origin.y + s.points[0].y}, s.words, s.size, s.fill, s.font);
      break;
    case Shape::strip: strip(s, origin, list); break;
  }
}

/// What a draw list's callback is given: this, and the instances right behind it.
struct Painter::Batch {
  InstanceDrawer* drawer;
  ImTextureData* texture;
  uint64_t kind;

  static void run(const ImDrawList*, const ImDrawCmd* command) {
    Batch b;
    const char* data = static_cast<const char*>(command->UserCallbackData);
    std::memcpy(&b, data, sizeof b);
    const int count = (command->UserCallbackDataSize - int(sizeof b)) / int(sizeof(Instance));
    b.drawer->draw(Primitive(b.kind), data + sizeof b, count, *command,
                   b.texture ? b.texture->GetTexID() : ImTextureID_Invalid);
  }
};

void Painter::instances(ImDrawList* list, Primitive kind, std::span<const Instance> all,
                        ImTextureData* texture) {
  if (all.empty()) return;
  ImVector<ImDrawCmd>& commands = list->CmdBuffer;
  ImVector<unsigned char>& kept = list->_CallbacksDataBuf;
  // right behind others of their kind: one command
  ImDrawCmd* last =
      commands.Size > 1 && commands.back().ElemCount == 0 ? &commands[commands.Size - 2] : nullptr;
  const ImVec4 clip = list->_CmdHeader.ClipRect;
  Batch batch{shaders, texture, uint64_t(kind)};
  if (!last || last->UserCallback != Batch::run || texture || commands.back().UserCallback ||
      std::memcmp(&last->ClipRect, &clip, sizeof clip) != 0 ||
      last->UserCallbackDataOffset + last->UserCallbackDataSize != kept.Size ||
      std::memcmp(&kept[last->UserCallbackDataOffset], &batch, sizeof batch) != 0) {
    list->AddCallback(Batch::run, &batch, sizeof batch);
    last = &commands[commands.Size - 2];
  }
  const int before = kept.Size, more = int(all.size_bytes());
  kept.resize(before + more);
  std::memcpy(&kept[before], all.data(), size_t(more));
  last->UserCallbackDataSize += more;
}

void Painter::draw(const Picture& picture, ImVec2 origin, ImDrawList* list, float alpha, Sorted* kept) {
  alpha = std::clamp(alpha, 0.0f, 1.0f);
  const int first = list->VtxBuffer.Size;
  if (shaders) {
    Sorted& sorted = kept ? *kept : sorting_->once;
    if (!kept || sorted.alpha != alpha || sorted.origin.x != origin.x || sorted.origin.y != origin.y)
      sorting_->sorter.sort(picture, {origin.x, origin.y}, alpha, sorted);
    for (const Sorted::DrawBatch& run : sorted.runs) {
      if (run.kind == Sorted::lists) {
        for (uint32_t k = run.begin; k < run.end; ++k)
          by_lists(picture.shapes[sorted.shapes[k]], origin, list);
        continue;
      }
      ImTextureData* texture =
          run.kind == int(Primitive::strip) ? &texture_of(picture.shapes[run.strip]).data : nullptr;
      instances(list, Primitive(run.kind), {&sorted.instances[run.begin], run.end - run.begin}, texture);
    }
  } else {
    for (const Shape& s : picture.shapes) by_lists(s, origin, list);
  }
  if (alpha >= 1) return;
  for (int k = first; k < list->VtxBuffer.Size; ++k) {
    ImU32& c = list->VtxBuffer[k].col;
    const auto a = ImU32(float(c >> IM_COL32_A_SHIFT & 0xff) * alpha);
    c = (c & ~IM_COL32_A_MASK) | a << IM_COL32_A_SHIFT;
  }
}

}  // namespace bscope

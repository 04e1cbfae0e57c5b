#include "app/export/cairo.hpp"

#include <cairo-pdf.h>
#include <cairo.h>

#include <array>
#include <atomic>
#include <cmath>
#include <memory>
#include <mutex>
#include <numbers>
#include <string>

#include "app/draw/letters.hpp"
#include "app/export/svg.hpp"
#include "app/export/unkerned.hpp"
#include "app/words/words.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/whole_file.hpp"

namespace bscope {
namespace {

using Surface = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;
using Context = std::unique_ptr<cairo_t, decltype(&cairo_destroy)>;

Surface own(cairo_surface_t* s) { return {s, cairo_surface_destroy}; }

void choose_font(cairo_t* c, Font font, bool wide, double size) {
  const bool mono = font == Font::mono || font == Font::mono_bold;
  const bool bold = font == Font::text_bold || font == Font::mono_bold;
  const char* family = wide ? "WenQuanYi Micro Hei" : mono ? "JetBrains Mono" : "Inter";
  cairo_select_font_face(c, family, CAIRO_FONT_SLANT_NORMAL,
                         bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(c, size);
}

// Unhinted metrics: a text's width is then proportional to its size, on screen and on paper.
void unhint(cairo_t* c) {
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_set_font_options(c, options);
  cairo_font_options_destroy(options);
}

/// Calls take(words, wide) for each run of a text that one font draws, as valid UTF-8.
template <class Take>
void each_run(const std::string& text, Take&& take) {
  const std::string words = clean_utf8(text);
  for (size_t at = 0; at < words.size();) {
    Letter letter = letter_at(words, at);
    const bool wide = is_wide(letter.code);
    size_t end = letter.end;
    while (end < words.size() && is_wide((letter = letter_at(words, end)).code) == wide) end = letter.end;
    take(words.substr(at, end - at), wide);
    at = end;
  }
}

/// Advances of characters per pixel of size, measured when a character is first met. Neither of our families
/// is kerned by cairo, so that a text is as wide as its characters.
class Advances {
 public:
  Advances() {
    unhint(context_.get());
    for (auto& font : known_)
      for (auto& advance : font) advance.store(-1, std::memory_order_relaxed);
  }
  float width(Font font, float size, const std::string& words) {
    return unkerned_width(words, size, [&](char32_t code) { return advance(font, code); });
  }

 private:
  float advance(Font font, char32_t code) {
    if (code >= known_[0].size()) return is_wide(code) ? 1 : measured(font, code);
    std::atomic<float>& known = known_[size_t(font)][code];
    float em = known.load(std::memory_order_relaxed);
    if (em < 0) known.store(em = measured(font, code), std::memory_order_relaxed);
    return em;
  }
  float measured(Font font, char32_t code) {
    std::string letter;
    if (code < 0x80)
      letter = char(code);
    else if (code < 0x800)
      letter = {char(0xc0 | code >> 6), char(0x80 | (code & 0x3f))};
    else if (code < 0x10000)
      letter = {char(0xe0 | code >> 12), char(0x80 | (code >> 6 & 0x3f)), char(0x80 | (code & 0x3f))};
    else
      letter = {char(0xf0 | code >> 18), char(0x80 | (code >> 12 & 0x3f)), char(0x80 | (code >> 6 & 0x3f)),
                char(0x80 | (code & 0x3f))};
    std::lock_guard lock(guard_);
    choose_font(context_.get(), font, is_wide(code), 100);
    cairo_text_extents_t extents;
    cairo_text_extents(context_.get(), letter.c_str(), &extents);
    return float(extents.x_advance) / 100;
  }

  Surface surface_ = own(cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1));
  Context context_{cairo_create(surface_.get()), cairo_destroy};
  std::mutex guard_;
  std::array<std::array<std::atomic<float>, 0x10000>, 4> known_;
};

void colour(cairo_t* c, Colour rgba) {
  cairo_set_source_rgba(c, (rgba >> 24) / 255.0, (rgba >> 16 & 255) / 255.0, (rgba >> 8 & 255) / 255.0,
                        (rgba & 255) / 255.0);
}

void outline(cairo_t* c, const Box& b, float radius) {
  const double r = std::min({double(radius), b.w / 2.0, b.h / 2.0});
  constexpr double right_angle = std::numbers::pi / 2;
  if (r <= 0) return cairo_rectangle(c, b.x, b.y, b.w, b.h);
  cairo_new_sub_path(c);
  cairo_arc(c, b.right() - r, b.y + r, r, -right_angle, 0);
  cairo_arc(c, b.right() - r, b.bottom() - r, r, 0, right_angle);
  cairo_arc(c, b.x + r, b.bottom() - r, r, right_angle, 2 * right_angle);
  cairo_arc(c, b.x + r, b.y + r, r, 2 * right_angle, 3 * right_angle);
  cairo_close_path(c);
}

void stroke(cairo_t* c, const Shape& s) {
  if (!(s.stroke & 255)) return cairo_new_path(c);
  colour(c, s.stroke);
  cairo_set_line_width(c, s.thickness);
  if (s.dash > 0) {
    const double dash = s.dash;
    cairo_set_dash(c, &dash, 1, 0);
  }
  cairo_stroke(c);
  cairo_set_dash(c, nullptr, 0, 0);
}

void draw_hatch(cairo_t* c, const Shape& s) {
  cairo_save(c);
  cairo_rectangle(c, s.box.x, s.box.y, s.box.w, s.box.h);
  cairo_clip(c);
  const float step = std::max(1.0f, s.dash) * float(std::numbers::sqrt2);
  for (float x = s.box.x - s.box.h; x < s.box.right(); x += step) {
    cairo_move_to(c, x, s.box.bottom());
    cairo_line_to(c, x + s.box.h, s.box.y);
  }
  colour(c, s.stroke);
  cairo_set_line_width(c, s.thickness);
  cairo_stroke(c);
  cairo_restore(c);
}

void draw_strip(cairo_t* c, const Shape& s) {
  const int rows = std::max(1, s.rows), columns = int(s.colours.size()) / rows;
  if (!columns) return;
  const Surface image = own(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, columns, rows));
  const int stride = cairo_image_surface_get_stride(image.get());
  uint8_t* bytes = cairo_image_surface_get_data(image.get());
  for (int y = 0; y < rows; ++y) {
    auto* row = reinterpret_cast<uint32_t*>(bytes + size_t(y) * stride);
    for (int x = 0; x < columns; ++x) {
      const Colour rgba = s.colours[size_t(y) * columns + x];
      const uint32_t a = rgba & 255;
      // cairo's pixels are premultiplied
      const auto part = [&](int shift) { return (rgba >> shift & 255) * a / 255; };
      row[x] = a << 24 | part(24) << 16 | part(16) << 8 | part(8);
    }
  }
  cairo_surface_mark_dirty(image.get());
  cairo_save(c);
  cairo_rectangle(c, s.box.x, s.box.y, s.box.w, s.box.h);
  cairo_clip(c);
  cairo_translate(c, s.box.x, s.box.y);
  cairo_scale(c, s.box.w / columns, s.box.h / rows);
  cairo_set_source_surface(c, image.get(), 0, 0);
  // more colours than pixels: let cairo average; fewer: sharp cells
  cairo_pattern_set_filter(cairo_get_source(c), columns > s.box.w ? CAIRO_FILTER_GOOD : CAIRO_FILTER_NEAREST);
  cairo_paint(c);
  cairo_restore(c);
}

void draw(cairo_t* c, const Shape& s) {
  switch (s.type) {
    case Shape::rect:
      outline(c, s.box, s.radius);
      if (s.fill & 255) {
        colour(c, s.fill);
        cairo_fill_preserve(c);
      }
      return stroke(c, s);
    case Shape::line:
    case Shape::polygon:
      for (const Point& p : s.points) cairo_line_to(c, p.x, p.y);
      if (s.type == Shape::line) return stroke(c, s);
      cairo_close_path(c);
      colour(c, s.fill);
      return cairo_fill(c);
    case Shape::disc: {
      const Point centre = s.box.centre();
      const auto filled = [&](float radius, Colour with) {
        cairo_arc(c, centre.x, centre.y, radius, 0, 2 * M_PI);
        colour(c, with);
        cairo_fill(c);
      };
      const bool edged = s.stroke & 255;
      if (edged) filled(s.box.w / 2, s.stroke);
      return filled(s.box.w / 2 - (edged ? s.thickness : 0), s.fill);
    }
    case Shape::curve:
      cairo_move_to(c, s.points[0].x, s.points[0].y);
      cairo_curve_to(c, s.points[1].x, s.points[1].y, s.points[2].x, s.points[2].y, s.points[3].x,
                     s.points[3].y);
      return stroke(c, s);
    case Shape::hatch: return draw_hatch(c, s);
    case Shape::strip: return draw_strip(c, s);
    case Shape::text:
      colour(c, s.fill);
      cairo_move_to(c, s.points[0].x, s.points[0].y + s.size * text_baseline);
      each_run(s.words, [&](const std::string& words, bool wide) {
        choose_font(c, s.font, wide, s.size);
        cairo_show_text(c, words.c_str());
      });
      return cairo_new_path(c);
  }
}

void draw(cairo_surface_t* surface, const Picture& p, Colour background) {
  const Context context(cairo_create(surface), cairo_destroy);
  unhint(context.get());
  colour(context.get(), background);
  cairo_paint(context.get());
  for (const Shape& s : p.shapes) draw(context.get(), s);
}

Surface raster(const Picture& p, Colour background) {
  Surface image = own(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, std::max(1, int(std::ceil(p.width))),
                                                 std::max(1, int(std::ceil(p.height)))));
  draw(image.get(), p, background);
  return image;
}

cairo_status_t put(void* file, const unsigned char* bytes, unsigned length) {
  static_cast<std::string*>(file)->append(reinterpret_cast<const char*>(bytes), length);
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace

Metrics cairo_metrics() {
  static Advances advances;
  return {[](Font font, float size, const std::string& words) { return advances.width(font, size, words); }};
}

bool draws_chinese() {
  const Surface surface = own(cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1));
  const Context context(cairo_create(surface.get()), cairo_destroy);
  choose_font(context.get(), Font::text, true, 16);
  cairo_glyph_t* glyphs = nullptr;
  int count = 0;
  const cairo_status_t status = cairo_scaled_font_text_to_glyphs(
      cairo_get_scaled_font(context.get()), 0, 0, "\u7ebf", -1, &glyphs, &count, nullptr, nullptr, nullptr);
  const bool found = status == CAIRO_STATUS_SUCCESS && count > 0 && glyphs[0].index != 0;
  cairo_glyph_free(glyphs);
  return found;
}

std::vector<uint8_t> rasterise(const Picture& p, Colour background) {
  const Surface image = raster(p, background);
  const int w = cairo_image_surface_get_width(image.get()), h = cairo_image_surface_get_height(image.get());
  const uint8_t* bytes = cairo_image_surface_get_data(image.get());
  const int stride = cairo_image_surface_get_stride(image.get());
  std::vector<uint8_t> out(size_t(w) * h * 4);
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      const uint32_t pixel = reinterpret_cast<const uint32_t*>(bytes + size_t(y) * stride)[x];
      uint8_t* to = &out[(size_t(y) * w + x) * 4];
      to[0] = uint8_t(pixel >> 16);
      to[1] = uint8_t(pixel >> 8);
      to[2] = uint8_t(pixel);
      to[3] = 255;
    }
  return out;
}

void write_figure(const Picture& p, Colour background, const std::filesystem::path& path) {
  const std::string kind = path.extension();
  if (kind != ".png" && kind != ".svg" && kind != ".pdf")
    throw UsageError(message(
        "cannot draw into {}: name a file that ends in .png, .svg or .pdf, or a video (.mp4, .webp) of "
        "--steps A..B",
        path.string()));
  std::string file;
  cairo_status_t status = CAIRO_STATUS_SUCCESS;
  if (kind == ".svg") {  // our own: cairo's has outlines in place of letters
    file = svg(p, background, cairo_metrics());
  } else if (kind == ".png") {
    status = cairo_surface_write_to_png_stream(raster(p, background).get(), put, &file);
  } else {
    const Surface page = own(cairo_pdf_surface_create_for_stream(put, &file, p.width, p.height));
    draw(page.get(), p, background);
    cairo_surface_finish(page.get());
    status = cairo_surface_status(page.get());
  }
  if (status != CAIRO_STATUS_SUCCESS)
    throw Error(message("cannot draw into {}: {}", path.string(), cairo_status_to_string(status)));
  write_whole(path, file);
}

}  // namespace bscope

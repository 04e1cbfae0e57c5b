// A picture drawn by cairo into a file: the same geometry that the window shows, as PNG, SVG or PDF.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "app/draw/picture.hpp"

namespace bscope {

/// Widths of Inter and JetBrains Mono as cairo draws them (unhinted, so that they scale with the size).
/// Safe to call from several threads.
Metrics cairo_metrics();

/// Whether there is a font with Chinese characters (WenQuanYi Micro Hei).
bool draws_chinese();

/// 8-bit RGBA rows, top first, on an opaque background.
std::vector<uint8_t> rasterise(const Picture&, Colour background);

/// Writes the picture in the format that the extension names: .png, .svg or .pdf. Nothing half-written
/// remains. Throws UsageError for another extension, SystemError when the file cannot be written.
void write_figure(const Picture&, Colour background, const std::filesystem::path&);

}  // namespace bscope

// Pictures of the whole window against the approved ones.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "app/window/offscreen.hpp"
#include "app/window/png.hpp"
#include "app/window/window.hpp"
#include "tests/ui/harness.hpp"

namespace bscope {
namespace {

struct Case {
  const char* name;
  RenderOptions options;
};

RenderOptions options(const char* kernel, const char* view, int step, const char* theme = "dark",
                      int width = 1600, int height = 900) {
  RenderOptions o;
  Target target;
  target.request.kernel = kernel;
  o.targets = {target};
  o.view = view;
  o.step = step;
  o.theme = theme;
  o.width = width;
  o.height = height;
  return o;
}

std::vector<Case> cases() {
  std::vector<Case> all{
      {"watch-dark", options("scan/blelloch", "watch", 3)},
      {"watch-light", options("scan/blelloch", "watch", 7, "light")},
      {"watch-projector", options("scan/blelloch", "watch", 3, "projector")},
      {"watch-small", options("scan/kogge-stone", "watch", 2, "dark", 1280, 720)},
      {"banks", options("scan/blelloch", "banks", 3)},
      {"compare", options("scan/blelloch", "compare", 3)},
  };
  RenderOptions queue = options("histogram/global-atomics", "atomics", 0);
  queue.targets[0].request.preset = "queue-7x20";
  all.push_back({"atomics", queue});
  return all;
}

/// Rasterisers differ by a little at edges: a pixel differs if a channel is off by more than 24 of 255, and a
/// picture if more than 1 in 2000 pixels do, or any 16x16 tile is mostly different.
bool alike(const Image& a, const Image& b, Image& difference) {
  if (a.width != b.width || a.height != b.height) return false;
  difference = a;
  const size_t pixels = a.rgba.size() / 4;
  const int tiles = (a.width + 15) / 16;
  std::vector<int> in_tile(size_t(tiles) * size_t((a.height + 15) / 16));
  size_t different = 0;
  for (size_t i = 0; i < pixels; ++i) {
    int most = 0;
    for (size_t c = 0; c < 3; ++c) most = std::max(most, std::abs(a.rgba[4 * i + c] - b.rgba[4 * i + c]));
    const bool off = most > 24;
    different += off;
    const size_t x = i % size_t(a.width), y = i / size_t(a.width);
    if (off) ++in_tile[y / 16 * size_t(tiles) + x / 16];
    for (size_t c = 0; c < 3; ++c)
      difference.rgba[4 * i + c] = off ? (c == 0 ? 255 : 0) : uint8_t(a.rgba[4 * i + c] / 4);
  }
  return different * 2000 <= pixels && *std::max_element(in_tile.begin(), in_tile.end()) <= 128;
}

}  // namespace

int compare_pictures(const std::string& approved, const std::string& marks) {
  namespace fs = std::filesystem;
  fs::create_directories(approved);
  fs::create_directories(marks);
  int failed = 0, count = 0;
  for (Case& c : cases()) {
    ++count;
    const std::string wanted = approved + "/" + c.name + ".png", received = wanted + ".received";
    const std::string drawn = marks + "/" + c.name + ".png";
    c.options.out = drawn;
    render_command(c.options);
    Image difference;
    if (!fs::exists(wanted)) {
      std::printf("pictures: %s is not approved yet: look at %s\n", c.name, fs::absolute(drawn).c_str());
    } else if (alike(load_png(drawn), load_png(wanted), difference)) {
      fs::remove(received);
      continue;
    } else {
      std::printf("pictures: %s differs from the approved one: look at %s\n", c.name,
                  fs::absolute(drawn).c_str());
      if (!difference.rgba.empty()) save_png(difference, marks + "/" + c.name + ".difference.png");
    }
    fs::copy_file(drawn, received, fs::copy_options::overwrite_existing);
    ++failed;
  }
  std::printf("pictures: %d of %d as approved\n", count - failed, count);
  if (failed) std::printf("If they are right: tools/approve.py\n");
  return failed;
}

}  // namespace bscope

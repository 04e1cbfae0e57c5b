// What the app would show, as a PNG, without a display.
#include <algorithm>
#include <array>

#include "app/panels/app.hpp"
#include "app/window/offscreen.hpp"
#include "app/window/png.hpp"
#include "app/window/window.hpp"

namespace bscope {
namespace {

Tab tab_of(const std::string& view) {
  constexpr std::array<std::pair<const char*, Tab>, 7> views{{{"watch", Tab::watch},
                                                              {"run", Tab::watch},
                                                              {"banks", Tab::banks},
                                                              {"memory", Tab::banks},
                                                              {"atomics", Tab::atomics},
                                                              {"compare", Tab::compare},
                                                              {"time", Tab::time}}};
  for (const auto& [name, tab] : views)
    if (view == name) return tab;
  throw UsageError("no view \"" + view + "\": choose watch, run, banks, memory, atomics, compare or time");
}

}  // namespace

int render_command(const RenderOptions& o) {
  if (o.targets.empty()) throw UsageError("render what? Name a kernel or a .bscope file");
  if (!o.out.ends_with(".png"))
    throw UsageError(
        "render draws pictures: " + (o.out.empty() ? "give" : "\"" + o.out + "\" is none; give") +
        " -o a name that ends in .png, .svg or .pdf");
  if (o.width < 640 || o.height < 360 || o.width > 16384 || o.height > 16384)
    throw UsageError("a picture of " + std::to_string(o.width) + "x" + std::to_string(o.height) +
                     " cannot be drawn: choose a size from 640x360 to 16384x16384");
  State state;
  state.tab = tab_of(o.view);
  state.only_run = o.view == "run";
  state = to_theme(std::move(state), parse_theme(o.theme));
  state.language = parse_language(o.language);
  state.target = o.targets[0];
  state.run = open_target(o.targets[0]);
  if (o.targets.size() > 1) state.other = open_target(o.targets[1]);
  state = to_step(std::move(state), o.step);
  state.reduced_motion = true;

  Offscreen screen(o.width, o.height);
  Image image;
  {
    App app(std::move(state));
    app.painter().fill_area = fill_by_clearing;
    while (summarise_next(app.kept.summaries)) {}
    // ImGui lays out with last frame's sizes: the third frame is the one that stays
    for (int i = 0; i < 3; ++i) {
      screen.begin();
      app.frame();
      screen.end(app.background());
    }
    image = screen.read();
    screen.shut_down();
  }
  save_png(image, o.out);
  return 0;
}

}  // namespace bscope

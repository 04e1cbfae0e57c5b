// What the app would show, as a PNG, without a display.
#include <iostream>

#include "app/export/export.hpp"
#include "app/shell/app.hpp"
#include "app/shell/embedded.hpp"
#include "app/shell/kernel_list.hpp"
#include "app/window/offscreen.hpp"
#include "app/window/png.hpp"
#include "app/window/shaders.hpp"
#include "app/window/window.hpp"
#include "engine/trace/error.hpp"

namespace bscope {

void render_picture(const Export& o, const std::function<void(App&)>& prepare) {
  if (o.embed.empty() && (o.width < 320 || o.height < 320))
    throw UsageError(message("a picture of {}x{} cannot be drawn: choose a size from 320x320 to 16384x16384",
                             o.width, o.height));
  check_size(o);
  LoadedState state = o.state;
  state.reduced_motion = true;

  Offscreen screen(o.width, o.height);
  Image image;
  {
    App app(std::move(state));
    const auto shaders =
        draw_with_shaders(app.painter(), [](const std::string& why) { std::cerr << why << '\n'; });
    // the same for every picture of this process
    static Summaries summaries;
    while (summarise_next(summaries)) {}
    app.ui.of<KernelList>().summaries = summaries;
    app.ui.of<EmbeddedView>().name = o.embed;
    if (prepare) prepare(app);
    // ImGui lays out with last frame's sizes: the third frame is the one that stays
    for (int i = 0; i < 3; ++i) {
      screen.begin();
      app.frame();
      screen.end(app.background());
    }
    image = screen.read();
    screen.shut_down();
  }
  save_png(image, o.file);
}

}  // namespace bscope

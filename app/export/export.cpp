#include "app/export/export.hpp"

#include "app/export/cairo.hpp"
#include "app/words/words.hpp"

namespace bscope {

bool export_now(const Export& e, const FilmProgress& progress) {
  if (e.width < 320 || e.height < 180 || e.width > 16384 || e.height > 16384)
    throw UsageError(say("a picture of {}x{} cannot be drawn: choose a size from 320x180 to 16384x16384",
                         e.width, e.height));
  if (e.state.language == Language::zh && !draws_chinese())
    throw std::runtime_error(
        say("there is no font for Chinese here: install the Debian package fonts-wqy-microhei"));
  Figures figures(e.live);
  if (e.last >= 0)
    return write_film(e.state, figures, {e.first, e.last}, e.width, e.height, e.file, progress);
  if (is_film(e.file)) throw UsageError(say("a video needs several steps: add --steps A..B"));
  const auto w = float(e.width), h = float(e.height);
  const Theme t = figure_theme(e.state, w, h);
  write_figure(figures(e.state, t, cairo_metrics(), w, h), figure_background(e.state, t), e.file);
  return true;
}

void Exporter::start(Export e, std::function<void()> changed) {
  if (status().running) return;
  if (thread_.joinable()) thread_.join();
  stop_ = false;
  {
    std::scoped_lock lock(mutex_);
    status_ = {};
    status_.running = true;
    status_.file = e.file;
  }
  thread_ = std::thread([this, e = std::move(e), changed = std::move(changed)] {
    std::string error;
    bool whole = false;
    try {
      whole = export_now(e, [&](int done, int all) {
        {
          std::scoped_lock lock(mutex_);
          status_.done = done;
          status_.all = all;
        }
        if (changed) changed();
        return !stop_;
      });
    } catch (const std::exception& x) { error = x.what(); }
    {
      std::scoped_lock lock(mutex_);
      status_.running = false;
      status_.error = error;
      status_.stopped = !whole && error.empty();
    }
    if (changed) changed();
  });
}

void Exporter::stop() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
}

Exporter::Status Exporter::status() const {
  std::scoped_lock lock(mutex_);
  return status_;
}

}  // namespace bscope

#include "app/export/export.hpp"

#include "app/export/cairo.hpp"
#include "app/words/words.hpp"

namespace bscope {

bool export_now(const Export& e, const FilmProgress& progress) {
  check_size(e);
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

}  // namespace bscope

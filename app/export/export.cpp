#include "app/export/export.hpp"

#include "app/export/cairo.hpp"
#include "app/export/figure.hpp"
#include "app/export/series.hpp"
#include "app/words/words.hpp"
#include "engine/trace/error.hpp"

namespace bscope {

std::vector<std::string> picture_formats() { return {"png", "svg", "pdf"}; }

bool export_now(const Export& e, const FilmProgress& progress) {
  check_size(e);
  if (e.state.language == Language::zh && !draws_chinese())
    throw Error(message("there is no font for Chinese here: install the Debian package fonts-wqy-microhei"));
  Figures figures(e.live);
  const auto w = float(e.width), h = float(e.height);
  const auto draw = [&, t = figure_theme(e.state, w, h)](const LoadedState& s,
                                                         const std::filesystem::path& file) {
    write_figure(figures(s, t, cairo_metrics(), w, h), figure_background(s, t), file);
  };
  if (e.last >= 0 && !is_film(e.file) && is_series(e.file)) return each_picture(e, progress, draw);
  if (e.last >= 0)
    return write_film(e.state, figures, {e.first, e.last}, e.width, e.height, e.file, progress);
  if (is_film(e.file)) throw UsageError(message("a video needs several steps: add --steps A..B"));
  draw(e.state, e.file);
  return true;
}

}  // namespace bscope

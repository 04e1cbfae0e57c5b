#include "app/export/export.hpp"

#include "app/export/figure.hpp"
#include "app/export/series.hpp"
#include "app/export/svg.hpp"
#include "app/export/svg_only/advances.hpp"
#include "app/export/svg_only/browser_png.hpp"
#include "app/words/words.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/whole_file.hpp"

namespace bscope {

std::vector<std::string> picture_formats() {
  return svg_becomes_png ? std::vector<std::string>{"png", "svg", "pdf"} : std::vector<std::string>{"svg"};
}

bool export_now(const Export& e, const FilmProgress& progress) {
  check_size(e);
  const bool several = e.last >= 0;
  const auto ending = e.file.extension();
  const bool known = ending == ".svg" || (svg_becomes_png && (ending == ".png" || ending == ".pdf"));
  if (!known || (several && !is_series(e.file)))
    throw UsageError(message(
        "cannot draw into {}: this program was built without cairo and draws SVG alone. Name a file that "
        "ends in .svg (of several steps step-%d.svg), or build the release preset",
        e.file.string()));
  const Metrics metrics = table_metrics();
  Figures figures(e.live);
  const auto w = float(e.width), h = float(e.height);
  const auto draw = [&, t = figure_theme(e.state, w, h)](const LoadedState& s,
                                                         const std::filesystem::path& file) {
    write_whole(file, svg(figures(s, t, metrics, w, h), figure_background(s, t), metrics));
  };
  if (several) return each_picture(e, progress, draw);
  draw(e.state, e.file);
  return true;
}

}  // namespace bscope

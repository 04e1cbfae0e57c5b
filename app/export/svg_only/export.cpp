#include "app/export/export.hpp"

#include "app/export/svg.hpp"
#include "app/export/svg_only/advances.hpp"
#include "app/words/words.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/trace/whole_file.hpp"

namespace bscope {

bool export_now(const Export& e, const FilmProgress&) {
  check_size(e);
  if (e.file.extension() != ".svg" || e.last >= 0)
    throw UsageError(
        say("cannot draw into {}: this program was built without cairo and draws SVG alone. Name a file that "
            "ends in .svg, or build the release preset",
            e.file.string()));
  const auto w = float(e.width), h = float(e.height);
  const Theme t = figure_theme(e.state, w, h);
  const Metrics metrics = table_metrics();
  const Picture picture = Figures(e.live)(e.state, t, metrics, w, h);
  write_whole(e.file, svg(picture, figure_background(e.state, t), metrics));
  return true;
}

}  // namespace bscope

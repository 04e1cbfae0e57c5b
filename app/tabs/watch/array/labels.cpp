#include "app/tabs/watch/array/labels.hpp"

#include "app/draw/theme.hpp"
#include "app/tabs/watch/array/step.hpp"
#include "app/tabs/watch/draw.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/array_state.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {

float label_room(const Theme& t) { return label_column(t) - margin(t) - t.px(4); }

void draw_label(Pen& pen, const Theme& t, float y, std::string_view words, Font font, Colour colour) {
  pen.text({margin(t), y}, pen.fitted(std::string(words), label_room(t), t.label(), font), t.label(), colour,
           font);
}

std::string row_name(const Pen& pen, const Theme& t, const StepView& v, const ArrayRange& p) {
  const ArrayInfo& info = v.array(p.array);
  if (!v.block.turns.contains(p.array)) return info.name;
  const auto begin = [&](const ArrayRange& row) {
    return info.name + "[" + std::to_string(row.first) + "..]";
  };
  // all rows are named alike: in the way that has room for the last one's name
  const ArrayRange last{p.array, info.size - p.size, p.size};
  const auto fits = [&](const std::string& words) {
    return pen.width(words, t.label(), Font::mono_bold) <= label_room(t);
  };
  return fits(v.part_name(last)) ? v.part_name(p)
         : fits(begin(last))     ? begin(p)
                                 : tr("row {}", p.first / p.size + 1);
}

}  // namespace bscope

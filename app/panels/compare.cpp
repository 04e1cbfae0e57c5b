// Compare: the open run beside another of the same input, by default the ladder's next rung.
#include "app/view/compare.hpp"

#include <algorithm>

#include "app/cli/time.hpp"
#include "app/panels/panel.hpp"
#include "app/panels/playback.hpp"

namespace bscope {
namespace {

/// A list of the family's kernels for the right side.
void choose_other(View& v, Box b) {
  const Theme& t = v.theme;
  State& s = v.state;
  const std::string family = s.run->trace.kernel.substr(0, s.run->trace.kernel.find('/'));
  v.text({b.x, b.centre().y}, "Compare with", t.px(t.size_label), t.ink2);
  const float x = b.x + v.width("Compare with", t.px(t.size_label)) + t.px(10);
  ImGui::SetCursorScreenPos({x, b.centre().y - ImGui::GetFrameHeight() / 2});
  ImGui::SetNextItemWidth(t.px(t.projector() ? 420 : 260));
  std::string now = "nothing";
  for (const Algorithm* a : catalog())
    if (s.other && a->name == s.other->trace.kernel) now = a->title;
  if (ImGui::BeginCombo("##other", now.c_str())) {
    for (const Algorithm* a : catalog()) {
      if (a->family() != family || a->name == s.run->trace.kernel) continue;
      ImGui::PushID(a->name.c_str());
      if (ImGui::Selectable(a->title.c_str(), s.other && s.other->trace.kernel == a->name))
        s = with_other(std::move(s), a->name);
      ImGui::PopID();
    }
    ImGui::EndCombo();
  }
  if (s.error_at == Where::compare)
    v.text({b.right(), b.centre().y}, s.error, t.px(t.size_label), t.ink, Font::text, Align::right);
}

void show(View& v, Box area) {
  const Theme& t = v.theme;
  area = show_playback(v, area);
  State& s = v.state;
  if (!s.other && s.error_at != Where::compare) {
    const auto rung = next_rung(s.run->trace.kernel);  // before the state is moved from
    s = with_other(std::move(s), rung);
  }
  const float row = t.px(t.projector() ? 44 : 32), gap = t.px(8);
  choose_other(v, {area.x + t.px(8), area.y, area.w - t.px(16), row});
  area = {area.x, area.y + row + gap, area.w, area.h - row - gap};
  if (!s.other) {
    v.frame(area);
    v.text({area.centre().x, area.centre().y}, "No other kernel of this family takes this input.",
           t.px(t.size_title), t.ink2, Font::text, Align::centre);
    return;
  }
  if (!v.kept.recorded) v.kept.recorded = recorded_curves();
  const auto touched = v.picture("compare", area,
                                 [&](float w, float h) {
                                   return compare_view(*s.run, *s.other, s.cursor.interval, *v.kept.recorded,
                                                       t, v.metrics, w, h);
                                 },
                                 {.framed = false});
  if (touched.clicked && touched.clicked->what == Hit::interval) s = to_block(std::move(s), 0);
}

const RegisterTab compare{{Tab::compare, later("Compare"), show}};

}  // namespace
}  // namespace bscope

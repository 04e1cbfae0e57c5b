#include "app/export/figure.hpp"

#include <algorithm>

#include "app/draw/theme.hpp"
#include "app/export/caption.hpp"
#include "app/run/run_store.hpp"
#include "app/session/state.hpp"
#include "app/session/tab.hpp"
#include "app/words/words.hpp"
#include "engine/trace/error.hpp"

namespace bscope {
namespace {

constexpr float reference_height = 900;  // of the window that type sizes are given for

}  // namespace

const RunQueries& Figures::model(const LoadedState& s) {
  if (!model_ || &model_->run() != s.run.get()) model_ = std::make_unique<RunQueries>(s.run);
  return *model_;
}

Picture Figures::operator()(const LoadedState& given, const Theme& t, const Metrics& m, float w, float h) {
  const ScopedLanguage language(given.language);
  const LoadedState s = with_needs(given, services_.of<RunStore>());
  const Caption c = caption_of(s);
  const float top = caption_height(c, t, m, w);
  Picture p = body(s, t, m, w, h - top);
  move(p, {0, top});
  p.height += top;
  draw_caption(p, c, t, m);
  return p;
}

Picture Figures::body(const LoadedState& s, const Theme& t, const Metrics& m, float w, float h) {
  const Tab& tab = tab_of(s);
  if (!tab.picture) throw UsageError(message("this tab has no picture"));
  const TabScene scene{s, model(s), t, m, services_, &live_};
  if (tab.changes) tab.changes(scene);
  return tab.picture(scene, w, h);
}

Picture figure(const LoadedState& s, const Theme& t, const Metrics& m, float w, float h) {
  return Figures()(s, t, m, w, h);
}

Theme figure_theme(const State& s, float w, float h) {
  const float scaled = std::min(h, w * 9 / 16);
  Theme t = theme(s.theme, s.only_run ? std::max(reference_height, scaled) : scaled);
  t.printed = true;
  return t;
}

Colour figure_background(const State& s, const Theme& t) { return s.only_run ? t.panel : t.window; }

}  // namespace bscope

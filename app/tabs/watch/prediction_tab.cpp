// Predict, then reveal: the keys, the typing and the mouse.
#include "app/tabs/watch/prediction_tab.hpp"

#include "app/shell/commands.hpp"
#include "app/tabs/watch/prediction_panel.hpp"

namespace bscope {
namespace {

void start_or_stop(State& s, Kept&) {
  s = prediction_on(s) ? leave_prediction(std::move(s)) : predict(std::move(s));
}
bool startable(const State& s, const Kept&) { return prediction_on(s) || can_predict(s); }
bool asking(const State& s, const Kept&) {
  const Prediction* p = prediction_on(s);
  return p && !p->revealed;
}
bool shown(const State& s, const Kept&) {
  const Prediction* p = prediction_on(s);
  return p && p->revealed;
}
bool either(const State& s, const Kept&) { return prediction_on(s); }

using C = RegisterCommand;
const C prediction_commands[]{
    C{{"predict",
       later("Predict"),
       later("Predict what the step changes"),
       {ImGuiKey_P},
       start_or_stop,
       false,
       "watch",
       startable}},
    C{{"predict.reveal",
       later("Predict"),
       later("Reveal the answers"),
       {ImGuiKey_Enter, ImGuiKey_KeypadEnter},
       step<reveal>,
       false,
       "watch",
       asking}},
    C{{"predict.hint",
       later("Predict"),
       later("Give a hint"),
       {ImGuiKey_H},
       step<hint>,
       false,
       "watch",
       asking}},
    C{{"predict.next_box",
       later("Predict"),
       later("Go to the next box"),
       {ImGuiKey_Tab},
       step_by<next_box, 1>,
       true,
       "watch",
       either}},
    C{{"predict.box_before",
       later("Predict"),
       later("Go to the box before"),
       {ImGuiMod_Shift | ImGuiKey_Tab},
       step_by<next_box, -1>,
       true,
       "watch",
       either}},
    C{{"predict.erase",
       later("Predict"),
       later("Take back the last character"),
       {ImGuiKey_Backspace},
       step<erase_guess>,
       true,
       "watch",
       asking}},
    C{{"predict.next_step",
       later("Predict"),
       later("Predict the next step"),
       {ImGuiKey_Enter, ImGuiKey_KeypadEnter},
       step<predict_next>,
       false,
       "watch",
       shown}},
    C{{"predict.leave",
       later("Predict"),
       later("Skip the question"),
       {ImGuiKey_Escape},
       step<leave_prediction>,
       false,
       "watch",
       either}},
};

}  // namespace

void take_guesses(View& v) {
  v.state = settle_prediction(std::move(v.state));
  const Prediction* p = prediction_on(v.state);
  if (!p || p->revealed || ImGui::GetIO().WantTextInput ||
      ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup))
    return;
  for (const ImWchar c : ImGui::GetIO().InputQueueCharacters)
    v.state = type_guess(std::move(v.state), char32_t(c));
}

void show_prediction(View& v, Box area) {
  const Prediction* p = prediction_on(v.state);
  if (!p) return;
  const Prediction now = *p;
  const auto touched =
      v.picture("prediction", area,
                [&](float w, float h) {
                  return prediction_panel(v.model, v.state.cursor, now, v.theme, v.metrics, w, h);
                },
                {.extra = fingerprint(now)});
  if (!touched.clicked) return;
  const std::string name = touched.clicked->name;
  if (name == "predict:reveal") v.state = reveal(std::move(v.state));
  if (name == "predict:hint") v.state = hint(std::move(v.state));
  if (name == "predict:next") v.state = predict_next(std::move(v.state));
  if (name == "predict:skip" || name == "predict:done") v.state = leave_prediction(std::move(v.state));
  if (touched.clicked->what == Hit::cell)
    v.state = to_box(std::move(v.state), {touched.clicked->a, touched.clicked->b});
}

void focus_box(View& v, const View::Touched& touched) {
  if (touched.clicked && touched.clicked->what == Hit::cell)
    v.state = to_box(std::move(v.state), {touched.clicked->a, touched.clicked->b});
}

}  // namespace bscope

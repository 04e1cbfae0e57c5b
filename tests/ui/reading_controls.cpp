// Every screen of every lesson as the window shows it, in both languages, small and large, on the desk and on
// the projector: nothing is cut, no labels run together, no cell that holds a value is blank.
#include <algorithm>

#include "app/lessons/play.hpp"
#include "app/lessons/shelf.hpp"
#include "engine/analysis/run.hpp"
#include "engine/simt/parameter.hpp"
#include "engine/trace/trace.hpp"
#include "tests/at_once.hpp"
#include "tests/sanitized.hpp"
#include "tests/tabs/reading_support.hpp"
#include "tests/ui/harness.hpp"
#include "tests/ui/seen.hpp"

namespace bscope {
namespace {

/// Pictures whose texts are pieces of sentences or of code.
bool of_sentences(const std::string& picture) {
  return picture == "source" || picture == "why" || picture == "lesson" || picture == "prediction" ||
         picture == "hand-over";
}

/// What is wrong with the frame on screen.
std::vector<std::string> faults(const Theme& t) {
  std::vector<std::string> found;
  const int now = ImGui::GetFrameCount();
  std::string code;
  for (const Source& source : app().state.run->trace.sources) code += source.text;
  for (const auto& [name, shown] : app().ui.pictures) {
    if (shown.frame + 1 < now) continue;
    const Texts texts = of_sentences(name) ? Texts::sentences : Texts::labels;
    for (const std::string& fault :
         hard_to_read(shown.picture, t, texts, app().state.prediction.hides(), code)) {
      found.push_back(name + ": " + fault);
    }
  }
  // and what is drawn beside the pictures: header, transport
  for (const SeenText& text : seen_now().texts) {
    if (has_narrow_comma(text.words)) found.push_back("\"" + text.words + "\" has a narrow comma");
    if (has_ungrouped_count(text.words)) found.push_back("\"" + text.words + "\" counts without commas");
    if (is_cut(text.words, code) && text.box.Overlaps(text.visible) &&
        std::none_of(found.begin(), found.end(),
                     [&](const std::string& f) { return f.find(text.words) != std::string::npos; }))
      found.push_back("\"" + text.words + "\" is cut");
  }
  return found;
}

void check(ImGuiTestContext* ctx, Language language, ThemeName look, ImVec2 size) {
  const ImVec2 usual = ImGui::GetIO().DisplaySize;
  ImGui::GetIO().DisplaySize = size;
  app().state.language = language;
  app().state = to_theme(std::move(app().state), look);
  app().state.reduced_motion = true;
  ctx->MouseMoveToPos({2, size.y - 2});
  const Theme t = theme(look, std::min(size.y, size.x * 9 / 16));
  LessonShelf shelf;
  shelf.refresh();
  int screens = 0, wrong = 0;
  int number = language == Language::en ? 0 : 2;
  for (const std::string& id : shelf.ids()) {
    if (number++ % test::all_or_part(1, 4)) continue;
    const Lesson& lesson = *shelf.find(id, language);
    for (int k = 0; k < int(lesson.steps.size()); ++k) {
      app().state = at_lesson_step(std::move(app().state), lesson, k);
      app().state.lesson.open = true;
      app().state.lesson.lesson = id;
      ctx->Yield(2);
      next_frame(ctx);
      ++screens;
      for (const std::string& fault : faults(t)) {
        ++wrong;
        ctx->LogError("%s %d, %s, %s, %.0fx%.0f: %s", id.c_str(), k + 1, name_of(language), name_of(look),
                      double(size.x), double(size.y), fault.c_str());
      }
    }
  }
  IM_CHECK_GT_NO_RET(screens, test::all_or_part(90, 20));
  IM_CHECK_EQ_NO_RET(wrong, 0);
  ImGui::GetIO().DisplaySize = usual;
  app().state.language = Language::en;
  ctx->Yield(2);
}

const RegisterControls tests{[](ImGuiTestEngine* e) {
  add_test(e, "reading", "english", [](ImGuiTestContext* ctx) {
    check(ctx, Language::en, ThemeName::dark, {1600, 900});
    if (test::sanitized) return;
    check(ctx, Language::en, ThemeName::dark, {1280, 720});
    check(ctx, Language::en, ThemeName::projector, {1600, 900});
    check(ctx, Language::en, ThemeName::projector, {1280, 720});
  });
  add_test(e, "reading", "chinese", [](ImGuiTestContext* ctx) {
    check(ctx, Language::zh, ThemeName::dark, {1600, 900});
    if (test::sanitized) return;
    check(ctx, Language::zh, ThemeName::dark, {1280, 720});
    check(ctx, Language::zh, ThemeName::projector, {1600, 900});
    check(ctx, Language::zh, ThemeName::projector, {1280, 720});
  });
}};

}  // namespace
}  // namespace bscope

// The parts that ImGui lays out (header, kernels, parameters, popovers, palette, lessons, export, notices),
// drawn for real and looked at word by word: no text is cut off, none lies on another, no two controls
// overlap. In both languages, at three sizes, on the desk and on the projector. (Pictures:
// tests/tabs/every_view_test.cpp.)
#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "app/lessons/picture.hpp"
#include "app/options/view_options.hpp"
#include "app/shell/commands.hpp"
#include "app/shell/compact.hpp"
#include "app/shell/embedded.hpp"
#include "app/shell/lesson.hpp"
#include "app/shell/notices.hpp"
#include "app/shell/palette.hpp"
#include "app/shell/popups.hpp"
#include "app/shell/touch_input.hpp"
#include "app/words/glossary.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/simt/algorithm.hpp"
#include "tests/at_once.hpp"
#include "tests/sanitized.hpp"
#include "tests/ui/harness.hpp"
#include "tests/ui/seen.hpp"

namespace bscope {

struct ExportPanel;
namespace {

const ImGuiWindow* window_of(const ImDrawList* list) {
  for (const ImGuiWindow* w : ImGui::GetCurrentContext()->Windows)
    if (w->DrawList == list) return w;
  return nullptr;
}

/// Whether it scrolls. Then its last line may be cut through the middle.
bool scrolls(const ImGuiWindow* w) { return w && w->ScrollMax.y > 0; }

std::string place(const ImRect& r) {
  return std::to_string(int(r.Min.x)) + "," + std::to_string(int(r.Min.y)) + " " +
         std::to_string(int(r.GetWidth())) + "x" + std::to_string(int(r.GetHeight()));
}

/// What is wrong with the frame that was drawn; a line each.
std::vector<std::string> mistakes(const Seen& seen) {
  std::vector<std::string> found;
  for (const SeenText& t : seen.texts) {
    if (!t.box.Overlaps(t.visible)) continue;  // scrolled away
    const bool across = t.box.Min.x < t.visible.Min.x - 1.5f || t.box.Max.x > t.visible.Max.x + 1.5f;
    const bool down = t.box.Min.y < t.visible.Min.y - 1 || t.box.Max.y > t.visible.Max.y + 1;
    if (across || (down && !scrolls(window_of(t.list))))
      found.push_back("\"" + t.words + "\" is cut off: " + place(t.box) + " in " + place(t.visible));
  }
  for (size_t i = 0; i < seen.texts.size(); ++i)
    for (size_t k = i + 1; k < seen.texts.size(); ++k) {
      const SeenText &a = seen.texts[i], &b = seen.texts[k];
      if (a.list != b.list) continue;
      ImRect first = a.box, second = b.box;
      first.ClipWithFull(a.visible);
      second.ClipWithFull(b.visible);
      first.ClipWithFull(second);
      if (first.GetWidth() > 1.5f && first.GetHeight() > 1.5f)
        found.push_back("\"" + a.words + "\" lies on \"" + b.words + "\" at " + place(first));
    }
  for (const ImGuiWindow* w : ImGui::GetCurrentContext()->Windows)
    if (w->Active && w->ScrollbarY && w->ScrollMax.y < 2)
      found.push_back("a scroll bar with nothing to scroll in " + std::string(w->Name));
  const auto& shelf = app().ui.pictures;
  const auto picture = [&](ImGuiID id) {
    return std::any_of(shelf.begin(), shelf.end(), [&](const auto& s) { return s.second.id == id; });
  };
  for (size_t i = 0; i < seen.items.size(); ++i)
    for (size_t k = i + 1; k < seen.items.size(); ++k) {
      const SeenItem &a = seen.items[i], &b = seen.items[k];
      if (a.window != b.window || a.id == 0 || b.id == 0 || a.id == b.id || picture(a.id) || picture(b.id))
        continue;
      ImRect both = a.box;
      both.ClipWithFull(b.box);
      if (both.GetWidth() > 2 && both.GetHeight() > 2)
        found.push_back("two controls of " + std::string(a.window->Name) + " overlap at " + place(both));
    }
  return found;
}

struct Surroundings {
  const char* name;
  ImVec2 size;
  Language language;
  ThemeName theme;
};
std::vector<Surroundings> everywhere() {
  std::vector<Surroundings> all;
  for (const Language l : {Language::en, Language::zh})
    for (const ThemeName t : {ThemeName::dark, ThemeName::projector}) {
      all.push_back({"1280x720", {1280, 720}, l, t});
      all.push_back({"1600x900", {1600, 900}, l, t});
      all.push_back({"3840x2160", {3840, 2160}, l, t});
    }
  return all;
}
/// Where it is narrowest.
std::vector<Surroundings> in_short() {
  return {{"1280x720", {1280, 720}, Language::en, ThemeName::dark},
          {"1280x720", {1280, 720}, Language::zh, ThemeName::dark},
          {"1600x900", {1600, 900}, Language::en, ThemeName::projector}};
}

/// As course pages and slides have them.
std::vector<Surroundings> in_frames() {
  std::vector<Surroundings> all;
  for (const Language l : {Language::en, Language::zh}) {
    all.push_back({"760x420", {760, 420}, l, ThemeName::light});
    all.push_back({"1100x700", {1100, 700}, l, ThemeName::dark});
    all.push_back({"560x420", {560, 420}, l, ThemeName::dark});
    all.push_back({"1280x720", {1280, 720}, l, ThemeName::projector});
  }
  return all;
}

/// A phone, held both ways, and tablets.
std::vector<Surroundings> in_hands() {
  std::vector<Surroundings> all;
  for (const Language l : {Language::en, Language::zh}) {
    all.push_back({"390x844", {390, 844}, l, ThemeName::dark});
    all.push_back({"844x390", {844, 390}, l, ThemeName::light});
    all.push_back({"1024x768", {1024, 768}, l, ThemeName::dark});
    all.push_back({"1366x1024", {1366, 1024}, l, ThemeName::light});
  }
  return all;
}

/// One part on screen, in these surroundings. `open` runs on a new app in each of them.
void check(ImGuiTestContext* ctx, const std::string& part, const RunSpec& request,
           const std::function<void()>& open, const std::vector<Surroundings>& where = everywhere()) {
  const ImVec2 usual = ImGui::GetIO().DisplaySize;
  for (const Surroundings& s : where) {
    ImGui::GetIO().DisplaySize = s.size;
    restart(request);
    app().state.language = s.language;
    app().state = to_theme(std::move(app().state), s.theme);
    app().ui.of<std::shared_ptr<ExportPanel>>().reset();
    ctx->MouseMoveToPos({2, s.size.y - 2});
    ctx->Yield(3);
    open();
    ctx->Yield(4);  // popups take a frame to find their size
    const Seen& seen = next_frame(ctx);
    IM_CHECK_GT_NO_RET(int(seen.texts.size()), 5);
    const auto found = mistakes(seen);
    for (size_t i = 0; i < std::min<size_t>(found.size(), 6); ++i)
      ctx->LogError("%s, %s, %s, %s: %s", part.c_str(), s.name, name_of(s.language), name_of(s.theme),
                    found[i].c_str());
    IM_CHECK_EQ_NO_RET(int(found.size()), 0);
    for (int i = 0; i < 4 && ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup); ++i)
      ctx->KeyPress(ImGuiKey_Escape);
  }
  app().ui.of<std::shared_ptr<ExportPanel>>().reset();
  app().state.language = Language::en;
  ImGui::GetIO().DisplaySize = usual;
  ctx->Yield(3);
}

RunSpec on(const std::string& kernel, long long n = 0) {
  RunSpec r;
  r.kernel = kernel;
  if (n) r.n = n;
  return r;
}
UiState& ui() { return app().ui; }
void run(const std::string& id) {
  for (const Command& c : commands())
    if (c.id == id) return c.run(app().state, app().ui);
  IM_ASSERT(false && "no such command");
}

const RegisterControls tests{[](ImGuiTestEngine* e) {
  add_test(e, "layout", "words_of_controls_contrast_with_what_they_lie_on", [](ImGuiTestContext* ctx) {
    for (const ThemeName look : {ThemeName::dark, ThemeName::light, ThemeName::projector}) {
      app().state = to_theme(std::move(app().state), look);
      ctx->Yield(2);
      const auto colour = [](ImGuiCol which) {
        const ImU32 c = ImGui::ColorConvertFloat4ToU32(ImGui::GetStyle().Colors[which]);  // ABGR
        return Colour((c & 0xff) << 24 | (c >> 8 & 0xff) << 16 | (c >> 16 & 0xff) << 8 | 0xff);
      };
      for (const ImGuiCol under :
           {ImGuiCol_WindowBg, ImGuiCol_PopupBg, ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered,
            ImGuiCol_FrameBgActive, ImGuiCol_Button, ImGuiCol_ButtonHovered, ImGuiCol_ButtonActive,
            ImGuiCol_Header, ImGuiCol_HeaderHovered, ImGuiCol_HeaderActive, ImGuiCol_SliderGrab,
            ImGuiCol_SliderGrabActive, ImGuiCol_TextSelectedBg, ImGuiCol_PlotHistogram}) {
        const float ratio = contrast(colour(ImGuiCol_Text), colour(under));
        if (ratio < 4.5f)
          ctx->LogError("%s: text on %s, %.2f to 1", name_of(look), ImGui::GetStyleColorName(under),
                        double(ratio));
        IM_CHECK_GE_NO_RET(ratio, 4.5f);
      }
      IM_CHECK_GE_NO_RET(contrast(colour(ImGuiCol_CheckMark), colour(ImGuiCol_CheckboxSelectedBg)), 4.5f);
      IM_CHECK_GE_NO_RET(contrast(colour(ImGuiCol_InputTextCursor), colour(ImGuiCol_FrameBg)), 4.5f);
    }
  });
  add_test(e, "layout", "tabs", [](ImGuiTestContext* ctx) {
    for (const Tab* t : tabs())
      check(ctx, t->name.c_str(), on("scan/blelloch"), [&] { app().state.tab = t->name; });
    check(ctx, "several launches", on("scan/hierarchical", 64), [] {});
  });
  add_test(e, "layout", "views_in_frames_of_pages", [](ImGuiTestContext* ctx) {
    for (const char* kernel : {"scan/blelloch", "scan/hierarchical", "histogram/global-atomics"})
      for (const std::string& view : views())
        check(
            ctx, std::string(kernel) + " embedded, " + view, on(kernel),
            [&] {
              app().state.reduced_motion = true;  // no picture of another size fades
              app().state = to_view(std::move(app().state), view);
              ui().of<EmbeddedView>().name = view;
            },
            in_frames());
  });
  add_test(e, "layout", "in_hands", [](ImGuiTestContext* ctx) {
    const auto held = [] {
      ui().of<TouchInput>().coarse = true;
      app().state.reduced_motion = true;
    };
    for (const char* kernel :
         {"scan/blelloch", "scan/hierarchical", "histogram/global-atomics", "reduce/warp-shuffle"})
      for (int part = 0; part < 4; ++part)
        check(
            ctx, std::string(kernel) + ", panel " + std::to_string(part), on(kernel),
            [&] {
              held();
              ui().of<CompactView>().part = part;
            },
            in_hands());
    check(
        ctx, "a lesson in hands", on("scan/blelloch"),
        [&] {
          held();
          start_lesson(app().state, app().ui, "blelloch");
        },
        in_hands());
    check(
        ctx, "kernels in hands", on("scan/blelloch"),
        [&] {
          held();
          ui().of<Popups>().wants = Popup::kernel;
        },
        in_hands());
  });
  add_test(e, "layout", "parameters_of_every_kernel", [](ImGuiTestContext* ctx) {
    for (const Algorithm* a : catalog())
      check(
          ctx, a->name, on(a->name), [] { ui().of<Popups>().wants = Popup::kernel; }, in_short());
  });
  add_test(e, "layout", "popovers", [](ImGuiTestContext* ctx) {
    for (const auto& [name, popup] : {std::pair{"place", Popup::place},
                                      {"device", Popup::device},
                                      {"options", Popup::options},
                                      {"kernel", Popup::kernel}})
      check(ctx, name, on("scan/hierarchical", 64), [p = popup] { ui().of<Popups>().wants = p; });
    check(ctx, "troubles", on("mistakes/missing-barrier"), [] {
      for (const ImGuiWindow* w : ImGui::GetCurrentContext()->Windows)
        if (std::string(w->Name) == "app")
          ImGui::ActivateItemByID(const_cast<ImGuiWindow*>(w)->GetID("troubles"));
    });
  });
  add_test(e, "layout", "palette_and_sheets", [](ImGuiTestContext* ctx) {
    for (const char* typed : {"", "sc", "/", "qqqq"})
      check(ctx, std::string("palette ") + typed, on("scan/blelloch"), [&] {
        run("palette");
        ui().of<Palette>().typed = typed;
      });
    for (const Asks asks : {Asks::open, Asks::save})
      check(ctx, asks == Asks::open ? "path to open" : "path to save", on("scan/blelloch"),
            [&] { run(asks == Asks::open ? "file.open" : "file.save"); });
    check(ctx, "keys", on("scan/blelloch"), [] { ui().of<Popups>().wants = Popup::keys; });
    check(ctx, "glossary", on("scan/blelloch"), [] { ui().of<Popups>().wants = Popup::glossary; });
  });
  add_test(e, "layout", "lessons", [](ImGuiTestContext* ctx) {
    check(ctx, "list of lessons", on("scan/blelloch"), [] { run("lesson.all"); });
    for (const LessonEntry& l : lesson_entries(app().state, app().ui))
      check(
          ctx, "lesson " + l.id, on("scan/blelloch"), [&] { start_lesson(app().state, app().ui, l.id); },
          test::all_or_part(in_short(), {in_short()[1]}));  // a lesson's program is compiled each time
  });
  add_test(e, "layout", "export_and_notices", [](ImGuiTestContext* ctx) {
    check(ctx, "export", on("scan/blelloch"), [] { run("export"); });
    check(ctx, "notices", on("scan/blelloch"), [] {
      notify(app().ui, tr("Steps change at once"));
      notify(app().ui, definition("up-sweep"));
      app().drop("/none/such/a/file/with/quite/a/long/name/that/goes/on/and/on/numbers.txt");
    });
    check(ctx, "a refused parameter", on("scan/blelloch"), [] {
      Target t = app().state.target;
      t.request.block = 48;
      app().state = opened(app().state, t, Where::parameters);
      ui().of<Popups>().wants = Popup::kernel;
    });
  });
}};

}  // namespace
}  // namespace bscope

// The app's manners, by keyboard alone: palette, key sheet, letters, undo, popovers, files, language,
// notices.
#include <imgui_internal.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <sstream>

#include "app/cli/command.hpp"
#include "app/draw/chart.hpp"
#include "app/draw/letters.hpp"
#include "app/run/first_kernel.hpp"
#include "app/run/titles.hpp"
#include "app/shell/commands.hpp"
#include "app/shell/labels.hpp"
#include "app/shell/notices.hpp"
#include "app/shell/palette.hpp"
#include "app/shell/settings_file.hpp"
#include "app/shell/sheets.hpp"
#include "app/tabs/compare/compare_state.hpp"
#include "app/tabs/time/time_state.hpp"
#include "app/words/glossary.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/simt/algorithm.hpp"
#include "engine/simt/parameter.hpp"
#include "tests/places.hpp"
#include "tests/sanitized.hpp"
#include "tests/ui/harness.hpp"

namespace bscope {
namespace {

namespace fs = std::filesystem;

const LoadedState& state() { return app().state; }
UiState& ui() { return app().ui; }
int step() { return step_of(*state().run, state().cursor); }
bool popup_open() { return ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup); }

using Test = void (*)(ImGuiTestContext*);
void add(ImGuiTestEngine* e, const char* name, Test test) {
  ImGuiTest* t = ImGuiTestEngine_RegisterTest(e, "shell", name, __FILE__, __LINE__);
  t->UserData = reinterpret_cast<void*>(test);
  t->TestFunc = [](ImGuiTestContext* ctx) {
    restart();
    ctx->MouseMoveToPos({2, 2});
    ctx->SetRef("//app");
    ctx->Yield(3);
    reinterpret_cast<Test>(ctx->Test->UserData)(ctx);
    app().ui.of<Labels>() = {};
    for (int i = 0; i < 4 && popup_open(); ++i) ctx->KeyPress(ImGuiKey_Escape);
    app().state.language = Language::en;
    ctx->Yield(2);
  };
}

void type(ImGuiTestContext* ctx, const char* words) {
  ctx->KeyChars(words);
  ctx->Yield(2);
}
/// Opens the palette, types and enters.
void command(ImGuiTestContext* ctx, const char* words) {
  ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_K);
  ctx->Yield(2);
  type(ctx, words);
  ctx->KeyPress(ImGuiKey_Enter);
  ctx->Yield(3);
}

/// Types the letters that stand on what is wanted.
bool press_label(ImGuiTestContext* ctx, const std::function<bool(const Label&)>& wanted) {
  ctx->KeyPress(ImGuiKey_F);
  ctx->Yield(4);
  const auto& all = ui().of<Labels>().all;
  const auto found = std::find_if(all.begin(), all.end(), wanted);
  if (found == all.end()) {
    ctx->KeyPress(ImGuiKey_Escape);
    return false;
  }
  for (const char letter : std::string(found->letters)) ctx->KeyPress(ImGuiKey(ImGuiKey_A + (letter - 'A')));
  ctx->Yield(4);
  return true;
}
bool press_hit(ImGuiTestContext* ctx, const std::string& picture, const std::string& hit) {
  return press_label(ctx, [&](const Label& l) { return l.picture == picture && l.hit == hit; });
}

void steps_and_beside(ImGuiTestEngine* e) {
  add(e, "one_key_to_the_first_up_sweep", [](ImGuiTestContext* ctx) {
    for (const ImGuiKey key : {ImGuiKey_RightArrow, ImGuiKey_Space}) {
      restart(std::string(first_kernel));
      ctx->Yield(2);
      IM_CHECK_STR_EQ(interval_at(*state().run, state().cursor).phase.c_str(), "load");
      ctx->KeyPress(key);
      const Interval& here = interval_at(*state().run, state().cursor);
      IM_CHECK_STR_EQ(here.phase.c_str(), "up-sweep");
      IM_CHECK_EQ(here.index, 1);
    }
  });
  add(e, "three_keys_to_the_padded_one_beside", [](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_RightArrow);
    ctx->KeyPress(ImGuiKey_5);
    ctx->Yield(3);
    IM_CHECK(state().tab == "compare");
    IM_CHECK(state().results.of<CompareRuns>().other != nullptr);
    IM_CHECK_EQ(state().run->trace.kernel, std::string("scan/blelloch"));
    IM_CHECK_EQ(state().results.of<CompareRuns>().other->trace.kernel, std::string("scan/blelloch-padded"));
  });
}

void palette(ImGuiTestEngine* e) {
  add(e, "palette_opens_kernels_runs_commands_and_closes", [](ImGuiTestContext* ctx) {
    command(ctx, "kogge");
    IM_CHECK(!popup_open());
    IM_CHECK_EQ(state().run->trace.kernel, std::string("scan/kogge-stone"));
    command(ctx, "last step");
    IM_CHECK_EQ(step(), steps(*state().run) - 1);
    command(ctx, "dark and light");
    IM_CHECK(state().theme == ThemeName::light);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
    ctx->Yield(2);
    IM_CHECK(popup_open());
    type(ctx, "zzzzqq");
    IM_CHECK(ui().of<Palette>().found.empty());
    ctx->KeyPress(ImGuiKey_Enter);  // nothing to do, and still there to type on
    ctx->Yield(2);
    IM_CHECK(popup_open());
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(2);
    IM_CHECK(!popup_open());
  });
  add(e, "palette_is_walked_by_arrows", [](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_K);
    ctx->Yield(2);
    ctx->KeyPress(ImGuiKey_DownArrow, 3);
    IM_CHECK_EQ(ui().of<Palette>().chosen, 3);
    ctx->KeyPress(ImGuiKey_UpArrow, 4);
    IM_CHECK_EQ(ui().of<Palette>().chosen, int(ui().of<Palette>().found.size()) - 1);
    IM_CHECK_EQ(step(), 0);  // the arrows were the palette's alone
  });
  add(e, "palette_finds_everything_by_a_few_letters", [](ImGuiTestContext* ctx) {
    auto& p = app().ui.of<Palette>();
    app().ui.of<SettingsFile>().settings.recent = {"/home/ann/lectures/week-3/prefix-sums.bscope",
                                                   "/tmp/scores.csv"};
    const auto found = [&](const std::string& typed) -> const auto& {
      p.typed = typed;
      search_palette(state(), app().ui);
      return p.found;
    };
    /// Whether the letters bring it among the rows that are seen at once.
    const auto in_sight = [&](const std::string& typed, const std::string& title, const std::string& group) {
      const auto& rows = found(typed);
      for (size_t i = 0; i < std::min<size_t>(rows.size(), 10); ++i)
        if (p.items[rows[i].item].title == title && p.items[rows[i].item].group == group) return true;
      ctx->LogError("\"%s\" does not find \"%s\" of %s", typed.c_str(), title.c_str(), group.c_str());
      return false;
    };
    int wrong = 0, asked = 0;
    for (const Language language : {Language::en, Language::zh}) {
      app().state.language = language;
      ctx->Yield(2);
      found("");
      const std::vector<PaletteItem> all = p.items;
      for (const PaletteItem& item : all) {
        if (++asked % test::all_or_part(1, 4)) continue;
        wrong += !in_sight(item.title, item.title, item.group);  // in full
        // the beginnings of its two longest words; of Chinese, the last four characters
        std::vector<std::string> words;
        std::istringstream split(item.title);
        for (std::string w; split >> w;) words.push_back(w);
        std::string few;
        if (static_cast<unsigned char>(item.title[0]) >= 0x80) {
          size_t from = item.title.size();
          for (int i = 0; i < 4 && from > 0; ++i) from = cut_before(item.title, from - 1);
          few = item.title.substr(from);
        } else {
          std::vector<size_t> longest(words.size());
          std::iota(longest.begin(), longest.end(), size_t(0));
          std::stable_sort(longest.begin(), longest.end(),
                           [&](size_t l, size_t r) { return words[l].size() > words[r].size(); });
          longest.resize(std::min<size_t>(2, longest.size()));
          std::sort(longest.begin(), longest.end());
          for (const size_t w : longest) few += words[w].substr(0, cut_before(words[w], 4));
        }
        wrong += !in_sight(few, item.title, item.group);
      }
      // the English name finds it in every language
      for (const Algorithm* a : catalog())
        wrong +=
            !in_sight(a->name.substr(a->name.find('/') + 1), translated(a->title), family_name(a->family()));
      wrong += !in_sight("prefsum", "prefix-sums.bscope", tr("Recent files"));
      wrong += !in_sight("scorcsv", "scores.csv", tr("Recent files"));
    }
    IM_CHECK_GT(asked, 300);
    IM_CHECK_EQ(wrong, 0);
    p.typed.clear();
  });
  add(e, "palette_finds_every_command_kernel_and_term_by_its_name", [](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_K);
    ctx->Yield(2);
    const auto has = [&](const std::string& title) {
      const auto& p = ui().of<Palette>();
      return std::any_of(p.items.begin(), p.items.end(),
                         [&](const PaletteItem& i) { return i.title == title; });
    };
    for (const Command& c : commands())
      if (c.id != "palette" && (!c.can || c.can(state(), app().ui))) IM_CHECK(has(c.title));
    for (const Algorithm* a : catalog()) IM_CHECK(has(a->title));
    for (const Term& t : glossary()) IM_CHECK(has(t.word));
  });
  add(e, "palette_tells_a_term", [](ImGuiTestContext* ctx) {
    command(ctx, "wavefront");
    IM_CHECK_EQ(ui().of<Notices>().all.size(), size_t(1));
    IM_CHECK(ui().of<Notices>().all[0].words.starts_with("Wavefront: "));
  });
  add(e, "palette_opens_lessons", [](ImGuiTestContext* ctx) {
    command(ctx, "lesson-that-is-none-xyz");
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_K);
    ctx->Yield(2);
    const auto& items = ui().of<Palette>().items;
    const auto lesson = std::find_if(items.begin(), items.end(), [](const PaletteItem& i) {
      return i.group == "Lessons" && !i.also.empty() && i.keys.empty() && !i.detail.empty();
    });
    IM_CHECK(lesson != items.end());
    const std::string id = lesson->also, title = lesson->title;
    type(ctx, title.c_str());
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(3);
    IM_CHECK_EQ(state().lesson.lesson, id);
  });
  add(e, "palette_presets", [](ImGuiTestContext* ctx) {
    restart("histogram/global-atomics");
    ctx->Yield(2);
    command(ctx, "queue-7x20");
    IM_CHECK_EQ(state().target.request.preset, std::string("queue-7x20"));
  });
}

void sheets(ImGuiTestEngine* e) {
  add(e, "key_sheet_opens_and_closes", [](ImGuiTestContext* ctx) {
    for (const ImGuiKeyChord key :
         {ImGuiKeyChord(ImGuiMod_Shift | ImGuiKey_Slash), ImGuiKeyChord(ImGuiKey_F1)}) {
      ctx->KeyPress(key);
      ctx->Yield(3);
      IM_CHECK(popup_open());
      ctx->KeyPress(ImGuiKey_Escape);
      ctx->Yield(2);
      IM_CHECK(!popup_open());
    }
    ctx->KeyPress(ImGuiKey_F5);
    ctx->KeyPress(ImGuiKey_F1);
    ctx->Yield(3);
    const int pages = ui().of<KeySheetPages>().sheet.pages;
    for (int i = 0; i < pages + 1; ++i) {
      ctx->KeyPress(ImGuiKey_RightArrow);
      ctx->Yield(2);
    }
    IM_CHECK_EQ(ui().of<KeySheetPages>().page, pages - 1);
    IM_CHECK_EQ(step(), 0);
  });
  add(e, "no_two_commands_of_a_tab_share_a_key", [](ImGuiTestContext*) {
    for (size_t i = 0; i < commands().size(); ++i)
      for (size_t k = i + 1; k < commands().size(); ++k) {
        const Command &a = commands()[i], &b = commands()[k];
        // a tab's own keys go before all others', and so do those that ask
        if (a.tab != b.tab || a.can || b.can) continue;
        for (const ImGuiKeyChord key : a.keys)
          IM_CHECK_NO_RET(std::find(b.keys.begin(), b.keys.end(), key) == b.keys.end());
      }
  });
  add(e, "the_page_of_keys_tells_of_keys_that_there_are", [](ImGuiTestContext* ctx) {
    std::ifstream in(BARRIERSCOPE_ROOT "/docs/keys.md");
    const std::string readme{std::istreambuf_iterator<char>(in), {}}, head = "| key | does |\n|---|---|\n";
    const size_t from = readme.find(head) + head.size(), to = readme.find("\n\n", from);
    IM_CHECK(to != std::string::npos);
    std::string table = readme.substr(from, to + 1 - from);
    for (const Command& c : commands()) {
      if (c.keys.empty()) continue;
      std::vector<std::string> names;
      for (const ImGuiKeyChord key : c.keys)
        if (const std::string name = key_name(key);
            std::find(names.begin(), names.end(), name) == names.end())
          names.push_back(name);
      std::string row = "| ";
      for (const std::string& name : names) row += (row.size() > 2 ? ", " : "") + name;
      row += " | " + c.title + " |\n";
      const size_t at = table.find(row);
      // other tabs' keys may be left to the key sheet
      if (at == std::string::npos && c.group == "App") ctx->LogError("README.md lacks %s", row.c_str());
      if (c.group == "App") IM_CHECK_NO_RET(at != std::string::npos);
      if (at != std::string::npos) table.erase(at, row.size());
    }
    IM_CHECK_STR_EQ(table.c_str(), "");  // rows that no command has
  });
  add(e, "glossary", [](ImGuiTestContext* ctx) {
    command(ctx, "what the words mean");
    IM_CHECK(popup_open());
    IM_CHECK(!ui().of<KeySheetPages>().sheet.picture.shapes.empty());
  });
}

void letters(ImGuiTestEngine* e) {
  add(e, "letters_press_hits_and_controls", [](ImGuiTestContext* ctx) {
    IM_CHECK(press_hit(ctx, "timeline", "step:4"));
    IM_CHECK_EQ(step(), 4);
    // ImGui's own: the tab by its letters
    const ImGuiTestItemInfo banks = ctx->ItemInfo("//app/Banks");
    IM_CHECK(press_label(ctx, [&](const Label& l) { return l.item == banks.ID; }));
    IM_CHECK(state().tab == "banks");
    // letters that stand nowhere, and Esc, leave it
    ctx->KeyPress(ImGuiKey_F);
    ctx->Yield(4);
    IM_CHECK(ui().of<Labels>().on);
    ctx->KeyPress(ImGuiKey_Escape);
    IM_CHECK(!ui().of<Labels>().on);
  });
  add(e, "no_letters_begin_others_and_none_are_missing", [](ImGuiTestContext* ctx) {
    for (const ImGuiKey tab : {ImGuiKey_1, ImGuiKey_2, ImGuiKey_3, ImGuiKey_4, ImGuiKey_5, ImGuiKey_6}) {
      ctx->KeyPress(tab);
      ctx->Yield(3);
      ctx->KeyPress(ImGuiKey_F);
      ctx->Yield(4);
      const auto& all = ui().of<Labels>().all;
      IM_CHECK_GT(all.size(), size_t(8));
      for (size_t i = 0; i < all.size(); ++i)
        for (size_t k = 0; k < all.size(); ++k)
          if (i != k) IM_CHECK_NO_RET(!all[i].letters.starts_with(all[k].letters));
      ctx->KeyPress(ImGuiKey_Escape);
    }
  });
  add(e, "a_slider_is_moved_by_keys", [](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_6);
    ctx->Yield(3);
    IM_CHECK(press_hit(ctx, "time", "n"));
    const int before = state().of<TimeState>().log_n;
    IM_CHECK(ui().of<KeyedSlider>().any());
    ctx->KeyPress(ImGuiKey_LeftArrow);
    ctx->Yield(2);
    IM_CHECK_EQ(state().of<TimeState>().log_n, before - 1);
    IM_CHECK_EQ(step(), 0);
    ctx->KeyPress(ImGuiKey_RightArrow, 2);
    ctx->Yield(2);
    IM_CHECK_EQ(state().of<TimeState>().log_n, before + 1);
    ctx->KeyPress(ImGuiKey_Escape);
    IM_CHECK(!ui().of<KeyedSlider>().any());
  });
}

void undoing(ImGuiTestEngine* e) {
  add(e, "undo_and_redo", [](ImGuiTestContext* ctx) {
    command(ctx, "kogge");
    ctx->KeyPress(ImGuiKey_2);
    ctx->Yield(2);
    ctx->KeyPress(ImGuiKey_T);  // looks are no change
    ctx->Yield(2);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    IM_CHECK(state().tab == "watch");
    IM_CHECK(state().theme == ThemeName::light);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    IM_CHECK_EQ(state().run->trace.kernel, std::string("scan/blelloch"));
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Y);
    IM_CHECK_EQ(state().run->trace.kernel, std::string("scan/kogge-stone"));
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Z);
    IM_CHECK(state().tab == "banks");
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z, 5);  // further than there is
    IM_CHECK_EQ(state().run->trace.kernel, std::string("scan/blelloch"));
  });
  add(e, "a_drag_is_one_change", [](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_6);
    ctx->Yield(3);
    const int before = state().of<TimeState>().log_n;
    const auto& hits = app().ui.pictures.at("time").picture.hits;
    const auto n = std::find_if(hits.begin(), hits.end(), [](const HitRegion& h) { return h.name == "n"; });
    const Box area = app().ui.pictures.at("time").area, b = n->box;
    ctx->MouseMoveToPos({area.x + b.x + b.w * 0.8f, area.y + b.centre().y});
    ctx->MouseDown();
    for (float share : {0.6f, 0.4f, 0.2f})
      ctx->MouseMoveToPos({area.x + b.x + b.w * share, area.y + b.centre().y});
    ctx->MouseUp();
    ctx->Yield(3);
    IM_CHECK(state().of<TimeState>().log_n != before);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    IM_CHECK_EQ(state().of<TimeState>().log_n, before);
    IM_CHECK(state().tab == "time");
  });
}

void popovers(ImGuiTestEngine* e) {
  add(e, "parameters_on_every_tab_by_keys", [](ImGuiTestContext* ctx) {
    for (const ImGuiKey tab : {ImGuiKey_1, ImGuiKey_2, ImGuiKey_3, ImGuiKey_5}) {
      restart();
      ctx->Yield(2);
      ctx->KeyPress(tab);
      ctx->Yield(2);
      ctx->KeyPress(ImGuiKey_K);
      ctx->Yield(3);
      IM_CHECK(popup_open());
      // arrows walk over the list, Enter opens; Tab goes on to the parameters
      for (int i = 0; i < 3; ++i) {
        ctx->KeyPress(ImGuiKey_DownArrow);
        ctx->Yield();
      }
      ctx->KeyPress(ImGuiKey_Enter);
      ctx->Yield(2);
      IM_CHECK_NE(state().run->trace.kernel, std::string("scan/blelloch"));
      IM_CHECK_EQ(step(), 0);
      ctx->KeyPress(ImGuiKey_Escape);
      ctx->Yield(2);
      if (popup_open()) ctx->KeyPress(ImGuiKey_Escape);
      ctx->Yield(2);
      IM_CHECK(!popup_open());
    }
  });
  add(e, "header_controls_open_their_popovers", [](ImGuiTestContext* ctx) {
    for (const char* id : {"fact kernel", "fact device", "fact place", "fact input", "options", "keys"}) {
      ctx->ItemClick(id);
      ctx->Yield(2);
      IM_CHECK(popup_open());
      ctx->KeyPress(ImGuiKey_Escape);
      ctx->Yield(2);
      IM_CHECK(!popup_open());
    }
    ctx->ItemClick("language");
    ctx->Yield(2);
    IM_CHECK(state().language == Language::zh);
  });
  add(e, "the_projector_has_them_too", [](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_F5);
    ctx->Yield(2);
    ctx->ItemClick("fact kernel");
    ctx->Yield(2);
    IM_CHECK(popup_open());
  });
  add(e, "blocks_and_launches", [](ImGuiTestContext* ctx) {
    RunSpec r;
    r.kernel = "scan/hierarchical";
    r.n = 40;
    r.block = 4;
    restart(r);
    ctx->Yield(2);
    ctx->ItemClick("fact place");
    ctx->Yield(2);
    ctx->SetRef(ImGui::GetCurrentContext()->OpenPopupStack.back().Window->ID);
    ctx->ItemInputValue("##block number", 2);
    ctx->Yield();
    IM_CHECK_EQ(state().cursor.block, 2);
  });
  add(e, "language_by_key_and_back", [](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_L);
    ctx->Yield(2);
    IM_CHECK(state().language == Language::zh);
    IM_CHECK(spoken() == Language::zh);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_L);
    ctx->Yield(2);
    IM_CHECK(spoken() == Language::en);
  });
  add(e, "options_by_palette", [](ImGuiTestContext* ctx) {
    command(ctx, "change at once");
    IM_CHECK(state().reduced_motion);
    ctx->KeyPress(ImGuiKey_RightArrow);
    IM_CHECK_EQ(state().cursor.phase, 1.0f);
    command(ctx, "change language");
    IM_CHECK(popup_open());
  });
}

std::string scratch(const char* name) {
  const fs::path folder = fs::temp_directory_path() / "barrierscope-ui";
  fs::create_directories(folder);
  return (folder / name).string();
}

void files(ImGuiTestEngine* e) {
  add(e, "save_and_open_by_a_typed_path", [](ImGuiTestContext* ctx) {
    const std::string path = scratch("session.bscope");
    fs::remove(path);
    ctx->KeyPress(ImGuiKey_RightArrow, 3);
    const int here = step();
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_S);
    ctx->Yield(3);
    IM_CHECK(popup_open());
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_A);
    type(ctx, path.c_str());
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(3);
    IM_CHECK(fs::exists(path));
    IM_CHECK_EQ(app().ui.of<SettingsFile>().settings.recent.front(), path);
    command(ctx, "kogge");
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_O);
    ctx->Yield(3);
    type(ctx, path.c_str());
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(3);
    IM_CHECK_EQ(state().error.english(), std::string());
    IM_CHECK_EQ(state().run->trace.kernel, std::string("scan/blelloch"));
    IM_CHECK_EQ(step(), here);
    command(ctx, "kogge");
    command(ctx, "session.bscope");  // among the recent files
    IM_CHECK_EQ(state().run->trace.kernel, std::string("scan/blelloch"));
  });
  add(e, "drop_numbers_and_refuse_nonsense", [](ImGuiTestContext* ctx) {
    const std::string numbers = scratch("numbers.csv"), words = scratch("words.txt");
    std::ofstream(numbers) << "4, 8\n15,16\t23 42\n";
    std::ofstream(words) << "four eight\n";
    app().drop(numbers);
    wait_until(ctx, [] { return state().run->report.input.size() == 6; });
    IM_CHECK_EQ(state().error.english(), std::string());
    IM_CHECK(state().run->report.input == (std::vector<double>{4, 8, 15, 16, 23, 42}));
    const auto run = state().run;
    const std::string empty_folder = scratch("nothing");
    fs::create_directories(empty_folder);
    for (const std::string& bad : {words, scratch("missing.txt"), empty_folder}) {
      app().drop(bad);
      wait_until(ctx, [] { return !state().error.empty(); });
      IM_CHECK(!state().error.empty());
      IM_CHECK(state().run == run);
      ctx->KeyPress(ImGuiKey_Escape);
      ctx->Yield(2);
      IM_CHECK(state().error.empty());
    }
  });
  add(e, "paste", [](ImGuiTestContext* ctx) {
    ImGui::SetClipboardText("3\t1\n7\t0\n4, 1\n6 3\n");
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_V);
    ctx->Yield(2);
    IM_CHECK(state().run->report.input == (std::vector<double>{3, 1, 7, 0, 4, 1, 6, 3}));
    ImGui::SetClipboardText("three");
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_V);
    ctx->Yield(2);
    IM_CHECK(state().error.english().find("three") != std::string::npos);
    IM_CHECK_EQ(state().run->report.input.size(), size_t(8));
    ctx->KeyPress(ImGuiKey_Escape);
    ImGui::SetClipboardText("");
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_V);
    ctx->Yield(2);
    IM_CHECK(!state().error.empty());
  });
  add(e, "settings_are_kept", [](ImGuiTestContext* ctx) {
    const std::string path = scratch("settings.json");
    fs::remove(path);
    app().keep_settings({}, path);
    ctx->KeyPress(ImGuiKey_T);
    ctx->Yield(2);
    IM_CHECK(read_settings(path).theme == ThemeName::light);
    ctx->SetRef(ctx->WindowInfo("//app/kernels").Window->ID);
    ctx->ItemClick("scan/family");
    ctx->Yield(2);
    IM_CHECK(read_settings(path).folded == std::vector<std::string>{"scan"});
    ctx->ItemClick("scan/family");
    ctx->SetRef("//app");
  });
}

}  // namespace

void register_shell_controls(ImGuiTestEngine* e) {
  steps_and_beside(e);
  palette(e);
  sheets(e);
  letters(e);
  undoing(e);
  popovers(e);
  files(e);
}

}  // namespace bscope

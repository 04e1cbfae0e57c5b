// The registry of commands: a key does one thing, whatever is on screen.
#include <algorithm>
#include <map>

#include "app/session/tab.hpp"
#include "app/shell/commands.hpp"
#include "app/shell/lesson.hpp"
#include "app/tabs/watch/steps.hpp"
#include "app/tabs/watch/watch_state.hpp"
#include "tests/ui/harness.hpp"

namespace bscope {
namespace {

/// Commands that a key could run on a tab when it is their turn.
std::vector<const Command*> of_key(ImGuiKeyChord key, const std::string& tab, int turn) {
  std::vector<const Command*> out;
  for (const Command& c : commands())
    if (turn_of(c) == turn && (c.tab.empty() || c.tab == tab) &&
        std::find(c.keys.begin(), c.keys.end(), key) != c.keys.end())
      out.push_back(&c);
  return out;
}

std::vector<ImGuiKeyChord> all_keys() {
  std::vector<ImGuiKeyChord> keys;
  for (const Command& c : commands()) keys.insert(keys.end(), c.keys.begin(), c.keys.end());
  return keys;
}

/// The state of the running app, as a step of it makes it.
void now(ImGuiTestContext* ctx, LoadedState s) {
  app().state = std::move(s);
  ctx->Yield(2);
}

/// How many keys two commands of one turn would answer to.
int clashes(ImGuiTestContext* ctx, const char* where) {
  int found = 0;
  for (const ImGuiKeyChord key : all_keys())
    for (const int turn : {0, 1, 2, 3}) {
      std::string able;
      int count = 0;
      for (const Command* c : of_key(key, app().state.tab, turn)) {
        if (c->can && !c->can(app().state, app().ui)) continue;
        able += " " + c->id;
        ++count;
      }
      if (count < 2) continue;
      ++found;
      ctx->LogError("%s, tab %s: %s runs%s", where, app().state.tab.c_str(), key_name(key).c_str(),
                    able.c_str());
    }
  return found;
}

const RegisterControls tests{[](ImGuiTestEngine* e) {
  add_test(e, "commands", "a_key_does_one_thing", [](ImGuiTestContext* ctx) {
    const auto on_every_tab = [&](const char* where) {
      for (const Tab* t : tabs()) {
        app().state.tab = t->name;
        ctx->Yield(2);
        IM_CHECK_EQ_NO_RET(clashes(ctx, where), 0);
      }
      app().state.tab = "watch";
      ctx->Yield(2);
    };
    // what a command may ask about, each with each
    for (const bool several : {false, true}) {
      RunSpec r;
      r.kernel = several ? "scan/hierarchical" : "scan/blelloch";
      if (several) r.n = 64;
      restart(r);
      ctx->Yield(2);
      for (const int lesson : {0, 1, 2})
        for (const int asking : {0, 1, 2})
          for (const bool tree : {false, true}) {
            LoadedState s = to_step(app().state, 3);
            s.tab = "watch";
            s.lesson.open = lesson > 0;
            s.lesson.lesson = lesson == 2 ? "blelloch" : "";
            s = asking ? predict(std::move(s)) : leave_prediction(std::move(s));
            if (asking == 2) s = reveal(std::move(s));
            s = select_next(std::move(s), 1);
            s.of<WatchState>().why_levels = tree ? 3 : 0;
            s.of<WatchState>().why_tall = tree;
            s.of<WatchState>().why_row = tree ? 0 : -1;
            now(ctx, std::move(s));
            on_every_tab(("lesson " + std::to_string(lesson) + ", question " + std::to_string(asking) +
                          (tree ? ", tree" : ""))
                             .c_str());
          }
    }
  });
  add_test(e, "commands", "each_has_a_name_of_its_own", [](ImGuiTestContext* ctx) {
    std::map<std::string, int> ids, titles;
    for (const Command& c : commands()) {
      IM_CHECK(++ids[c.id] == 1 && c.run && !c.title.empty() && !c.group.empty());
      const std::string listed = c.group + ": " + c.title;
      if (++titles[listed] > 1) ctx->LogError("two commands are called \"%s\"", listed.c_str());
      IM_CHECK_NO_RET(titles[listed] == 1);
    }
    IM_CHECK_GT(int(ids.size()), 60);
  });
}};

}  // namespace
}  // namespace bscope

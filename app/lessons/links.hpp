// Links of lessons: where they lead, and mistakes in a text: links that lead nowhere, marks that are not
// closed.
#pragma once

#include <string>
#include <vector>

#include "app/run/cursor.hpp"
#include "app/run/run_store.hpp"

namespace bscope {

struct Lesson;
struct LoadedState;
struct Mistake;
struct Target;

/// What a link's tooltip says; empty: it leads nowhere.
std::string link_tip(const std::string& target);
/// The state where a link leads: another kernel, order or comparison, a cell, a thread. What a tab does not
/// show is shown in Watch. Lessons and their steps are left to the caller.
LoadedState followed(LoadedState, const std::string& target, RunStore&);

/// What links can lead to, in one step of a lesson.
struct LinkPlaces {
  const Lesson& lesson;
  RunPtr run;  ///< of the step; the store may keep what is derived from it
  const Cursor& cursor;
  const Target& target;
  RunStore& runs;
};
/// Every link of a text (its placeholders filled in) that leads nowhere, and every link and piece of code
/// without an end; `line` is where the text begins in its file.
std::vector<Mistake> link_mistakes(const std::string& text, int line, const LinkPlaces&);

/// Braces of the text as it was typed that close nothing.
std::vector<Mistake> brace_mistakes(const std::string& text, int line);
/// Placeholders in a title, where none are filled in.
std::vector<Mistake> title_mistakes(const std::string& title, int line);

}  // namespace bscope

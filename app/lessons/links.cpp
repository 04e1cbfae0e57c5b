#include "app/lessons/links.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "app/assignments/assignment.hpp"
#include "app/assignments/course.hpp"
#include "app/lessons/document.hpp"
#include "app/lessons/place.hpp"
#include "app/lessons/play.hpp"
#include "app/lessons/shelf.hpp"
#include "app/run/run.hpp"
#include "app/session/tab.hpp"
#include "app/tabs/compare/steps.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/edit_distance.hpp"

namespace bscope {
namespace {

/// Is it a whole number from `least` to `most`?
bool is_count(const std::string& text, long long least, long long most) {
  const auto v = as_whole(text);
  return v && *v >= least && *v <= most;
}

std::string nearest(const std::vector<std::string>& names, const std::string& to) {
  return names.empty() ? ""
                       : *std::ranges::min_element(names, {}, [&](auto& n) { return edit_distance(n, to); });
}

Message no_lesson(const std::string& id, const LinkPlaces& at) {
  LessonShelf shelf;
  shelf.refresh();
  if (id == at.lesson.id || std::ranges::count(shelf.ids(), id)) return {};
  if (!lesson_beside(at.lesson.path, id).empty()) return {};
  return message("there is no lesson \"{}\": did you mean {}? `barrierscope list` names them all", id,
                 nearest(shelf.ids(), id));
}
Message no_assignment(const std::string& name, const LinkPlaces& at) {
  if (!assignment_beside(at.lesson.path, name).empty()) return {};
  std::vector<std::string> names;
  for (const KnownAssignment& known : known_assignments()) names.push_back(known.name);
  if (std::ranges::count(names, name)) return {};
  return message("there is no assignment \"{}\": did you mean {}? `barrierscope new` names them all", name,
                 nearest(names, name));
}
Message no_step(const std::string& step, const LinkPlaces& at) {
  if (is_count(step, 1, (long long)at.lesson.steps.size())) return {};
  return message("there is no step {} in this lesson: they are 1 to {}", step, at.lesson.steps.size());
}
Message no_cell(const std::string& cell, const LinkPlaces& at) {
  if (cell_of(*at.run, at.cursor.launch, cell)) return {};
  return message("there is no cell {} here: the run has {}", cell, arrays_of(*at.run, at.cursor.launch));
}
Message no_thread(const std::string& thread, const LinkPlaces& at) {
  const int threads = at.run->trace.launches[size_t(at.cursor.launch)].block;
  if (is_count(thread, 0, threads - 1)) return {};
  return message("there is no thread {}: a block of this run has {}, from 0", thread, threads);
}
Message no_order(const std::string& order, const LinkPlaces&) {
  try {
    parse_schedule(order);
    return {};
  } catch (const std::exception& e) { return message_of(e); }
}
/// The state on the step's run.
LoadedState shown(const LinkPlaces& at) {
  LoadedState s;
  s.target = at.target;
  s.run = at.run;
  return s;
}
Message no_kernel(const std::string& kernel) {
  std::vector<std::string> names;
  for (const Algorithm* a : catalog()) names.push_back(a->name);
  return algorithm_of(kernel) ? Message()
                              : message(
                                    "there is no kernel \"{}\": did you mean {}? `barrierscope list` "
                                    "names them all",
                                    kernel, nearest(names, kernel));
}
LoadedState with_kernel_alone(LoadedState s, const std::string& kernel, RunStore& runs) {
  Target t;
  t.request.kernel = kernel;
  return opened(std::move(s), t, Where::nowhere, runs);
}

/// What links lead to, by the word before their colon.
struct LinkKind {
  const char* name;
  const char* tip;
  Message (*broken)(const std::string& which, const LinkPlaces&);  ///< why it leads nowhere, or empty
  LoadedState (*follow)(LoadedState, const std::string& which,
                        RunStore&);  ///< null: the window does it
};
constexpr LinkKind kinds[]{
    {"kernel", tr_noop("Opens the kernel {}."),
     [](const std::string& kernel, const LinkPlaces& at) {
       const Message none = no_kernel(kernel);
       return none.empty() ? with_kernel_alone(shown(at), kernel, at.runs).error : none;
     },
     [](LoadedState s, const std::string& kernel, RunStore& runs) {
       return with_kernel_alone(std::move(s), kernel, runs);
     }},
    {"lesson", tr_noop("Opens the lesson {}."), no_lesson, nullptr},
    {"assignment", tr_noop("Writes the starting file of the assignment {}, and opens it in the editor."),
     no_assignment, nullptr},
    {"step", tr_noop("Goes to step {} of this lesson."), no_step, nullptr},
    {"cell", tr_noop("Selects the cell {}."), no_cell,
     [](LoadedState s, const std::string& name, RunStore&) {
       const auto cell =
           s.run->trace.launches.empty() ? std::nullopt : cell_of(*s.run, s.cursor.launch, name);
       if (!cell) return s;
       s.cursor.cell = cell;
       s.cursor.thread = -1;
       s.tab = main_tab;
       return s;
     }},
    {"thread", tr_noop("Follows thread {}."), no_thread,
     [](LoadedState s, const std::string& thread, RunStore&) {
       const auto& launches = s.run->trace.launches;
       if (launches.empty() || !is_count(thread, 0, launches[size_t(s.cursor.launch)].block - 1)) return s;
       s.cursor.thread = int(*as_whole(thread));
       s.cursor.cell.reset();
       s.tab = main_tab;
       return s;
     }},
    {"compare", tr_noop("Puts {} beside this run."),
     [](const std::string& kernel, const LinkPlaces& at) {
       const Message none = no_kernel(kernel);
       return none.empty() ? with_other(shown(at), kernel, at.runs).error : none;
     },
     [](LoadedState s, const std::string& kernel, RunStore& runs) {
       s = with_other(std::move(s), kernel, runs);
       if (const auto tab = std::ranges::find_if(tabs(), [](const Tab* t) { return t->compares; });
           tab != tabs().end())
         s.tab = (*tab)->name;
       return s;
     }},
    {"order", tr_noop("Runs it again in the order {}."), no_order,
     [](LoadedState s, const std::string& order, RunStore& runs) {
       Target t = s.target;
       t.schedule = parse_schedule(order);
       return opened(std::move(s), t, Where::nowhere, runs);
     }},
};

/// The kind of link, and what stands behind its colon; null: it leads nowhere.
std::pair<const LinkKind*, std::string> parts_of(const std::string& target) {
  const size_t colon = target.find(':');
  if (colon == std::string::npos) return {};
  const auto kind = std::ranges::find(kinds, std::string_view(target).substr(0, colon),
                                      [](const LinkKind& k) { return std::string_view(k.name); });
  return {kind == std::end(kinds) ? nullptr : kind, target.substr(colon + 1)};
}

/// Why the target leads nowhere; empty if it does lead somewhere.
Message broken(const std::string& target, const LinkPlaces& at) {
  const auto [kind, which] = parts_of(target);
  if (kind) return kind->broken(which, at);
  return message(
      "the link to \"{}\" leads nowhere: links lead to a lesson:, step:, kernel:, order:, compare:, cell: "
      "or thread:",
      target);
}

}  // namespace

std::string link_tip(const std::string& target) {
  const auto [kind, which] = parts_of(target);
  return kind ? tr(kind->tip, which) : "";
}

LoadedState followed(LoadedState s, const std::string& target, RunStore& runs) {
  const auto [kind, which] = parts_of(target);
  return kind && kind->follow ? kind->follow(std::move(s), which, runs) : s;
}

std::vector<Mistake> link_mistakes(const std::string& text, int line, const LinkPlaces& places) {
  std::vector<Mistake> all;
  const auto wrong = [&](int at, Message sentence) {
    if (!sentence.empty()) all.push_back({line + at, std::move(sentence)});
  };
  for (const Spans& words : prose_of(read_markdown(text))) {
    std::string plain;            // what is neither link nor code: marks in it are unclosed
    std::vector<int> plain_line;  // of each of its bytes
    for (size_t k = 0; k < words.size(); ++k) {
      const TextSpan& s = words[k];
      if (s.link.empty() && !s.code) {
        plain += s.words;
        plain_line.resize(plain.size(), s.line);
      } else if (!s.link.empty() && (k == 0 || words[k - 1].link != s.link)) {
        if (s.words.empty())
          wrong(s.line, message("this link has no words that could be clicked: write them between [ and ]"));
        wrong(s.line, broken(s.link, places));
      }
    }
    if (const size_t at = plain.find('`'); at != std::string::npos)
      wrong(plain_line[at], message("this piece of code has no end: close it with `"));
    if (const size_t at = plain.find("**"); at != std::string::npos)
      wrong(plain_line[at], message("these ** make nothing bold: write them at the words, with no space, "
                                    "comma or bracket in between"));
    for (size_t at = plain.find("]("); at != std::string::npos; at = plain.find("](", at + 2)) {
      // markdown makes no link of a target that is empty or has a space
      const size_t end = plain.find(')', at);
      if (plain.rfind('[', at) != std::string::npos)
        wrong(plain_line[at], end == std::string::npos ? message("this link has no end: close it with )")
                                                       : broken(plain.substr(at + 2, end - at - 2), places));
    }
  }
  return all;
}

std::vector<Mistake> brace_mistakes(const std::string& text, int line) {
  std::vector<Mistake> all;
  for (const Spans& words : prose_of(read_markdown(text))) {
    bool open = false;
    int last = 0;
    for (const TextSpan& s : words) {
      open &= s.line == std::exchange(last, s.line);
      for (const char c : s.code ? "" : s.words) {
        if (c == '}' && !open)
          all.push_back({line + s.line,
                         message("this {} closes no placeholder: write {}, a name and {}, or leave it out",
                                 "}", "{", "}")});
        open = c == '{' || (open && c != '}');
      }
    }
  }
  return all;
}

std::vector<Mistake> title_mistakes(const std::string& title, int line) {
  for (size_t at = 0; at + 1 < title.size(); ++at)
    if (title[at] == '{' && std::isalpha(static_cast<unsigned char>(title[at + 1])))
      return {{line, message("a title is shown as it is written: say the number in a sentence of the step")}};
  return {};
}

}  // namespace bscope

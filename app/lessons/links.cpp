#include "app/lessons/links.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "app/lessons/play.hpp"
#include "app/lessons/shelf.hpp"
#include "engine/catalog/spelling.hpp"

namespace bscope {
namespace {

/// A text's prose, what stands between fences and in `code` blanked out: each byte stays where it was.
struct Prose {
  std::string text;
  std::vector<Mistake> unclosed;
};
Prose prose_of(const std::string& text, int line) {
  Prose p{text, {}};
  bool fenced = false;
  size_t code = std::string::npos;  // where an open ` stands
  int code_line = 0;
  const auto end_of_paragraph = [&] {
    if (code != std::string::npos)
      p.unclosed.push_back({code_line, "this piece of code has no end: close it with `"});
    code = std::string::npos;
  };
  for (size_t at = 0; at < text.size(); ++at) {
    const bool begins_line = at == 0 || text[at - 1] == '\n';
    if (begins_line && text.compare(at, 3, "```") == 0) {
      end_of_paragraph();
      fenced = !fenced;
      for (; at < text.size() && text[at] != '\n'; ++at) p.text[at] = ' ';
      if (at == text.size()) break;
    }
    if (text[at] == '\n') {
      if (begins_line) end_of_paragraph();
      ++line;
      continue;
    }
    if (fenced) {
      p.text[at] = ' ';
    } else if (text[at] == '`') {
      if (code == std::string::npos) {
        code = at;
        code_line = line;
      } else {
        for (size_t k = code; k <= at; ++k)
          if (p.text[k] != '\n') p.text[k] = ' ';
        code = std::string::npos;
      }
    }
  }
  end_of_paragraph();
  return p;
}

/// Is it a whole number from `least` to `most`?
bool is_count(const std::string& text, long long least, long long most) {
  const auto v = as_whole(text);
  return v && *v >= least && *v <= most;
}

/// Why the target leads nowhere; empty if it does lead somewhere.
std::string broken(const std::string& target, const LinkPlaces& at) {
  const size_t colon = target.find(':');
  const std::string what = target.substr(0, colon);
  const std::string which = colon == std::string::npos ? "" : target.substr(colon + 1);
  constexpr std::array kinds{"lesson", "step", "kernel", "order", "compare", "cell", "thread"};
  if (std::find(kinds.begin(), kinds.end(), what) == kinds.end() || colon == std::string::npos)
    return fmt::format(
        "the link to \"{}\" leads nowhere: links lead to a lesson:, step:, kernel:, order:, compare:, cell: "
        "or thread:",
        target);
  if (what == "lesson") {
    LessonShelf shelf;
    shelf.refresh();
    const auto& ids = shelf.ids();
    if (which == at.lesson.id || std::find(ids.begin(), ids.end(), which) != ids.end()) return {};
    std::string near;
    for (const std::string& id : ids)
      if (near.empty() || distance(id, which) < distance(near, which)) near = id;
    return fmt::format("there is no lesson \"{}\": did you mean {}? `barrierscope list` names them all",
                       which, near);
  }
  if (what == "step") {
    if (is_count(which, 1, (long long)at.lesson.steps.size())) return {};
    return fmt::format("there is no step {} in this lesson: they are 1 to {}", which, at.lesson.steps.size());
  }
  if (what == "cell") {
    if (cell_of(at.run, at.cursor.launch, which)) return {};
    return fmt::format("there is no cell {} here: the run has {}", which,
                       arrays_of(at.run, at.cursor.launch));
  }
  if (what == "thread") {
    const int threads = at.run.trace.launches[size_t(at.cursor.launch)].block;
    if (is_count(which, 0, threads - 1)) return {};
    return fmt::format("there is no thread {}: a block of this run has {}, from 0", which, threads);
  }
  if (what == "order") {
    try {
      parse_schedule(which);
      return {};
    } catch (const std::exception& e) { return e.what(); }
  }
  if (!algorithm_of(which)) {
    std::string near;
    for (const Algorithm* a : catalog())
      if (near.empty() || distance(a->name, which) < distance(near, which)) near = a->name;
    return fmt::format("there is no kernel \"{}\": did you mean {}? `barrierscope list` names them all",
                       which, near);
  }
  State s;
  s.target = at.target;
  s.run = std::shared_ptr<const Run>(std::shared_ptr<void>(), &at.run);
  if (what == "kernel") {
    Target t;
    t.request.kernel = which;
    s = opened(std::move(s), t, Where::nowhere, at.open);
  } else {
    s = with_other(std::move(s), which, at.open);
  }
  return s.error;
}

}  // namespace

std::vector<Mistake> link_mistakes(const std::string& text, int line, const LinkPlaces& places) {
  Prose prose = prose_of(text, line);
  std::vector<Mistake> all = std::move(prose.unclosed);
  size_t counted = 0;
  for (size_t at = prose.text.find("]("); at != std::string::npos; at = prose.text.find("](", at + 2)) {
    line += int(std::count(prose.text.begin() + long(counted), prose.text.begin() + long(at), '\n'));
    counted = at;
    const size_t paragraph = std::min(prose.text.find("\n\n", at), prose.text.size());
    const size_t begin = prose.text.rfind('[', at), end = prose.text.find(')', at);
    if (begin == std::string::npos || prose.text.find("\n\n", begin) < at) continue;
    if (end == std::string::npos || end > paragraph) {
      all.push_back({line, "this link has no end: close it with )"});
      continue;
    }
    if (text.find_first_not_of(" \n`", begin + 1) >= at)
      all.push_back({line, "this link has no words that could be clicked: write them between [ and ]"});
    if (std::string why = broken(text.substr(at + 2, end - at - 2), places); !why.empty())
      all.push_back({line, std::move(why)});
  }
  return all;
}

std::vector<Mistake> brace_mistakes(const std::string& text, int line) {
  const std::string prose = prose_of(text, line).text;
  std::vector<Mistake> all;
  bool open = false;
  for (const char c : prose) {
    if (c == '\n') ++line;
    if (c == '}' && !open)
      all.push_back({line, "this } closes no placeholder: write {, a name and }, or leave it out"});
    open = c == '{' || (open && c != '}' && c != '\n');
  }
  return all;
}

std::vector<Mistake> title_mistakes(const std::string& title, int line) {
  for (size_t at = 0; at + 1 < title.size(); ++at)
    if (title[at] == '{' && std::isalpha(static_cast<unsigned char>(title[at + 1])))
      return {{line, "a title is shown as it is written: say the number in a sentence of the step"}};
  return {};
}

}  // namespace bscope

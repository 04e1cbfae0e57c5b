#include "app/cli/command.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <new>
#include <ostream>
#include <system_error>

#include "app/cli/arguments.hpp"
#include "app/cli/json.hpp"
#include "app/cli/text.hpp"
#include "app/cli/time.hpp"
#include "app/cli/walk.hpp"
#include "app/draw/letters.hpp"
#include "app/lessons/play.hpp"
#include "app/lessons/shelf.hpp"
#include "app/run/memory.hpp"
#include "app/run/verdict.hpp"
#include "app/words/words.hpp"
#include "engine/catalog/estimate.hpp"
#include "engine/trace/file.hpp"

namespace bscope {
namespace {

/// The one target that most verbs take.
Target the_target(const Arguments& a) {
  if (a.targets.empty())
    throw UsageError(say("`{}` needs the name of a kernel: `barrierscope list` shows them", a.verb));
  return target_of(a, a.targets.front());
}

/// The run that a lesson begins with.
Target target_of_lesson(const std::string& words, const std::string& language) {
  if (words == "all") {
    Target first;
    first.request.kernel = first_kernel;
    return first;
  }
  const ChosenLesson chosen = choose_lesson(words, parse_language(language));
  return shown_at(chosen.lesson.steps[size_t(chosen.step)], chosen.part).target;
}

/// As long as it lives, runs take no more memory than was allowed.
class Limited {
 public:
  explicit Limited(double bytes) : before_(memory_limit()) { limit_memory(bytes); }
  ~Limited() { limit_memory(before_); }
  Limited(const Limited&) = delete;

 private:
  double before_;
};

/// What is too large is told before a window opens for it.
void need_affordable(const Target& t) {
  if (t.is_file())
    refuse_if_too_large(t.file);
  else
    make_problem(find(t.request.kernel), t.request);
}

std::shared_ptr<const Run> open(const Target& t) {
  return t.is_file() ? open_file(t.file) : open_run(t.request, t.device, t.schedule);
}

int trace_verb(const Arguments& a, Console& c) {
  if (a.out.empty()) throw UsageError(say("`trace` needs a file to write: add -o FILE.bscope"));
  const Target t = the_target(a);
  if (t.is_file()) throw UsageError(say("{} is a trace already: `trace` takes the name of a kernel", t.file));
  const Algorithm& algorithm = find(t.request.kernel);
  const Trace trace = run(algorithm, make_problem(algorithm, t.request), t.device, t.schedule,
                          [](const Trace& first) { return order_matters(first); });
  save(trace, a.out);
  c.err << say("{}: {} events in {}", a.out, trace.events(),
               trace.launches.size() == 1 ? say("one launch") : say("{} launches", trace.launches.size()))
        << "\n";
  return 0;
}

/// A lesson as a reader sees it, its numbers filled in.
int show_lesson_file(const std::string& path, Console& c) {
  open_to_read(path);  // or it says why it is no lesson
  LessonShelf shelf(std::vector<std::filesystem::path>{});
  shelf.add(path);
  const Lesson* lesson = shelf.find(path, Language::en);
  if (!lesson) throw UsageError(say("there is no lesson {}: check the file's name", path));
  if (!lesson->mistakes.empty()) throw UsageError(sentence_of(*lesson, lesson->mistakes[0]));
  LessonRuns runs;
  c.out << c.ink()(Role::title, lesson->title) << "\n";
  for (const LessonStep& s : lesson->steps) {
    std::vector<Mistake> mistakes;
    c.out << "\n" << c.ink()(Role::title, s.title) << "\n\n";
    for (int k = 0; k < int(s.parts.size()); ++k) {
      const LessonStep& shown = shown_at(s, k);
      const auto run = runs.of(shown.target);
      const Cursor place = find_place(shown, *run, mistakes);
      c.out << filled(s.parts[size_t(k)].text, s.parts[size_t(k)].line, shown, *run, place, runs, mistakes)
            << (k + 1 == int(s.parts.size()) ? "\n" : "\n\n---\n\n");
    }
    if (!mistakes.empty()) throw UsageError(sentence_of(*lesson, mistakes[0]));
  }
  return 0;
}

/// Is the target a lesson's file? It brings its runs.
bool is_lesson(const Arguments& a) {
  if (a.targets.size() != 1 || !a.targets[0].ends_with(".md")) return false;
  if (a.json) throw UsageError(say("--json is for kernels: leave it out for a lesson"));
  if (a.input_given || a.globals)
    throw UsageError(
        say("{} is a lesson and brings its own runs: leave out the options that say what to trace",
            a.targets[0]));
  return true;
}

int show_verb(const Arguments& a, Console& c) {
  if (is_lesson(a)) return show_lesson_file(a.targets[0], c);
  const auto run = open(the_target(a));
  int blocks = 0;
  for (const Launch& l : run->trace.launches) blocks = std::max(blocks, l.grid);
  if (a.globals && *a.globals >= blocks)
    throw UsageError(
        say("--globals {} is no block of this run: its blocks are 0 to {}", *a.globals, blocks - 1));
  if (a.json)
    show_json(c.out, *run, a.globals);
  else
    show_text(c.out, *run, c.ink(), c.width, a.globals);
  return 0;
}

/// What a lesson's writer has to mend, a line each.
int check_lesson_file(const std::string& path, Console& c) {
  open_to_read(path);  // or it says why it is no lesson
  LessonShelf shelf(std::vector<std::filesystem::path>{});
  shelf.add(path);
  const Lesson* lesson = shelf.find(path, Language::en);
  if (!lesson) throw UsageError(say("there is no lesson {}: check the file's name", path));
  const auto mistakes = check_lesson(*lesson);
  for (const Mistake& m : mistakes) c.out << sentence_of(*lesson, m) << "\n";
  if (mistakes.empty())
    c.out << say("{}: {} steps, all as they should be", lesson->title, lesson->steps.size()) << "\n";
  return mistakes.empty() ? 0 : 1;
}

int check_verb(const Arguments& a, Console& c) {
  if (is_lesson(a)) return check_lesson_file(a.targets[0], c);
  const auto run = open(the_target(a));
  const Verdict v = check(*run);
  if (a.json)
    check_json(c.out, *run, v);
  else
    c.out << check_text(*run, v, c.ink());
  return v.passed() ? 0 : 1;
}

int time_verb(const Arguments& a, Console& c) {
  TimeOptions o = a.time;
  o.kernels = a.targets;
  o.request = a.request;
  o.device = a.device_or(Device::gpu);
  o.device_given = a.device.has_value();
  o.out = a.out;
  if (o.kernels.empty())
    throw UsageError(say("`time` needs the names of kernels: `barrierscope list` shows them"));
  return time_command(o, c.out);
}

int render_verb(const Arguments& a, const Window& window) {
  RenderOptions o = a.render;
  if (o.out.empty()) throw UsageError(say("`render` needs a picture to write: add -o FILE.png"));
  if (!o.lesson.empty() && a.targets.empty())
    o.targets = {target_of_lesson(o.lesson, o.language)};
  else
    o.targets = {the_target(a)};
  for (size_t i = 1; i < a.targets.size(); ++i) o.targets.push_back(target_of(a, a.targets[i]));
  if (o.targets.size() > 1 && o.view != "compare")
    throw UsageError(say("two runs in one picture are for --view compare"));
  for (const Target& t : o.targets) need_affordable(t);
  const bool pixels = o.out.ends_with(".png") && !o.plain && o.last_step < 0;
  const auto& draw = pixels && window.render ? window.render : window.figure;
  if (!draw)
    throw NoDevice(std::string(
        say("this program was built without the window and its pictures: build the release preset")));
  return draw(o);
}

/// The window where there is a display; else the same run as text.
int app(const Arguments& a, Console& c, const Window& window) {
  const std::string word = a.targets.empty() ? first_kernel : a.targets.front(), &lesson = a.render.lesson;
  WindowOptions o{lesson.empty() ? target_of(a, word) : target_of_lesson(lesson, a.render.language), a.theme,
                  a.language, lesson};
  std::string how;
  if (!window.open)
    how = say("This program was built without its window: build the release preset to get it.");
  else if (!c.display)
    how =
        say("There is no display here. For the window, start this on a desktop, or with `ssh -X`; "
            "`barrierscope render` draws the same into a picture.");
  else {
    need_affordable(o.target);
    try {
      return window.open(o);
    } catch (const NoWindow& e) { how = say("The window cannot be opened: {}", said(e.what())); }
  }
  walk(*open(o.target), c, how);
  return 0;
}

int list_verb(const Arguments& a, Console& c) {
  if (a.json) {
    list_json(c.out);
    return 0;
  }
  c.out << list_text(c.ink(), c.width);
  LessonShelf shelf;
  shelf.refresh();
  if (!shelf.ids().empty()) c.out << "\n" + c.ink()(Role::title, "lessons") + "\n";
  for (const std::string& id : shelf.ids())
    if (const Lesson* l = shelf.find(id, Language::en))
      c.out << fmt::format("  {:<22}  {} ({} steps): barrierscope --lesson {}\n", id, l->title,
                           l->steps.size(), id);
  return 0;
}

/// Known before anything else is, so that mistakes and help are said in it, too.
Language language_of(const std::vector<std::string>& args) {
  Language language = Language::en;
  const std::string option = "--language";
  for (size_t i = 0; i < args.size(); ++i) {
    const bool apart = args[i] == option && i + 1 < args.size();
    if (!apart && !args[i].starts_with(option + "=")) continue;
    try {
      language = parse_language(apart ? args[i + 1] : args[i].substr(option.size() + 1));
    } catch (const std::invalid_argument&) {  // told in its place
    }
  }
  return language;
}

/// Names of files may hold anything; a terminal would obey some of it.
std::string one_line(const std::string& text) {
  std::string line;
  for (const char c : clean_utf8(text)) line += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  return line;
}

int dispatch(const std::vector<std::string>& args, Console& c, const Window& window) {
  const Arguments a = parse(args);
  const Limited limited(a.most_memory);
  if (a.verb == "list") return list_verb(a, c);
  if (a.verb == "trace") return trace_verb(a, c);
  if (a.verb == "show") return show_verb(a, c);
  if (a.verb == "check") return check_verb(a, c);
  if (a.verb == "time") return time_verb(a, c);
  if (a.verb == "render") return render_verb(a, window);
  return app(a, c, window);
}

}  // namespace

int command(const std::vector<std::string>& args, Console& c, const Window& window) {
  auto fail = [&](int code, const std::string& what) {
    c.out.flush();
    const std::string sentence = one_line(said(what));
    const bool ended = sentence.ends_with('.') || sentence.ends_with("\u3002");
    c.err << "barrierscope: " << sentence << (ended ? "" : say(".")) << "\n";
    return code;
  };
  int code = 0;
  speak(language_of(args));
  try {
    code = dispatch(args, c, window);
  } catch (const Answer& a) { c.out << a.text; } catch (const UsageError& e) {
    return fail(2, e.what());
  } catch (const BadFile& e) { return fail(2, e.what()); } catch (const NoDevice& e) {
    return fail(1, e.what());
  } catch (const std::system_error& e) { return fail(1, e.what()); } catch (const std::bad_alloc&) {
    return fail(1, say("there is not enough memory for this run: take a smaller --n"));
  } catch (const std::exception& e) { return fail(1, e.what()); }
  if (!c.out.flush())
    return fail(1, say("cannot write to stdout: the disk is full, or the other end is closed"));
  return code;
}

}  // namespace bscope

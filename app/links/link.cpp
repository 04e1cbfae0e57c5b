#include "app/links/link.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/lessons/place.hpp"
#include "app/lessons/play.hpp"
#include "app/lessons/shelf.hpp"
#include "app/links/place.hpp"
#include "app/links/query.hpp"
#include "app/links/states.hpp"
#include "app/run/first_kernel.hpp"
#include "app/run/own_program.hpp"
#include "app/run/run_store.hpp"
#include "app/session/input.hpp"
#include "app/session/session_file.hpp"
#include "app/session/system_theme.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/timing/meter.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/json_text.hpp"

namespace bscope {
namespace {

using json = nlohmann::ordered_json;

constexpr const char* scheme = "barrierscope:";

/// What a link may say, declared once; reads it.
struct LinkReader {
  LinkReader() { link_options(options, said); }
  CLI::App app;
  LinkOptions said;
  Options options{app, ""};
};

/// Of the keys of options and of what tabs remember: those have a dot.
std::pair<Pairs, Pairs> by_kind(const Pairs& all) {
  std::pair<Pairs, Pairs> parts;
  for (const auto& pair : all)
    (pair.first.find('.') == std::string::npos ? parts.first : parts.second).push_back(pair);
  return parts;
}

/// The name of a program whose files links hold: its path from their folder on. Empty: links do not hold it.
std::string name_in_link(const std::string& file) {
  if (!programs_in_page || !cuda::is_program(file)) return {};
  std::error_code none;
  const std::filesystem::path here = std::filesystem::current_path(none);
  const std::filesystem::path name = (here / file).lexically_normal().lexically_relative(here);
  const bool below = !name.empty() && *name.begin() != "..";
  return below && std::filesystem::is_regular_file(name, none) ? name.string() : std::string();
}

/// Nothing that a link names is a file of this machine.
void need_names(const LinkOptions& said) {
  for (const std::string& kernel : said.words)
    if (name_in_link(kernel).empty()) find(kernel);
  if (said.view.lesson.find(".md") != std::string::npos)
    throw UsageError(message("a link names a lesson, and no file: leave out {}", said.view.lesson));
}

Target target_of(const LinkOptions& said) {
  return bscope::target_of(said.run, said.words.empty() ? first_kernel : said.words.front());
}

/// The state that a link's pairs say, looks and what was done of lessons taken from another.
LoadedState shown(const LoadedState& from, const Pairs& pairs, RunStore& runs) {
  const auto [keys, states] = by_kind(pairs);
  LinkReader reader;
  reader.options.read(keys);
  LinkOptions& said = reader.said;
  need_names(said);
  for (const auto& [name, value] : states) said.view.states.push_back(name + "=" + value);

  LoadedState s;
  looks(s) = looks(from);
  s.borrowed = from.borrowed;
  s.lesson.progress = from.lesson.progress;
  s.lesson.answers = from.lesson.answers;
  s = with_borrowed_looks(std::move(s), said.view.theme, said.language, said.view.dialect);
  const std::string& lesson = said.view.lesson;
  if (!lesson.empty() && lesson != "all" && said.words.empty() && said.run.given)
    throw UsageError(message("--lesson {} brings its own run: leave out the {}", lesson,
                             message("options that say what to trace")));
  if (lesson.empty() || lesson == "all" || !said.words.empty()) {
    const Target target = as_shown(s, whole(target_of(said)));
    s = from.run && target == from.target ? with_run(std::move(s), target, {from.run, from.program})
                                          : opened(std::move(s), target, Where::nowhere, runs);
    if (s.awaits) return s;
    if (!s.error.empty()) throw UsageError(s.error);
    if (!steps(*s.run))
      throw UsageError(message("this run has no step that could be drawn: it has no launch"));
    if (!lesson.empty()) s = beside_lesson(std::move(s), lesson, runs);
  } else {
    s = with_lesson(std::move(s), lesson, runs);
    if (s.awaits) return s;
  }
  s.prediction.right = s.lesson.right = from.prediction.right;
  s.prediction.asked = s.lesson.asked = from.prediction.asked;
  return at_place(std::move(s), said.view);
}

// ---- a state in keys -------------------------------------------------------------------------------------

std::string text_of(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  return json_text(value);
}

/// What the run was made from, but for its kernel: what session files hold of it has the options' names.
Pairs pairs_of(const Target& t) {
  Pairs all;
  const auto add = [&](const std::string& key, const json& value, const json& otherwise) {
    if (value == otherwise) return;
    if (value.is_array()) {
      std::string list;
      for (const json& one : value) list += (list.empty() ? "" : ",") + text_of(one);
      all.emplace_back(key, list);
    } else if (value.is_object()) {
      for (const auto& [name, one] : value.items()) all.emplace_back(key, name + "=" + text_of(one));
    } else {
      all.emplace_back(key, text_of(value));
    }
  };
  const json target = target_json(t), plain = target_json({});
  if (!t.is_file())
    for (const auto& [key, value] : target["request"].items())
      if (key != "kernel") add(key, value, plain["request"].value(key, json()));
  for (const char* key : {"device", "schedule"}) add(key, target[key], plain[key]);
  const cuda::Program &program = t.program, as_usual;
  for (const std::string& define : program.defines) all.emplace_back("define", define);
  if (program.standard_given) all.emplace_back("std", program.standard);
  if (program.device_model != as_usual.device_model) all.emplace_back("device-model", program.device_model);
  for (const cuda::Setting& c : program.constants)
    all.emplace_back("const", c.line ? fmt::format("{}:{}={}", c.name, c.line, c.value)
                                     : fmt::format("{}={}", c.name, c.value));
  return all;
}

/// As a link names it: its other files lie beside it.
Target linked_program(const Target& t, const std::string& name) {
  Target linked;
  linked.file = name;
  linked.schedule = t.schedule;
  linked.program.files = {name};
  linked.program.defines = t.program.defines;
  linked.program.constants = t.program.constants;
  linked.program.device_model = t.program.device_model;
  if (t.program.standard_given) {
    linked.program.standard = t.program.standard;
    linked.program.standard_given = true;
  }
  return linked;
}

/// What the open lesson's step runs, where that is open and links can name the lesson.
std::optional<Target> target_of_lesson(const LoadedState& s) {
  const LessonState& l = s.lesson;
  if (!l.open || l.lesson.empty() || l.lesson.ends_with(".md")) return {};
  const ChosenLesson found = choose_lesson(l.lesson, s.language);
  if (l.step < 0 || l.step >= int(found.lesson.steps.size())) return {};
  const Target t = shown_at(found.lesson.steps[size_t(l.step)], l.part).target;
  return same_target(t, s.target) ? std::optional(t) : std::nullopt;
}

/// A run that a link can make again, without files, images and names of files.
Target linked(const LoadedState& s) {
  if (const std::string name = name_in_link(s.target.file); !name.empty())
    return linked_program(s.target, name);
  if (const auto ours = s.target.is_program() ? target_of_lesson(s) : std::nullopt) return *ours;
  if (s.target.is_program())
    throw UsageError(
        message("no link can hold your own program: send its file, or a .bscope file that is saved of it"));
  Target t = s.target;
  if (t.is_file()) throw UsageError(message("no link can hold a recorded run: send the .bscope file"));
  if (t.request.image) t.request = spelled_out(*s.run);
  t.request.input_name.clear();
  return t;
}

std::string lesson_words(const LessonState& l, const Lesson& lesson) {
  const int last = lesson.steps.empty() ? 0 : int(lesson.steps[size_t(l.step)].parts.size()) - 1;
  std::string words = l.lesson;
  if (l.step > 0 || l.part > 0) words += fmt::format(":{}", l.step + 1);
  if (l.part > 0) words += l.part == last ? "+" : fmt::format("+{}", l.part);
  return words;
}

/// The lesson as a link names it; empty: none is open, or it is a file of this machine.
std::string lesson_of(const State& s) {
  const LessonState& l = s.lesson;
  if (!l.open) return {};
  if (l.lesson.empty()) return "all";
  if (l.lesson.ends_with(".md")) return {};
  const ChosenLesson found = choose_lesson(l.lesson, s.language);
  if (l.step < 0 || l.step >= int(found.lesson.steps.size())) return l.lesson;
  return lesson_words(l, found.lesson);
}

/// "sum[7]" of the cell, where that finds it.
std::string name_of(const Run& run, int launch, CellRef p) {
  if (run.trace.launches.empty()) return {};
  const std::string name =
      fmt::format("{}[{}]", run.trace.array(run.trace.launches[size_t(launch)], p.array).name, p.index);
  return cell_of(run, launch, name) == p ? name : "";
}

}  // namespace

void link_options(Options& o, LinkOptions& said) {
  run_words(o, "Name of a kernel (default scan/blelloch)", 1, said.words);
  trace_options(o, said.run);
  place_options(o, said.view);
  look_options(o, said.view);
  embed_option(o, said.view);
  o.option("--language", "L", "en or zh", said.language, one_of({"en", "zh"})).in_link();
}

std::vector<Options::LinkKey> link_keys() { return LinkReader().options.keys(); }

std::string known_part(std::string_view link) {
  Pairs pairs;
  try {
    pairs = pairs_in(link);
  } catch (const UsageError&) { return {}; }
  const LinkReader reader;
  std::erase_if(pairs, [&](const auto& pair) {
    return pair.first.find('.') == std::string::npos && !reader.options.has_key(pair.first);
  });
  const std::string query = query_of(pairs);
  return pairs.empty() ? std::string() : query.starts_with('?') ? query : "?" + query;
}

std::string link_of(const LoadedState& whole) {
  LoadedState s = without_paths(whole);
  s.cursor = fitted(*s.run, s.cursor);  // a cell of another launch's array is selected no more
  const Target target = linked(s);
  RunStore runs;  // what was opened for the state is not opened anew
  runs.put(target, {s.run, s.program});
  if (s.target != target) runs.put(s.target, {s.run, s.program});
  LoadedState beginning;
  beginning.language = s.language;
  beginning.dialect = s.dialect;
  Pairs pairs;
  if (const std::string lesson = lesson_of(s); !lesson.empty()) pairs.emplace_back("lesson", lesson);
  const auto begun = [&] { return shown(beginning, pairs, runs); };
  if (!pairs.empty() && pairs.front().second != "all" && target_json(begun().target) == target_json(target)) {
    // the lesson opens this very run
  } else {
    const std::string& name = target.is_program() ? target.file : target.request.kernel;
    if (!pairs.empty() || name != first_kernel) pairs.emplace_back("kernel", name);
    for (auto& pair : pairs_of(target)) pairs.push_back(std::move(pair));
  }

  LoadedState base = begun();
  const auto add = [&](const char* key, const std::string& value) { pairs.emplace_back(key, value); };
  if (const int step = step_of(*s.run, s.cursor); step != step_of(*base.run, base.cursor))
    add("step", std::to_string(step));
  if (s.cursor.substep >= 0) add("substep", std::to_string(s.cursor.substep));
  if (s.cursor.thread >= 0 && s.cursor.thread != base.cursor.thread)
    add("thread", std::to_string(s.cursor.thread));
  if (s.cursor.cell && s.cursor.cell != base.cursor.cell)
    if (const std::string cell = name_of(*s.run, s.cursor.launch, *s.cursor.cell); !cell.empty())
      add("cell", cell);
  if (s.cursor.line > 0 && s.cursor.line != base.cursor.line) add("line", std::to_string(s.cursor.line));
  if (s.only_run)
    add("tab", "run");
  else if (s.tab != base.tab)
    add("tab", s.tab);
  if (prediction_on(s) && !prediction_on(base)) add("predict", "true");
  if (s.dialect) add("dialect", "true");
  if (s.theme != system_theme) add("theme", name_of(s.theme));
  if (s.language != LoadedState{}.language) add("language", name_of(s.language));
  base = begun();
  for (auto& pair : states_beside(base, s)) pairs.push_back(std::move(pair));

  std::string query = query_of(pairs);
  if (query.size() > longest_link)
    throw UsageError(
        message("a link to this would have {} characters, and {} are the most: save a session and send it",
                query.size(), longest_link));
  return query;
}

LoadedState with_link(LoadedState s, std::string_view link, RunStore& runs) {
  try {
    const std::string known = known_part(link);  // others add keys of their own to addresses
    return shown(s, checked_link(known.empty() ? link : std::string_view(known)), runs);
  } catch (const std::exception& e) {
    refuse(s, message("This link cannot be opened: {}", message_of(e)), Where::file);
    return s;
  }
}

Pairs checked_link(std::string_view link) {
  Pairs all = pairs_in(link);
  std::erase_if(all, [](const auto& pair) {  // traced here instead: it is the same
    return pair == Pairs::value_type("device", "gpu") && !gpu();
  });
  LinkReader reader;
  const auto [keys, states] = by_kind(all);
  reader.options.need_keys(keys);
  LinkOptions named;
  for (const auto& [key, value] : keys) {
    if (key == "kernel") named.words.push_back(value);
    if (key == "lesson") named.view.lesson = value;
  }
  need_names(named);
  return all;
}

Pairs run_of(const Pairs& link) {
  const auto says = [&](const char* key) { return std::ranges::find(link, key, &Pairs::value_type::first); };
  Pairs all;
  const auto lesson = says("lesson");
  if (says("kernel") == link.end() && lesson != link.end() && lesson->second != "all") {
    const ChosenLesson chosen = choose_lesson(lesson->second, spoken());
    const Target t = shown_at(chosen.lesson.steps[size_t(chosen.step)], chosen.part).target;
    all = pairs_of(t);
    all.emplace_back("kernel", t.is_file() ? t.file : t.request.kernel);
  } else if (says("kernel") == link.end()) {
    all.emplace_back("kernel", first_kernel);
  }
  for (const auto& pair : link)
    if (pair.first != "lesson") all.push_back(pair);
  return all;
}

bool is_link(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  if (text.starts_with(scheme) || text.starts_with("https://") || text.starts_with("http://")) return true;
  const size_t mark = text.find('?');
  if (mark == std::string_view::npos || text.size() > 2 * longest_link) return false;
  std::error_code ignored;
  if (std::filesystem::exists(text, ignored)) return false;
  const std::string_view query = text.substr(mark + 1);
  const std::string key(query.substr(0, query.find_first_of("=&")));
  return query.find('=') != std::string_view::npos && (mark == 0 || LinkReader().options.has_key(key));
}

}  // namespace bscope

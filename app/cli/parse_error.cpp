#include "app/cli/parse_error.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "app/run/run.hpp"
#include "engine/catalog/edit_distance.hpp"

namespace bscope {
namespace {

/// "--values=3" -> "values".
std::string bare(std::string_view typed) {
  typed.remove_prefix(std::min(typed.find_first_not_of('-'), typed.size()));
  return std::string(typed.substr(0, typed.find('=')));
}

/// The option that was probably meant, with its dashes; empty: none is near.
std::string meant_option(const CLI::App& app, const std::string& typed) {
  std::vector<std::string> names;
  for (const CLI::Option* o : app.get_options()) {
    names.insert(names.end(), o->get_lnames().begin(), o->get_lnames().end());
    names.insert(names.end(), o->get_snames().begin(), o->get_snames().end());
  }
  const std::string name = nearest_name(bare(typed), names);
  return name.empty() ? name : (app.get_option_no_throw("--" + name) ? "--" : "-") + name;
}

UsageError unknown_option(const CLI::App& app, const CLI::App& used, const std::string& typed) {
  const std::string name = typed.substr(0, typed.find('=')), meant = meant_option(used, typed);
  if (!meant.empty()) return UsageError(message("There is no option {}: did you mean {}?", name, meant));
  if (&used == &app)
    return UsageError(message("There is no option {}: `barrierscope --help` lists verbs and options", name));
  const std::string& verb = used.get_name();
  return UsageError(
      message("`{}` takes no {}: `barrierscope {} --help` lists what it takes", verb, name, verb));
}

/// "--n: 1 required N missing" names the option that lacks its value.
const CLI::Option* without_value(const CLI::ParseError& e, const CLI::App& app, const CLI::App& used) {
  const std::string what = e.what(), name = what.substr(0, what.find(": "));
  if (what.find(" missing") == std::string::npos) return nullptr;
  const CLI::Option* const own = used.get_option_no_throw(name);
  return own ? own : app.get_option_no_throw(name);
}

/// What stands in a kernel's place and is one, or a file, or looks like a file's name.
bool is_target(const std::string& word) {
  std::error_code ignored;
  return algorithm_of(word) || word.find_first_of("/.") != std::string::npos ||
         std::filesystem::exists(word, ignored);
}

}  // namespace

UsageError usage_error(const CLI::ParseError& e, const CLI::App& app, const CLI::App& used) {
  for (const std::string& typed : app.remaining(true))
    if (typed.starts_with('-')) return unknown_option(app, used, typed);
  if (const CLI::Option* o = without_value(e, app, used))
    return UsageError(
        message("{} has no value: write {} {}", o->get_name(), o->get_name(), o->get_type_name()));
  return UsageError(message("{}; `barrierscope --help` lists verbs and options", Message::plain(e.what())));
}

void need_no_misspelt_verb(const CLI::App& app) {
  std::vector<std::string> words, verbs;
  for (const CLI::Option* o : app.get_options())
    if (o->get_positional()) words.insert(words.end(), o->results().begin(), o->results().end());
  if (!app.get_subcommands().empty() || words.empty() || is_target(words.front())) return;
  for (const CLI::App* verb : app.get_subcommands({})) verbs.push_back(verb->get_name());
  if (const std::string meant = nearest_name(words.front(), verbs); !meant.empty())
    throw UsageError(message("There is no command \"{}\": did you mean {}?", words.front(), meant));
  if (words.size() > 1 && is_target(words[1]))
    throw UsageError(
        message("There is no command \"{}\": choose one of {}", words.front(), name_list(verbs)));
}

}  // namespace bscope

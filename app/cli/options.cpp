#include "app/cli/options.hpp"

#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "app/words/words.hpp"
#include "engine/catalog/catalog.hpp"

namespace bscope {

void Options::add(const char* names, const char* type, const char* help, bool repeated, Read read) {
  const std::string words = help;
  CLI::Option* o = app_.add_option(names, words)->type_name(type);
  if (!group_.empty()) o->group(group_);
  if (repeated) o->expected(1)->take_all();
  declared_.push_back({o, repeated, std::move(read)});
}

void Options::flag(const char* name, const char* help, bool& into) {
  CLI::Option* o = app_.add_flag(name, into, help);
  if (!group_.empty()) o->group(group_);
  declared_.push_back({o, false, {}});
}

void Options::words(const char* name, const char* help, size_t most, std::vector<std::string>& into,
                    Follows follow) {
  add(name, "", help, false,
      [this, most, &into, follow = std::move(follow)](const std::string&, const std::string& word) {
        if (into.size() >= most && !(follow && follow(into, word)))
          throw UsageError(say("{} is one too many: {} takes {}", word,
                               verb_.empty() ? say("the app") : "`" + verb_ + "`",
                               most == 1 ? say("one kernel or file") : say("two of them")));
        into.push_back(word);
      });
  declared_.back().option->expected(0, 1000)->allow_extra_args();
  declared_.back().repeated = true;
}

void Options::need_taken(const Options& before) const {
  for (const Declared& d : before.declared_) {
    if (d.option->count() == 0) continue;
    const std::string name = d.option->get_name();
    if (d.option->get_positional()) {
      if (std::ranges::none_of(declared_, [](const Declared& o) { return o.option->get_positional(); }))
        throw UsageError(say("{} is one too many: {} takes {}", d.option->results().front(),
                             "`" + verb_ + "`", say("no kernel")));
    } else if (std::ranges::none_of(declared_,
                                    [&](const Declared& o) { return o.option->get_name() == name; })) {
      throw UsageError(
          say("`{}` takes no {}: `barrierscope {} --help` lists what it takes", verb_, name, verb_));
    }
  }
}

void Options::read(const Options& before, const std::vector<std::string>& behind) {
  if (!behind.empty() && !rest_)
    throw UsageError(say("`{}` takes nothing behind --: leave out {}", verb_, behind.front()));
  if (rest_) *rest_ = behind;
  if (this != &before) need_taken(before);
  for (const Declared& d : declared_) {
    if (!d.read) continue;
    const std::string name = d.option->get_name();
    std::vector<std::string> typed;
    for (const Declared& o : before.declared_)
      if (this != &before && o.option->get_positional() == d.option->get_positional() &&
          (o.option->get_positional() || o.option->get_name() == name))
        typed = o.option->results();
    const auto& own = d.option->results();
    typed.insert(typed.end(), own.begin(), own.end());
    // what was typed last goes before what stood before the verb
    if (!d.repeated && typed.size() > 1) typed.erase(typed.begin(), typed.end() - 1);
    for (const std::string& text : typed) d.read(name, text);
  }
}

std::vector<std::string> Options::given() const {
  std::vector<std::string> names;
  for (const Declared& d : declared_)
    if (d.option->count() > 0 && !d.option->get_positional()) names.push_back(d.option->get_name());
  return names;
}
bool Options::given(const std::string& name) const { return std::ranges::count(given(), name) > 0; }

std::function<std::string(const std::string&, const std::string&)> one_of(std::vector<std::string> choices) {
  return [choices = std::move(choices)](const std::string& name, const std::string& typed) {
    if (std::ranges::count(choices, typed)) return typed;
    throw UsageError(say("{} {} is not known: choose one of {}", name, typed,
                         fmt::format("{}", fmt::join(choices, ", "))));
  };
}

std::function<std::string(const std::string&, const std::string&)> some_word(const char* otherwise) {
  return [otherwise](const std::string&, const std::string& typed) {
    if (typed.empty()) throw UsageError(say(otherwise));
    return typed;
  };
}

std::function<std::string(const std::string&, const std::string&)> file_to_write(
    const Options& of, std::vector<std::string> endings, std::function<bool(const std::string&)> also) {
  return [verb = of.verb(), endings = std::move(endings), also = std::move(also)](const std::string&,
                                                                                  const std::string& file) {
    if (file.empty()) throw UsageError(say("-o needs the name of a file"));
    if (std::ranges::any_of(endings, [&](const auto& e) { return file.ends_with(e); }) ||
        (also && also(file)))
      return file;
    std::string all = endings.front();
    for (size_t k = 1; k < endings.size(); ++k)
      all = k + 1 == endings.size() ? say("{} or {}", all, endings[k]) : all + ", " + endings[k];
    throw UsageError(say("`{}` does not write {}: name a file that ends in {}", verb, file, all));
  };
}

}  // namespace bscope

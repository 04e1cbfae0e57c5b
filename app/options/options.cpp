#include "app/options/options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "engine/catalog/catalog.hpp"
#include "engine/catalog/edit_distance.hpp"
#include "engine/trace/error.hpp"

namespace bscope {

void Options::Option::in_link(const char* key) {
  if (*key) return keys.assign(1, key);
  keys = typed->get_lnames();
}

Options::Option& Options::add(const char* names, const char* type, const char* help, bool repeated,
                              Read read) {
  const std::string words = help;
  CLI::Option* o = app_.add_option(names, words)->type_name(type);
  if (!group_.empty()) o->group(group_);
  if (repeated) o->expected(1)->take_all();
  Option& made = declared_.emplace_back();
  made.typed = o;
  made.repeated = repeated;
  made.read = std::move(read);
  return made;
}

Options::Option& Options::flag(const char* name, const char* help, bool& into) {
  CLI::Option* o = app_.add_flag(name, into, help);
  if (!group_.empty()) o->group(group_);
  Option& made = declared_.emplace_back();
  made.typed = o;
  made.repeated = false;
  made.flag = &into;
  return made;
}

Options::Option& Options::words(const char* name, const char* help, size_t most,
                                std::vector<std::string>& into, Follows follow) {
  add(name, "", help, false,
      [this, most, &into, follow = std::move(follow)](const std::string&, const std::string& word) {
        if (into.size() >= most && !(follow && follow(into, word)))
          throw UsageError(message("{} is one too many: {} takes {}", word,
                                   verb_.empty() ? message("the app") : Message::verbatim("`" + verb_ + "`"),
                                   most == 1 ? message("one kernel or file") : message("two of them")));
        into.push_back(word);
      });
  Option& made = declared_.back();
  made.typed->expected(0, 1000)->allow_extra_args();
  made.repeated = true;
  return made;
}

void Options::need_taken(const Options& before) const {
  for (const Option& d : before.declared_) {
    if (d.typed->count() == 0) continue;
    const std::string name = d.typed->get_name();
    if (d.typed->get_positional()) {
      if (std::ranges::none_of(declared_, [](const Option& o) { return o.typed->get_positional(); }))
        throw UsageError(message("{} is one too many: {} takes {}", d.typed->results().front(),
                                 "`" + verb_ + "`", message("no kernel")));
    } else if (std::ranges::none_of(declared_,
                                    [&](const Option& o) { return o.typed->get_name() == name; })) {
      throw UsageError(
          message("`{}` takes no {}: `barrierscope {} --help` lists what it takes", verb_, name, verb_));
    }
  }
}

void Options::read(const Options& before, const std::vector<std::string>& behind, const Pairs& link) {
  if (!behind.empty() && !rest_)
    throw UsageError(message("`{}` takes nothing behind --: leave out {}", verb_, behind.front()));
  if (rest_) *rest_ = behind;
  link_ = link;
  if (!link.empty() && !has_key("kernel"))
    throw UsageError(message("{} is one too many: {} takes {}", message("a link"), "`" + verb_ + "`",
                             message("no kernel")));
  if (this != &before) need_taken(before);
  for (const Option& d : declared_) {
    const std::string name = d.typed->get_name();
    std::vector<std::string> typed;
    for (const auto& [key, value] : link) {
      if (std::ranges::count(d.keys, key) == 0) continue;
      if (d.read)
        typed.push_back(value);
      else if (d.typed->count() == 0)
        take(d, key, value);
    }
    if (!d.read) continue;
    for (const Option& o : before.declared_)
      if (this != &before && o.typed->get_positional() == d.typed->get_positional() &&
          (o.typed->get_positional() || o.typed->get_name() == name))
        typed.insert(typed.end(), o.typed->results().begin(), o.typed->results().end());
    const auto& own = d.typed->results();
    typed.insert(typed.end(), own.begin(), own.end());
    // what was typed last goes before what stood before the verb
    if (!d.repeated && typed.size() > 1) typed.erase(typed.begin(), typed.end() - 1);
    for (const std::string& text : typed) d.read(name, text);
  }
}

const Options::Option* Options::with_key(const std::string& key) const {
  for (const Option& o : declared_)
    if (std::ranges::count(o.keys, key)) return &o;
  return nullptr;
}

void Options::take(const Option& o, const std::string& key, const std::string& value) {
  if (o.read) return o.read(key, value);
  if (!value.empty() && value != "true" && value != "false")
    throw UsageError(message("{}={} is neither true nor false", key, value));
  *o.flag = value != "false";
}

void Options::need_keys(const Pairs& link) const {
  std::vector<const Option*> said;
  for (const auto& [key, value] : link) {
    const Option* const o = with_key(key);
    if (!o) {
      const bool typed = std::ranges::any_of(declared_, [&key = key](const Option& d) {
        return !d.typed->get_positional() && (d.typed->check_lname(key) || d.typed->check_sname(key));
      });
      if (typed)
        throw UsageError(
            message("a link may not say {}: it belongs to the machine that opens the link", key));
      std::vector<std::string> known;
      for (const Option& d : declared_) known.insert(known.end(), d.keys.begin(), d.keys.end());
      const std::string nearest = nearest_name(key, known);
      throw UsageError(nearest.empty()
                           ? message("a link says nothing by {}: it may say {}", key, name_list(known))
                           : message("a link says nothing by {}: did you mean {}?", key, nearest));
    }
    if (!o->repeated && std::ranges::count(said, o))
      throw UsageError(message("the link says {} twice: leave out one of them", key));
    said.push_back(o);
  }
}

void Options::read(const Pairs& link) {
  need_keys(link);
  for (const auto& [key, value] : link) take(*with_key(key), key, value);
}

std::vector<Options::LinkKey> Options::keys() const {
  std::vector<LinkKey> all;
  for (const Option& o : declared_)
    if (!o.keys.empty()) all.push_back({o.keys, o.typed->get_type_name(), o.typed->get_description()});
  return all;
}

std::vector<std::string> Options::given() const {
  std::vector<std::string> names;
  for (const Option& d : declared_)
    if (!d.typed->get_positional() &&
        (d.typed->count() > 0 || std::ranges::any_of(d.keys, [&](auto& key) { return by_link(key); })))
      names.push_back(d.typed->get_name());
  return names;
}
bool Options::by_link(const std::string& key) const {
  return std::ranges::any_of(link_, [&](const auto& pair) { return pair.first == key; });
}
bool Options::given(const std::string& name) const { return std::ranges::count(given(), name) > 0; }

std::function<std::string(const std::string&, const std::string&)> one_of(std::vector<std::string> choices) {
  return [choices = std::move(choices)](const std::string& name, const std::string& typed) {
    if (std::ranges::count(choices, typed)) return typed;
    const std::string meant = nearest_name(typed, choices);
    throw UsageError(
        meant.empty()
            ? message("{} {} is not known: choose one of {}", option_message(name), typed, name_list(choices))
            : message("{} {} is not known: did you mean {}?", option_message(name), typed, meant));
  };
}

std::function<std::string(const std::string&, const std::string&)> some_word(const char* otherwise) {
  return [otherwise](const std::string&, const std::string& typed) {
    if (typed.empty()) throw UsageError(Message::plain(otherwise));
    return typed;
  };
}

std::function<std::string(const std::string&, const std::string&)> file_to_write(
    const Options& of, std::vector<std::string> endings, std::function<bool(const std::string&)> also) {
  return [verb = of.verb(), endings = std::move(endings), also = std::move(also)](const std::string&,
                                                                                  const std::string& file) {
    if (file.empty()) throw UsageError(message("-o needs the name of a file"));
    if (std::ranges::any_of(endings, [&](const auto& e) { return file.ends_with(e); }) ||
        (also && also(file)))
      return file;
    throw UsageError(
        message("`{}` does not write {}: name a file that ends in {}", verb, file, or_list(endings)));
  };
}

}  // namespace bscope

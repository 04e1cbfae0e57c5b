#include "app/links/host_message.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "app/links/link.hpp"
#include "app/session/state.hpp"
#include "app/session/tab.hpp"
#include "app/session/tab_time.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/run.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/json_text.hpp"

namespace bscope {
namespace {

using json = nlohmann::ordered_json;

constexpr int version = 1;
constexpr std::pair<const char*, HostMessage::Type> types[] = {
    {"go", HostMessage::go},      {"next", HostMessage::next},   {"back", HostMessage::back},
    {"play", HostMessage::play},  {"pause", HostMessage::pause}, {"open", HostMessage::open},
    {"theme", HostMessage::theme}};

int count_in(const json& all, const char* key) {
  const auto found = all.find(key);
  if (found != all.end() && found->is_number_integer())
    if (const auto n = found->get<int64_t>(); n >= 0 && n <= 1'000'000'000) return int(n);
  throw UsageError(message("this message needs a whole number from 0 as {}", key));
}

std::string text_in(const json& all, const char* key) {
  const auto found = all.find(key);
  if (found == all.end() || !found->is_string())
    throw UsageError(message("this message needs a text as {}", key));
  return found->get<std::string>();
}

HostMessage::Type type_of(const json& all) {
  const std::string type = text_in(all, "type");
  std::string known;
  for (const auto& [name, value] : types) {
    if (type == name) return value;
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  throw UsageError(message("there is no message of this type: it may be {}", known));
}

LoadedState at_step(LoadedState s, int step, std::optional<int> substep) {
  if (const auto own = own_time(s)) return at_time(std::move(s), step);
  s = to_step(std::move(s), step);
  if (substep) {
    s.cursor.substep = *substep;
    s.cursor = fitted(*s.run, s.cursor);
  }
  return s;
}

LoadedState with_embedded_link(LoadedState s, const std::string& link, const std::string& embed,
                               RunStore& runs) {
  s = with_link(std::move(s), link, runs);
  return embed.empty() || s.awaits || !s.error.empty() ? s : to_view(std::move(s), embed);
}

}  // namespace

HostMessage parse_host_message(std::string_view text) {
  const json all = try_parse_json(text).value_or(json());
  if (!all.is_object()) throw UsageError(message("a message is an object with barrierscope and type"));
  if (all.value("barrierscope", json()) != version)
    throw UsageError(message("barrierscope is the version of a message, and this page speaks {}", version));
  HostMessage m{.type = type_of(all), .substep = {}, .text = {}};
  if (m.type == HostMessage::go) {
    m.step = count_in(all, "step");
    if (all.contains("substep") && !all["substep"].is_null()) m.substep = count_in(all, "substep");
  }
  if (m.type == HostMessage::open) {
    m.text = text_in(all, "link");
    checked_link(m.text);
  }
  if (m.type == HostMessage::theme) {
    m.text = text_in(all, "theme");
    parse_theme(m.text);
  }
  return m;
}

LoadedState obeyed(LoadedState s, const HostMessage& m, const std::string& embed, RunStore& runs) {
  switch (m.type) {
    case HostMessage::go: return at_step(std::move(s), m.step, m.substep);
    case HostMessage::next: return forward(std::move(s));
    case HostMessage::back: return back(std::move(s));
    case HostMessage::play:
    case HostMessage::pause:
      return s.playing == (m.type == HostMessage::play) ? s : play_or_pause(std::move(s));
    case HostMessage::open: return with_embedded_link(std::move(s), m.text, embed, runs);
    case HostMessage::theme: return to_theme(std::move(s), parse_theme(m.text));
  }
  return s;
}

std::string told_of(const LoadedState& s, const std::string& type, const std::string& embed,
                    const std::string& link) {
  json all{{"barrierscope", version}, {"type", type}, {"kernel", s.run->trace.kernel}};
  if (const auto own = own_time(s)) {
    all["step"] = own->now;
    all["of"] = own->length;
  } else {
    all["step"] = step_of(*s.run, s.cursor);
    all["of"] = steps(*s.run);
  }
  all["substep"] = s.cursor.substep >= 0 ? json(s.cursor.substep) : json();
  all["playing"] = s.playing;
  all["view"] = embed;
  all["link"] = link;
  return json_text(all);
}

std::string told_error(const std::string& sentence) {
  return json_text({{"barrierscope", version}, {"type", "error"}, {"sentence", sentence}});
}

}  // namespace bscope

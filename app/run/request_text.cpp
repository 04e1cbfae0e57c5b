#include "app/run/request_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "app/run/numbers.hpp"
#include "app/words/words.hpp"
#include "engine/catalog/edit_distance.hpp"
#include "engine/trace/error.hpp"

namespace bscope {
namespace {

std::pair<std::string, std::string> setting(const std::string& typed) {
  const size_t sign = typed.find('=');
  if (sign == 0) throw UsageError(message("--set {} names no parameter: write --set NAME=VALUE", typed));
  if (sign == std::string::npos || sign + 1 == typed.size())
    throw UsageError(message("--set {} has no value: write --set NAME=VALUE", typed));
  return {typed.substr(0, sign), typed.substr(sign + 1)};
}

}  // namespace

void read_text(std::optional<long long>& into, const Field&, const std::string& option,
               const std::string& typed) {
  into = whole_number(option, typed);
}
void read_text(std::optional<double>& into, const Field&, const std::string& option,
               const std::string& typed) {
  into = share(option, typed);
}
void read_text(uint32_t& into, const Field&, const std::string& option, const std::string& typed) {
  into = seed_number(option, typed);
}

void read_text(std::optional<std::vector<double>>& into, const Field&, const std::string& /*option*/,
               const std::string& typed) {
  std::vector<double> all;
  for (size_t at = 0; at <= typed.size();) {
    const size_t end = std::min(typed.find(',', at), typed.size());
    std::string word = typed.substr(at, end - at);
    word.erase(0, word.find_first_not_of(' '));
    word.erase(word.find_last_not_of(' ') + 1);
    double v = 0;
    const char* begin = word.data() + (word.starts_with('+') ? 1 : 0);
    const auto [stop, error] = std::from_chars(begin, word.data() + word.size(), v);
    if (word.empty() || error != std::errc{} || stop != word.data() + word.size() || !std::isfinite(v) ||
        word.starts_with("+-"))
      throw UsageError(
          message("value {} of --values, '{}', is not a number: write for example --values 3,1,7,0",
                  all.size() + 1, word));
    all.push_back(v);
    at = end + 1;
  }
  into = std::move(all);
}

void read_text(std::string& into, const Field& field, const std::string& option, const std::string& typed) {
  if (!field.among.empty() && std::ranges::find(field.among, typed) == field.among.end()) {
    const std::string meant = nearest_name(typed, {field.among.begin(), field.among.end()});
    throw UsageError(meant.empty() ? message("{} {} is not known: choose one of {}", option_message(option),
                                             typed, name_list(field.among))
                                   : message("{} {} is not known: did you mean {}?", option_message(option),
                                             typed, meant));
  }
  if (*field.if_empty && typed.empty()) throw UsageError(Message::plain(field.if_empty));
  into = typed;
}

void read_text(std::vector<std::pair<std::string, std::string>>& into, const Field&,
               const std::string& /*option*/, const std::string& typed) {
  into.push_back(setting(typed));
}

bool read_field(RunSpec& r, const std::string& name, const std::string& option, const std::string& typed) {
  bool found = false;
  for_each_typed_field(r, [&](const char* its_name, auto& member, const Field& field) {
    if (name != its_name) return;
    read_text(member, field, option, typed);
    found = true;
  });
  return found;
}

}  // namespace bscope

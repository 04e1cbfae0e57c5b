// Members of a request as they are typed: on the command line, in a link, in a sweep, in a lesson.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/catalog/run_spec.hpp"
#include "engine/trace/fields.hpp"

namespace bscope {

/// Reads what was typed for an option into a member of a request; a setting is added to those that are there.
/// Throws UsageError that names the option.
void read_text(std::optional<long long>&, const Field&, const std::string& option, const std::string& typed);
void read_text(std::optional<double>&, const Field&, const std::string& option, const std::string& typed);
void read_text(std::optional<std::vector<double>>&, const Field&, const std::string& option,
               const std::string& typed);
void read_text(uint32_t&, const Field&, const std::string& option, const std::string& typed);
void read_text(std::string&, const Field&, const std::string& option, const std::string& typed);
void read_text(std::vector<std::pair<std::string, std::string>>&, const Field&, const std::string& option,
               const std::string& typed);

/// Calls `f(name, member, field)` for each member of a request that can be typed.
template <class F>
void for_each_typed_field(RunSpec& r, F&& f) {
  for_each_field(r, [&](const char* name, auto& member, const Field& field) {
    if constexpr (requires { read_text(member, field, std::string(), std::string()); })
      if (*field.help) f(name, member, field);
  });
}

/// Reads what was typed into the member of that name; false: a request has no such member.
bool read_field(RunSpec&, const std::string& name, const std::string& option, const std::string& typed);

}  // namespace bscope

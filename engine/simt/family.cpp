#include "engine/simt/family.hpp"

#include <algorithm>
#include <cctype>

namespace bscope {

const std::vector<Family>& families() {
  using Job = Family::Job;
  static const std::vector<Family> all{
      {.name = "basics", .title = "Basics", .listed = false},
      {.name = "reduce", .title = "Reduction", .suffix = "reduce", .passes = 1, .job = Job::sum},
      {.name = "scan", .title = "Scan", .suffix = "scan", .job = Job::scan},
      {.name = "histogram",
       .title = "Histogram",
       .suffix = "histogram",
       .default_n = 224,
       .takes_keys = true,
       .passes = 1,
       .job = Job::count},
      {.name = "mistakes", .title = "Mistakes"},
      {.name = "patterns", .title = "Patterns", .suffix = "patterns", .default_n = 32},
      {.name = "course", .title = "Further topics", .listed = false},
      {.name = "skeleton", .title = "Skeleton", .listed = false},
  };
  return all;
}

Family family_of(std::string_view name) {
  name = name.substr(0, name.find('/'));
  const auto known = std::ranges::find(families(), name, &Family::name);
  if (known != families().end()) return *known;
  Family other{.name = std::string(name), .title = std::string(name), .suffix = std::string(name)};
  if (!name.empty()) other.title[0] = char(std::toupper(static_cast<unsigned char>(name[0])));
  return other;
}

}  // namespace bscope

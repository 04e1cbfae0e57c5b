#include "app/session/choices.hpp"

#include <algorithm>
#include <sstream>

namespace bscope {

void put(Request& r, const std::string& name, const std::string& value) {
  const auto there = std::ranges::find(r.set, name, [](const auto& s) { return s.first; });
  if (there != r.set.end())
    there->second = value;
  else
    r.set.emplace_back(name, value);
}

void take_parameters(Request& r, const RunChoice& c) {
  if (c.block) r.block = c.block;
  std::istringstream settings(c.set);
  for (std::string setting; settings >> setting;)
    if (const size_t equals = setting.find('='); equals != std::string::npos)
      put(r, setting.substr(0, equals), setting.substr(equals + 1));
  const auto& declared = find(r.kernel).parameters;
  std::erase_if(r.set, [&](const auto& setting) {
    return std::ranges::find(declared, setting.first, &Parameter::name) == declared.end();
  });
}

}  // namespace bscope

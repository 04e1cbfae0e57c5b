#include "engine/analysis/facts.hpp"

#include <map>

namespace bscope {
namespace {

using Declared =
    std::pair<std::string, int>;  // file and line: reports keep their order, whatever the linker's

std::map<Declared, const RegisterFact*>& registered_facts() {
  static std::map<Declared, const RegisterFact*> all;  // a function's own: facts register before main
  return all;
}

}  // namespace

RegisterFact::RegisterFact(Fact f, const char* file, int line) : fact(std::move(f)) {
  registered_facts().emplace(Declared(file, line), this);
}
RegisterFact::~RegisterFact() {
  std::erase_if(registered_facts(), [&](const auto& known) { return known.second == this; });
}

std::vector<const Fact*> facts() {
  std::vector<const Fact*> all;
  for (const auto& [place, known] : registered_facts()) all.push_back(&known->fact);
  return all;
}

const Fact* fact_named(std::string_view name) {
  for (const auto& [place, known] : registered_facts())
    if (!name.empty() && known->fact.name == name) return &known->fact;
  return nullptr;
}

}  // namespace bscope

#include "app/cli/verb.hpp"

#include <algorithm>

namespace bscope {
namespace {

std::vector<const Verb*>& registered_verbs() {
  static std::vector<const Verb*> all;  // a function's own: verbs register before main
  return all;
}

}  // namespace

RegisterVerb::RegisterVerb(Verb verb) : verb_(std::move(verb)) {
  auto& all = registered_verbs();
  all.insert(std::ranges::upper_bound(all, verb_.place, {}, &Verb::place), &verb_);
}
RegisterVerb::~RegisterVerb() { std::erase(registered_verbs(), &verb_); }

const std::vector<const Verb*>& verbs() { return registered_verbs(); }

}  // namespace bscope

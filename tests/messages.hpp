// The English of messages and findings, for matchers of texts.
#pragma once

#include <concepts>
#include <string>
#include <vector>

#include "engine/trace/finding.hpp"

namespace bscope {

template <std::derived_from<Message> M>
std::vector<std::string> texts(const std::vector<M>& all) {
  std::vector<std::string> english;
  for (const Message& m : all) english.push_back(m.english());
  return english;
}
inline std::vector<std::string> texts(const std::vector<Finding>& all) {
  std::vector<std::string> english;
  for (const Finding& f : all) english.push_back(f.text());
  return english;
}

}  // namespace bscope

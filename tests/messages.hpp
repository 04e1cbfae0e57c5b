// The English of messages and findings, for matchers of texts.
#pragma once

#include <string>
#include <vector>

#include "engine/trace/finding.hpp"

namespace bscope {

inline std::vector<std::string> texts(const std::vector<Message>& all) {
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

// The result of judging a program by an assignment, as text and as JSON for graders.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace bscope {

struct Assignment;
struct Grade;
class Ink;

/// A line for each requirement; of those that are not met what was seen, where, and the lecturer's hint.
std::string grade_text(const Assignment&, const Grade&, const std::string& program, Ink);
/// barrierscope.grade/1
nlohmann::ordered_json grade_json(const Assignment&, const Grade&, const std::string& program);

}  // namespace bscope

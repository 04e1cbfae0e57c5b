// What a lesson's step may say in its ```show block, a setting a line. docs/lessons.md is the manual.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/lessons/lesson.hpp"
#include "engine/trace/message.hpp"

namespace bscope {

/// One of them, as it stands there: "block: 8".
struct StepSetting {
  std::string_view name;
  /// Takes the value into the step. Throws UsageError with a sentence about what is wrong with it; what could
  /// be understood stays.
  std::function<void(LessonStep&, const std::string& value)> take;
  /// The runs that it is for.
  enum For : uint8_t { any, kernels, programs } is_for = any;
};
const std::vector<StepSetting>& step_settings();
/// The setting of that name; null if there is none.
const StepSetting* find_setting(std::string_view name);
/// "there is no setting "kernl": did you mean kernel? ..."
Message unknown_setting(const std::string& name);

}  // namespace bscope

// The run of a user's own program before its text was changed last, so that both can be compared.
#pragma once

#include <memory>
#include <string>

namespace bscope {

struct Run;

/// Kept with the results of a state, beside the open run.
struct BeforeChange {
  std::string file;                ///< whose run it is
  std::shared_ptr<const Run> run;  ///< null: the open program has not been changed since it was opened
};

/// What a choice of a run calls it in the place of a kernel.
inline constexpr const char* before_the_change = "before the change";

}  // namespace bscope

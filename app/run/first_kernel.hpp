// What there is to look at before anything is asked for.
#pragma once

namespace bscope {

/// The kernel that opens when none is named.
inline constexpr const char* first_kernel = "scan/blelloch";

}  // namespace bscope

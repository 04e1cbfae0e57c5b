// How many of its cases a test tries where sanitizers make each many times slower.
#pragma once

namespace bscope::test {

#ifdef BARRIERSCOPE_SANITIZED
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

/// `all`, or under the sanitizers `part`: the release build tries the rest.
template <class T>
constexpr T all_or_part(T all, T part) {
  return sanitized ? part : all;
}

}  // namespace bscope::test

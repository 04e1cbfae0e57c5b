#pragma once

#include <type_traits>
#include <utility>

namespace bscope {

/// A variable has another value as long as this lives.
template <class T>
class ScopedAssign {
 public:
  ScopedAssign(T& variable, std::type_identity_t<T> value)
      : variable_(variable), before_(std::exchange(variable, std::move(value))) {}
  ~ScopedAssign() { variable_ = std::move(before_); }
  ScopedAssign(const ScopedAssign&) = delete;
  ScopedAssign& operator=(const ScopedAssign&) = delete;

 private:
  T& variable_;
  T before_;
};

}  // namespace bscope

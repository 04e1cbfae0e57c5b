#pragma once

#include <type_traits>
#include <utility>

namespace bscope {

/// A variable has another value as long as this lives.
template <class T>
class ForNow {
 public:
  ForNow(T& variable, std::type_identity_t<T> value)
      : variable_(variable), before_(std::exchange(variable, std::move(value))) {}
  ~ForNow() { variable_ = std::move(before_); }
  ForNow(const ForNow&) = delete;
  ForNow& operator=(const ForNow&) = delete;

 private:
  T& variable_;
  T before_;
};

}  // namespace bscope

// Builtins that C can do by itself.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace bscope::cuda {

/// A call of a function of the prelude that computes on up to three operands, compute_add and its like.
std::string computation(std::string_view function, std::span<const std::string> arguments, int from,
                        int bits);

/// The expression for a builtin that only computes; nullopt: it is left to the interpreter. `bits`: of its
/// result.
std::optional<std::string> inline_builtin(std::string_view name, int bits,
                                          std::span<const std::string> arguments);

/// An atomic: so many bytes, and the expression for what it leaves, of `was`, `operand` and `wanted`.
struct InlineAtomic {
  int bytes;
  std::string next;
};
std::optional<InlineAtomic> inline_atomic(std::string_view name);

}  // namespace bscope::cuda

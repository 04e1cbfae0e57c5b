// The calls of the kernel that a confined program may not make: other processes, connections, memory that no
// limit counts, rights of foreign files, the machine itself.
#pragma once

#include <linux/filter.h>

#include <cstddef>
#include <initializer_list>
#include <span>
#include <vector>

namespace bscope::cuda {

/// What a filter allows beside what all confined programs may do.
struct MayCall {
  bool processes = false;  ///< start processes, and set the rights of files, as compilers do
  bool truncation = true;  ///< truncate files by name: something else decides which
};

/// A seccomp filter. Threads and signals to the program itself are allowed.
class RefusedCalls {
 public:
  explicit RefusedCalls(const MayCall&);
  /// From now on, for this process and all that it becomes. Needs no memory.
  bool refuse() const noexcept;

 private:
  void refuse(int call, int error);
  void when_first_is_own(int call, bool or_zero);
  struct Bits {
    unsigned mask, equal;
  };
  void when_argument(int call, int argument, std::initializer_list<Bits>);
  void unless_argument(int call, int argument, std::span<const unsigned> may_be);
  void when_both(int call, int argument, unsigned equal, int other, unsigned bits);

  mutable std::vector<sock_filter> filter_;
  std::vector<size_t> own_;  ///< where the process's own number belongs, which only the child knows
};

}  // namespace bscope::cuda

// Memory that is left for saying that there is none.
#pragma once

#include <cstdlib>
#include <new>

namespace bscope {

inline void* reserve = nullptr;

/// Keeps some back, if it is not kept yet. Where memory ends it is freed, before std::bad_alloc is thrown:
/// who catches it can make a sentence and go on.
inline void keep_reserve() {
  if (reserve) return;
  reserve = std::malloc(1 << 19);
  if (reserve)
    std::set_new_handler([] {
      std::free(reserve);
      reserve = nullptr;
      std::set_new_handler(nullptr);
      throw std::bad_alloc();
    });
}

}  // namespace bscope

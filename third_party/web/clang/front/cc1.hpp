#pragma once
#include <llvm/ADT/ArrayRef.h>

namespace barrierscope {
/// Compiles as "clang -cc1" does. words: what follows -cc1; name: the program's, for messages. Returns its
/// exit code.
int cc1(llvm::ArrayRef<const char*> words, const char* name);
}  // namespace barrierscope

// clang's compiler and LLVM's linker of WebAssembly in one program: "clang -cc1 ..." or "wasm-ld ...", by the
// first word.
#include <lld/Common/CommonLinkerContext.h>
#include <lld/Common/Driver.h>
#include <llvm/Support/raw_ostream.h>

#include "cc1.hpp"

LLD_HAS_DRIVER(wasm)

namespace {
int link(llvm::ArrayRef<const char*> words) {
  const bool linked =
      lld::wasm::link(words, llvm::outs(), llvm::errs(), /*exitEarly=*/false, /*disableOutput=*/false);
  lld::CommonLinkerContext::destroy();
  return linked ? 0 : 1;
}
}  // namespace

int main(int count, const char** words) {
  const llvm::ArrayRef all(words, size_t(count));
  const llvm::StringRef name = count > 0 ? words[0] : "";
  if (name.ends_with("wasm-ld")) return link(all);
  if (count > 1 && llvm::StringRef(words[1]) == "-cc1") return barrierscope::cc1(all.drop_front(2), words[0]);
  llvm::errs() << "error: only 'clang -cc1' and 'wasm-ld' are known here\n";
  return 2;
}

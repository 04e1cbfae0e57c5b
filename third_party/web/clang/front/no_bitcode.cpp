// In place of lld's wasm/LTO.cpp and LLVM's LTO library: a linker that takes objects alone, never bitcode,
// needs no optimiser. The classes are declared as far as lld and clang call them: lld's header is none of its
// public ones, and LLVM's brings all of LLVM.
#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/MemoryBufferRef.h>
#include <llvm/TargetParser/Triple.h>

#include <memory>
#include <vector>

namespace lld::wasm {
class BitcodeFile;

class BitcodeCompiler {
 public:
  BitcodeCompiler();
  ~BitcodeCompiler();
  void add(BitcodeFile& file);
  std::vector<llvm::StringRef> compile();
};
BitcodeCompiler::BitcodeCompiler() = default;
BitcodeCompiler::~BitcodeCompiler() = default;
void BitcodeCompiler::add(BitcodeFile&) {}
std::vector<llvm::StringRef> BitcodeCompiler::compile() { return {}; }
}  // namespace lld::wasm

namespace llvm {
class BitcodeModule;

namespace lto {
class InputFile {
 public:
  ~InputFile();
  static Expected<std::unique_ptr<InputFile>> create(MemoryBufferRef file);
};
class LTO {
 public:
  static SmallVector<const char*> getRuntimeLibcallSymbols(const Triple& target);
};
BitcodeModule* findThinLTOModule(MutableArrayRef<BitcodeModule> modules);

InputFile::~InputFile() = default;
Expected<std::unique_ptr<InputFile>> InputFile::create(MemoryBufferRef) {
  return createStringError(inconvertibleErrorCode(), "bitcode is not linked here");
}
SmallVector<const char*> LTO::getRuntimeLibcallSymbols(const Triple&) { return {}; }
BitcodeModule* findThinLTOModule(MutableArrayRef<BitcodeModule>) { return nullptr; }
}  // namespace lto
}  // namespace llvm

// In place of lld's wasm/LTO.cpp and LLVM's LTO library: a linker that takes objects alone, never bitcode, needs no optimiser.
#include <lld/Common/ErrorHandler.h>
#include <llvm/LTO/LTO.h>
#include <llvm/Support/Error.h>
#include <vector>

namespace lld::wasm {
class BitcodeFile;

/// What lld's symbol table calls where there was bitcode. lld's header of it is none of its public ones.
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

namespace llvm::lto {
InputFile::~InputFile() = default;
Expected<std::unique_ptr<InputFile>> InputFile::create(MemoryBufferRef) {
  return createStringError(inconvertibleErrorCode(), "bitcode is not linked here");
}
BitcodeModule* findThinLTOModule(MutableArrayRef<BitcodeModule>) { return nullptr; }
SmallVector<const char*> LTO::getRuntimeLibcallSymbols(const Triple&) { return {}; }
}  // namespace llvm::lto

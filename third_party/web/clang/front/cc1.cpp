// "clang -cc1" without clang's FrontendTool, which would link all that clang can do.
#include "cc1.hpp"

#include <clang/Basic/DiagnosticOptions.h>
#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Frontend/TextDiagnosticBuffer.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>

#include <cstdlib>
#include <memory>
#include <vector>

using namespace clang;

namespace {
std::unique_ptr<FrontendAction> action_of(frontend::ActionKind kind) {
  switch (kind) {
    case frontend::EmitLLVM: return std::make_unique<EmitLLVMAction>();
    case frontend::EmitObj: return std::make_unique<EmitObjAction>();
    case frontend::GeneratePCH: return std::make_unique<GeneratePCHAction>();
    case frontend::ParseSyntaxOnly: return std::make_unique<SyntaxOnlyAction>();
    case frontend::PrintPreprocessedInput: return std::make_unique<PrintPreprocessedAction>();
    default: return nullptr;
  }
}

/// What LLVM itself cannot go on from. clang's exit code for it is 70.
void give_up(void*, const char* reason, bool) {
  llvm::errs() << "fatal error: " << reason << "\n";
  std::_Exit(70);
}

/// The options after -mllvm. clang's driver gives some to passes that are not linked here: those are left
/// out.
void set_llvm_options(const FrontendOptions& options) {
  const llvm::StringMap<llvm::cl::Option*>& known = llvm::cl::getRegisteredOptions();
  std::vector<const char*> words = {"clang -mllvm"};
  for (const std::string& word : options.LLVMArgs)
    if (known.contains(llvm::StringRef(word).ltrim('-').split('=').first)) words.push_back(word.c_str());
  if (words.size() > 1) llvm::cl::ParseCommandLineOptions(int(words.size()), words.data());
}
}  // namespace

int barrierscope::cc1(llvm::ArrayRef<const char*> words, const char* name) {
  LLVMInitializeWebAssemblyTargetInfo();
  LLVMInitializeWebAssemblyTarget();
  LLVMInitializeWebAssemblyTargetMC();
  LLVMInitializeWebAssemblyAsmPrinter();
  LLVMInitializeWebAssemblyAsmParser();
  llvm::install_fatal_error_handler(give_up);

  CompilerInstance compiler;
  auto* const early = new TextDiagnosticBuffer;  // which the engine owns
  DiagnosticsEngine diagnostics(new DiagnosticIDs, new DiagnosticOptions, early);
  const bool understood =
      CompilerInvocation::CreateFromArgs(compiler.getInvocation(), words, diagnostics, name);
  compiler.createDiagnostics();
  early->FlushDiagnostics(compiler.getDiagnostics());
  if (!understood) return 1;
  set_llvm_options(compiler.getFrontendOpts());
  const std::unique_ptr<FrontendAction> action = action_of(compiler.getFrontendOpts().ProgramAction);
  if (!action) {
    llvm::errs() << "error: this clang makes LLVM IR, objects and precompiled headers, and checks syntax\n";
    return 1;
  }
  return compiler.ExecuteAction(*action) ? 0 : 1;
}

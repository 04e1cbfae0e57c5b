// In place of clang's BackendUtil.cpp, which links all of LLVM's passes. Without optimisation a module gets
// what clang gives it at -O0. With optimisation it gets a short pipeline of ours: small functions are
// inlined, as the C++ library has thousands of them, and variables live in registers.
#include <clang/Basic/CodeGenOptions.h>
#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/DiagnosticFrontend.h>
#include <clang/Basic/LangOptions.h>
#include <clang/Basic/TargetOptions.h>
#include <clang/CodeGen/BackendUtil.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/BasicAliasAnalysis.h>
#include <llvm/Analysis/BlockFrequencyInfo.h>
#include <llvm/Analysis/BranchProbabilityInfo.h>
#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/InlineAdvisor.h>
#include <llvm/Analysis/InlineCost.h>
#include <llvm/Analysis/LazyCallGraph.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/MemorySSA.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ProfileSummaryInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/TypeBasedAliasAnalysis.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/IR/PassManager.h>
#include <llvm/IRPrinter/IRPrintingPasses.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/CodeGen.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/IPO/Inliner.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopDeletion.h>
#include <llvm/Transforms/Scalar/LoopIdiomRecognize.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimpleLoopUnswitch.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

using namespace llvm;

// Of a pass that is not linked. Another one notes for it what it has found.
AnalysisKey ShouldRunExtraSimpleLoopUnswitch::Key;

namespace {
/// How code is generated. The options that the page's programs are compiled with, and no others.
std::unique_ptr<TargetMachine> machine_of(const Module& module, const clang::CodeGenOptions& code,
                                          const clang::TargetOptions& target,
                                          const clang::LangOptions& language, std::string& error) {
  const Target* const found = TargetRegistry::lookupTarget(module.getTargetTriple(), error);
  if (!found) return nullptr;
  TargetOptions options;
  options.ThreadModel = language.getThreadModel() == clang::LangOptions::ThreadModelKind::Single
                            ? ThreadModel::Single
                            : ThreadModel::POSIX;
  if (language.hasWasmExceptions()) options.ExceptionModel = ExceptionHandling::Wasm;
  options.UseInitArray = code.UseInitArray;
  options.NoZerosInBSS = code.NoZeroInitializedInBSS;
  options.FunctionSections = code.FunctionSections;
  options.DataSections = code.DataSections;
  options.UniqueSectionNames = code.UniqueSectionNames;
  options.EmulatedTLS = code.EmulatedTLS;
  options.DebuggerTuning = code.getDebuggerTuning();
  options.MCOptions.ABIName = target.ABI;
  return std::unique_ptr<TargetMachine>(found->createTargetMachine(
      module.getTargetTriple(), target.CPU, join(target.Features, ","), options, code.RelocationModel,
      std::nullopt, code.OptimizationLevel ? CodeGenOptLevel::Less : CodeGenOptLevel::None));
}

/// The analyses that the passes below ask for, each by its own registration: LLVM's PassBuilder would link
/// all of them.
class Passes {
 public:
  Passes(const Module& module, TargetMachine* machine) {
    const TargetLibraryInfoImpl library{Triple(module.getTargetTriple())};
    of_functions.registerPass([] { return PassInstrumentationAnalysis(); });
    of_functions.registerPass([] { return AssumptionAnalysis(); });
    of_functions.registerPass([] { return DominatorTreeAnalysis(); });
    of_functions.registerPass([] { return PostDominatorTreeAnalysis(); });
    of_functions.registerPass([] { return LoopAnalysis(); });
    of_functions.registerPass([] { return ScalarEvolutionAnalysis(); });
    of_functions.registerPass([] { return BranchProbabilityAnalysis(); });
    of_functions.registerPass([] { return BlockFrequencyAnalysis(); });
    of_functions.registerPass([] { return MemorySSAAnalysis(); });
    of_functions.registerPass([] { return OptimizationRemarkEmitterAnalysis(); });
    of_functions.registerPass([=] { return TargetLibraryAnalysis(library); });
    of_functions.registerPass([=] { return machine ? machine->getTargetIRAnalysis() : TargetIRAnalysis(); });
    of_functions.registerPass([] { return BasicAA(); });
    of_functions.registerPass([] { return TypeBasedAA(); });
    of_functions.registerPass([] {
      AAManager all;
      all.registerFunctionAnalysis<BasicAA>();
      all.registerFunctionAnalysis<TypeBasedAA>();
      return all;
    });
    of_loops.registerPass([] { return PassInstrumentationAnalysis(); });
    of_loops.registerPass([] { return ShouldRunExtraSimpleLoopUnswitch(); });
    of_calls.registerPass([] { return PassInstrumentationAnalysis(); });
    of_calls.registerPass([] { return FunctionAnalysisManagerCGSCCProxy(); });
    of_modules.registerPass([] { return PassInstrumentationAnalysis(); });
    of_modules.registerPass([] { return ProfileSummaryAnalysis(); });
    of_modules.registerPass([] { return LazyCallGraphAnalysis(); });
    of_modules.registerPass([] { return InlineAdvisorAnalysis(); });
    connect();
  }

  void run(Module& module, ModulePassManager& passes) { passes.run(module, of_modules); }

 private:
  /// Each kind finds the analyses of the others through these.
  void connect() {
    of_loops.registerPass([this] { return FunctionAnalysisManagerLoopProxy(of_functions); });
    of_functions.registerPass([this] { return LoopAnalysisManagerFunctionProxy(of_loops); });
    of_functions.registerPass([this] { return CGSCCAnalysisManagerFunctionProxy(of_calls); });
    of_functions.registerPass([this] { return ModuleAnalysisManagerFunctionProxy(of_modules); });
    of_calls.registerPass([this] { return ModuleAnalysisManagerCGSCCProxy(of_modules); });
    of_modules.registerPass([this] { return CGSCCAnalysisManagerModuleProxy(of_calls); });
    of_modules.registerPass([this] { return FunctionAnalysisManagerModuleProxy(of_functions); });
  }

  LoopAnalysisManager of_loops;
  FunctionAnalysisManager of_functions;
  CGSCCAnalysisManager of_calls;
  ModuleAnalysisManager of_modules;
};

/// What makes a function small enough to be inlined, and puts its variables into registers.
FunctionPassManager early() {
  FunctionPassManager passes;
  passes.addPass(SimplifyCFGPass());
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass());
  return passes;
}

/// What follows once functions are inlined.
FunctionPassManager late() {
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(SimplifyCFGPass());
  passes.addPass(InstCombinePass());
  LoopPassManager with_memory, loops;  // the second would leave MemorySSA stale
  with_memory.addPass(LoopRotatePass());
  with_memory.addPass(LICMPass(LICMOptions()));
  loops.addPass(LoopIdiomRecognizePass());
  loops.addPass(IndVarSimplifyPass());
  loops.addPass(LoopDeletionPass());
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(with_memory), /*UseMemorySSA=*/true));
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(loops)));
  passes.addPass(SimplifyCFGPass(SimplifyCFGOptions().convertSwitchRangeToICmp(true).hoistCommonInsts(true)));
  passes.addPass(InstCombinePass());
  return passes;
}

void add_short_pipeline(ModulePassManager& passes) {
  passes.addPass(createModuleToFunctionPassAdaptor(early()));
  ModuleInlinerWrapperPass inliner(getInlineParams(/*OptLevel=*/1, /*SizeOptLevel=*/0));
  inliner.getPM().addPass(createCGSCCToFunctionPassAdaptor(late()));
  passes.addPass(std::move(inliner));
  passes.addPass(GlobalDCEPass());
}

void generate(Module& module, TargetMachine& machine, CodeGenFileType kind, raw_pwrite_stream& out) {
  legacy::PassManager passes;
  passes.add(createTargetTransformInfoWrapperPass(machine.getTargetIRAnalysis()));
  passes.add(new TargetLibraryInfoWrapperPass(Triple(module.getTargetTriple())));
  machine.addPassesToEmitFile(passes, out, nullptr, kind, /*DisableVerify=*/true);
  passes.run(module);
}
}  // namespace

void clang::EmitBackendOutput(DiagnosticsEngine& diagnostics, const HeaderSearchOptions&,
                              const CodeGenOptions& code, const TargetOptions& target,
                              const LangOptions& language, StringRef, Module* module, BackendAction action,
                              IntrusiveRefCntPtr<vfs::FileSystem>, std::unique_ptr<raw_pwrite_stream> out,
                              BackendConsumer*) {
  std::string error;
  const std::unique_ptr<TargetMachine> machine = machine_of(*module, code, target, language, error);
  if (action == Backend_EmitObj && !machine) {
    diagnostics.Report(diag::err_fe_unable_to_create_target) << error;
    return;
  }
  ModulePassManager passes;
  passes.addPass(AlwaysInlinerPass(/*InsertLifetime=*/code.OptimizationLevel > 0));
  if (code.OptimizationLevel) add_short_pipeline(passes);
  if (action == Backend_EmitLL) passes.addPass(PrintModulePass(*out, "", code.EmitLLVMUseLists));
  Passes(*module, machine.get()).run(*module, passes);
  if (action == Backend_EmitObj) generate(*module, *machine, CodeGenFileType::ObjectFile, *out);
}
void clang::EmbedBitcode(Module*, const CodeGenOptions&, MemoryBufferRef) {}
void clang::EmbedObject(Module*, const CodeGenOptions&, DiagnosticsEngine&) {}

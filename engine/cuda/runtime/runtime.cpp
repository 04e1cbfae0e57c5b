#include "engine/cuda/runtime/runtime.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>

#include "engine/cuda/runtime/asking_compiler.hpp"

namespace bscope::cuda {
namespace {

constexpr size_t most_warnings = 100;

RuntimeSettings settings_or_end() {
  try {
    return RuntimeSettings::read();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    _exit(2);
  }
}

}  // namespace

Runtime::Runtime(RuntimeSettings read)
    : settings(std::move(read)), machine(settings.limits, settings.schedule) {
  if (!settings.native_answers.empty())
    machine.compile_with(std::make_unique<AskingCompiler>(settings.native_asks, settings.native_answers));
  machine.locate_allocations_with([this](uint64_t address) -> Machine::AllocationSite {
    const auto known = allocations.find(address);
    if (known == allocations.end()) return {};
    return {known->second.by, students_line(known->second.stack, settings).line};
  });
}

Runtime& Runtime::get() {
  static Runtime* const runtime = new Runtime(settings_or_end());
  return *runtime;
}

void Runtime::warn(Message m, Message help) {
  if (warnings.size() >= most_warnings) return;
  Warning warning{std::move(m), caller(), std::move(help)};
  const bool known = std::any_of(warnings.begin(), warnings.end(), [&](const Warning& other) {
    return other.message == warning.message && other.at.line == warning.at.line;
  });
  if (!known) warnings.push_back(std::move(warning));
}

cudaError_t Runtime::warn(cudaError_t error, Message m, Message help) {
  warn(std::move(m), std::move(help));
  return error;
}

Message name_of(const Memory& memory) {
  const MemoryFacts facts = facts_of(memory);
  return facts.name.empty() ? message("the array") : Message::verbatim("'" + facts.name + "'");
}

}  // namespace bscope::cuda

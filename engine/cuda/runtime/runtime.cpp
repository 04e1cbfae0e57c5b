#include "engine/cuda/runtime/runtime.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>

#include "engine/cuda/runtime/asking_compiler.hpp"
#include "engine/cuda/runtime/source_words.hpp"

namespace bscope::cuda {
namespace {

constexpr size_t most_warnings = 100;
constexpr const char* unnamed = "array_";  // what the machine calls memory that no kernel has named

void add_once(std::vector<Warning>& all, Warning warning) {
  if (all.size() >= most_warnings) return;
  const bool known = std::any_of(all.begin(), all.end(), [&](const Warning& other) {
    return other.message == warning.message && other.at.line == warning.at.line;
  });
  if (!known) all.push_back(std::move(warning));
}

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
  machine.ask_caller_with([this] {
    const LibraryCall call = library_call(Stack::now(), settings);
    return LibraryUse{call.function, call.file, call.at.line};
  });
  machine.locate_allocations_with([this](uint64_t address) -> Machine::AllocationSite {
    const auto known = allocations.find(address);
    if (known == allocations.end()) return {};
    const HostLine at = students_line(known->second.stack, settings);
    const LibraryCall call = library_call(known->second.stack, settings);
    const bool by_library = call.function.find("::") != std::string::npos;  // else a template of our own
    const std::string variable = variable_of_allocation(settings, at, known->second.by);
    return {known->second.by,
            at.line,
            variable,
            element_of_vector(settings, at),
            by_library ? call.function : std::string(),
            is_untyped(settings, at, variable)};
  });
}

Runtime& Runtime::get() {
  static Runtime* const runtime = new Runtime(settings_or_end());
  return *runtime;
}

void Runtime::note_allocation(uint64_t address, uint64_t bytes, const char* by, const Stack& at) {
  allocations[address] = {.bytes = bytes, .by = by, .stack = at, .number = ++allocated};
}

void Runtime::warn(Message m, Message help) {
  warn_at(caller(), std::move(m), std::move(help), errors.broken() != cudaSuccess);
}

void Runtime::warn_at(HostLine at, Message m, Message help, bool follows_fault) {
  add_once(warnings, {std::move(m), std::move(at), std::move(help), follows_fault});
}

void Runtime::suspect(Message m, Message help) {
  add_once(likely_causes, {std::move(m), caller(), std::move(help)});
}

cudaError_t Runtime::warn(cudaError_t error, Message m, Message help) {
  warn(std::move(m), std::move(help));
  return error;
}

std::string name_in_source(Runtime& runtime, const Memory& memory) {
  const MemoryFacts facts = facts_of(memory);
  if (const auto it = runtime.allocations.find(facts.address); it != runtime.allocations.end()) {
    const Allocation& allocation = it->second;
    const HostLine at = students_line(allocation.stack, runtime.settings);
    if (std::string variable = variable_of_allocation(runtime.settings, at, allocation.by); !variable.empty())
      return variable;
  }
  return facts.name.starts_with(unnamed) ? std::string() : facts.name;
}

Message name_of(const Memory& memory) {
  const std::string name = name_in_source(Runtime::get(), memory);
  return name.empty() ? message("the array") : Message::verbatim("'" + name + "'");
}

}  // namespace bscope::cuda

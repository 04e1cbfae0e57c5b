// Dynamic parallelism: kernels that launch kernels. A launch is checked and queued here; the launcher runs it
// when its parent has ended (launcher_children.cpp).
#include <algorithm>

#include "engine/cuda/machine/device_model.hpp"
#include "engine/cuda/machine/interpreter.hpp"
#include "engine/cuda/machine/launch_rules.hpp"

namespace bscope::cuda {
namespace {

constexpr int deepest_child = 24;  // "The maximum nesting depth is 24" (Programming Guide)
constexpr size_t most_accesses = size_t(1) << 20;
constexpr uint64_t first_handle = 0x100;                          // above the streams that have names
constexpr uint32_t invalid_configuration = 9, invalid_value = 1;  // cudaError_t

Value configure_launch(Interpreter& w, const BuiltinCall& c) {
  w.configure_child(c[0].bits, c[1].bits, c[2].bits, c[3].bits, c.line);
  return {};
}
Value last_error(Interpreter& w, const BuiltinCall& c) { return {w.child_error(c[0].bits != 0), 0, no_kind}; }
Value new_handle(Interpreter& w, const BuiltinCall&) {
  w.note_effect();
  return {first_handle + w.launch().handles++, 0, no_kind};
}
Value await(Interpreter& w, const BuiltinCall& c) {
  w.note_effect();
  w.launch().has_effects = true;
  w.launch().recorder.note(
      message("cudaDeviceSynchronize() in a kernel was removed from CUDA 12: nvcc refuses it. Barrierscope "
              "waits for the block's children, as CUDA 11 did."));
  if (w.launch().await_children) w.launch().await_children(w, c.line);
  return {};
}

/// cudaDeviceGetAttribute: the address that gets the value is the second argument.
Value device_attribute(Interpreter& w, const BuiltinCall& c) {
  const auto value = attribute_of(*w.launch().limits.device, int(c[0].bits));
  if (!value) return {invalid_value, 0, no_kind};
  w.store(c[1], {uint64_t(*value), 0, no_kind}, {4, ElementType::i32, c.line, Op::store});
  return {0, 0, no_kind};
}

Value await_grids(Interpreter& w, const BuiltinCall&) {
  w.await_grids();
  return {};
}

ChildLaunch::Stream kind_of_stream(uint64_t handle) {
  switch (handle) {
    case 0:
    case 1:
    case 2: return ChildLaunch::default_stream;
    case 3: return ChildLaunch::tail;
    case 4: return ChildLaunch::fire_and_forget;
    default: return ChildLaunch::other;
  }
}

}  // namespace

void add_children(Builtins& all) {
  all.add("__bscope_configure_child", {configure_launch, ElementType::i32, 0, 4});
  all.add("__bscope_child_error", {last_error, ElementType::i32, 0, 1});
  all.add("__bscope_new_handle", {new_handle, ElementType::u64, 0, 0});
  all.add("__bscope_await_children", {await, ElementType::i32, 0, 0});
  all.add("__bscope_await_grids", {await_grids, ElementType::i32, 0, 0});
  all.add("__bscope_device_attribute", {device_attribute, ElementType::i32, 0, 2});
}

void Interpreter::configure_child(uint64_t grid, uint64_t block, uint64_t shared, uint64_t stream,
                                  uint32_t line) {
  const auto extent = [&](uint64_t address) {
    const auto part = [&](uint64_t k) { return uint32_t(peek(address + 4 * k, 4, line)); };
    return Extent{part(0), part(1), part(2)};
  };
  next_child_ = {.grid = extent(grid),
                 .block = extent(block),
                 .dynamic_shared = shared,
                 .stream = kind_of_stream(stream),
                 .stream_handle = stream};
  has_next_child_ = true;
}

uint32_t Interpreter::child_error(bool forget) {
  const uint32_t now = child_error_;
  if (forget) child_error_ = 0;
  return now;
}

/// "It is illegal to pass a pointer to shared or local memory to a child" (Programming Guide).
ChildLaunch::Argument Interpreter::child_argument(const ir::FunctionParameter& p, const Value& v,
                                                  uint32_t line) {
  ChildLaunch::Argument a;
  if (p.by_value) {
    for (uint64_t k = 0; k < p.by_value->size; ++k)
      a.by_value.push_back(std::byte(peek(v.bits + k, 1, line)));
    return a;
  }
  a.bits = v.bits;
  if (v.origin) takes_effect(v.origin, line);
  note(Op::escape, v, int(std::min<uint64_t>(8, p.type->size)) * 8);
  if (p.type->kind != ir::Type::pointer) return a;
  const bool is_shared = v.bits >> ir::kind_shift == ir::shared_base >> ir::kind_shift;
  if (is_local(v.bits) || is_shared)
    fail(LaunchOutcome::address, line,
         is_shared ? message("{} passes a pointer to shared memory to a child grid in line {}, which cannot "
                             "use it.",
                             who(), line)
                   : message("{} passes a pointer to a local variable to a child grid in line {}, which "
                             "cannot use it.",
                             who(), line),
         message("Pass the value itself, or a pointer to global memory."));
  return a;
}

/// Whether the child's launch succeeds; else the thread gets an error, and the run a finding.
bool Interpreter::can_launch(const ChildLaunch& child, uint32_t line) {
  Message what, help;
  if (launch_.depth + 1 > deepest_child) {
    what = message("{} launches {} in line {} at a depth of {}: a GPU has at most {}.", who(),
                   child.kernel->source_name, line, launch_.depth + 1, deepest_child);
    help = message("Let the recursion end earlier, for example below a size of the input.");
  } else {
    uint64_t fixed = 0;
    for (const auto& s : launch_.program.shared_of(*child.kernel)) fixed += s.global->type->size;
    const LaunchRequest request{.kernel = child.kernel,
                                .grid = child.grid,
                                .block = child.block,
                                .dynamic_shared = child.dynamic_shared,
                                .most_dynamic_shared = 48u << 10};
    auto rule = broken_rule(request, fixed, *launch_.limits.device);
    if (!rule) return true;
    what = message("{}: {}", who(), rule->message);
    help = std::move(rule->help);
  }
  child_error_ = invalid_configuration;
  if (quiet()) {  // then it runs again, to be seen
    launch_.faulted = true;
    return false;
  }
  const bool known = std::ranges::any_of(
      launch_.findings, [&](const Finding& f) { return f.line == int(line) && f.help == help; });
  if (!known)
    launch_.findings.push_back({.block = thread_.block(),
                                .thread = thread_.rank(),
                                .line = int(line),
                                .message = std::move(what),
                                .help = std::move(help)});
  return false;
}

void Interpreter::launch_child(const ir::Function& kernel, const Call& c, uint32_t line) {
  if (!std::exchange(has_next_child_, false))
    refuse(line, message("Barrierscope cannot run what stands in line {}: {}.", line,
                         message("a launch of a kernel by a macro in device code")));
  ChildLaunch child = std::move(next_child_);
  child.kernel = &kernel;
  child.line = line;
  child.parent_block = block_number();
  child.parent_thread = thread_.rank();
  size_t at = 0;
  for (const ir::FunctionParameter& p : kernel.parameters)
    for (uint32_t k = 0; k < (p.by_value ? 1 : std::max(1u, p.type->slots)); ++k, ++at)
      if (at < c.arguments.size()) child.arguments.push_back(child_argument(p, get(c.arguments[at]), line));
  note_effect();
  launch_.has_effects = true;
  if (!can_launch(child, line)) return;
  child.number = launch_.launched++;
  launch_.children.push_back(std::move(child));
}

void Interpreter::note_beside_children(const Memory& m, uint64_t offset, uint32_t bytes, Footprint::Kind kind,
                                       uint32_t line) {
  auto& all = launch_.beside_children;
  if (all.size() < most_accesses)
    all.push_back({&m, offset, bytes, line, block_number(), thread_.rank(), kind, launch_.launched});
}

}  // namespace bscope::cuda

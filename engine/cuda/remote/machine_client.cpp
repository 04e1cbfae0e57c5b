// class Machine of a program whose machine is another module: each call is a question to that (messages.hpp).
// It stands in the place of engine/cuda/machine/machine.cpp. What the runtime does not call has no definition
// here (findings), so that a program which did would not be linked.
#include <array>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "engine/cuda/machine/launch_rules.hpp"
#include "engine/cuda/machine/machine.hpp"
#include "engine/cuda/native/compiler.hpp"
#include "engine/cuda/remote/changed_pages.hpp"
#include "engine/cuda/remote/host_memory.hpp"
#include "engine/cuda/remote/messages.hpp"
#include "engine/cuda/remote/transport.hpp"
#include "engine/trace/file.hpp"
#include "engine/trace/whole_file.hpp"

namespace bscope::cuda {

/// What this side has of a memory: its number and, of visible memory, the bytes themselves.
struct Memory {
  int number = -1;
  std::byte* own = nullptr;  ///< nullptr: the machine has the bytes
  Bytes common = {};         ///< of visible memory: what both sides hold
  mutable MemoryFacts facts = {};
  mutable uint64_t facts_of = 0;  ///< the number of changes (below) that they are from; 0: none
};

namespace {

/// Requests so far that may have changed a memory's facts.
uint64_t changes = 1;

void keep(const Memory& m, MemoryFacts facts) {
  m.facts = std::move(facts);
  m.facts_of = changes;
}

constexpr bool keeps_facts(MachineCall call) {
  using enum MachineCall;
  return call == find_memory || call == memory_facts || call == take_from_host || call == write ||
         call == fill || call == read || call == find_unset || call == remarks;
}

/// An exception of the machine's, thrown on this side.
[[noreturn]] void throw_again(AnswerKind kind, const Message& why) {
  switch (kind) {
    case AnswerKind::no_memory: throw std::bad_alloc();
    case AnswerKind::usage_error: throw UsageError(why);
    case AnswerKind::bad_file: throw BadFile(why);
    case AnswerKind::error: throw Error(why);
    default: throw std::runtime_error(why.english());
  }
}

/// An answer, and the message that its bytes lie in.
template <class Fields>
struct Answered {
  Fields fields;
  Bytes message;
  ByteSpan bytes;
};

template <class Request>
Answered<typename Request::Answer> ask_for(const Request& request, ByteSpan bytes = {}) {
  Answered<typename Request::Answer> answer;
  if (!keeps_facts(Request::call)) ++changes;
  answer.message = ask(pack(uint8_t(Request::call), request, bytes));
  const Packet packet = unpacked(answer.message);
  const auto kind = AnswerKind(packet.tag);
  if (kind != AnswerKind::done) throw_again(kind, read_fields<ErrorAnswer>(packet).message);
  answer.fields = read_fields<typename Request::Answer>(packet);
  answer.bytes = packet.bytes;
  return answer;
}
template <class Request>
typename Request::Answer ask_fields(const Request& request, ByteSpan bytes = {}) {
  return std::move(ask_for(request, bytes).fields);
}

/// A kernel as the runtime looks at it: its function without code.
struct KnownKernel : ir::Function {
  KernelFacts facts;
  std::vector<std::unique_ptr<ir::Type>> types;

  KnownKernel(std::string_view mangled, KernelFacts known) : facts(std::move(known)) {
    name = mangled;
    source_name = facts.source_name;
    cluster = facts.cluster;
    launch_bound = facts.launch_bound;
    for (const ParameterFacts& p : facts.parameters) {
      types.push_back(std::make_unique<ir::Type>());
      types.back()->kind = p.is_pointer ? ir::Type::pointer : ir::Type::structure;
      types.back()->size = p.bytes;
      parameters.push_back(
          {.type = types.back().get(), .by_value = p.by_value ? types.back().get() : nullptr});
    }
  }
};
const KernelFacts& facts_of_kernel(const ir::Function& f) { return static_cast<const KnownKernel&>(f).facts; }

std::array<uint32_t, 3> numbers_of(const Extent& e) { return {e.x, e.y, e.z}; }

/// What the machine may ask while it works.
struct Callbacks {
  Machine::AllocatedAt allocated_at;
  Machine::AskedCaller caller;
  std::unique_ptr<NativeCompiler> compiler;
  const Machine::TextOf* text_of = nullptr;  ///< of the trace that is being made
};
Callbacks& callbacks() {
  static auto* const all = new Callbacks;
  return *all;
}
void tell_of_callbacks() {
  const Callbacks& c = callbacks();
  ask_fields(Listen{bool(c.allocated_at), bool(c.caller), bool(c.compiler)});
}

}  // namespace

struct Machine::Impl {
  const DeviceModel* device = nullptr;
  std::vector<std::unique_ptr<Memory>> memories;  ///< by number
  std::map<std::pair<int, std::string>, std::unique_ptr<KnownKernel>> kernels;
  std::map<uint64_t, Memory*> visible;  ///< what lives of it, by address
  bool has_visible = false;             ///< there has been some
  std::array<Bytes, 2> read;            ///< what was read last: a copy looks at two memories at once
  size_t next_read = 0;
  MachineRemarks remarks;

  Memory* memory(int number);
  ByteSpan read_bytes(const Memory&, uint64_t offset, uint64_t bytes, bool is_output);
  void send_changes(Memory&);
  void send_all_changes();
  void take_changes(const LaunchAnswer&, ByteSpan& bytes);
  Answered<TraceAnswer> trace(const std::string& name, const TextOf&, bool is_last);
};

// ---- memory ----------------------------------------------------------------------------------------------

Memory* Machine::Impl::memory(int number) {
  if (number < 0) return nullptr;
  if (memories.size() <= size_t(number)) memories.resize(size_t(number) + 1);
  auto& m = memories[size_t(number)];
  if (!m) m = std::make_unique<Memory>(Memory{number});
  return m.get();
}

/// Tells the machine what the host has stored in visible memory since.
void Machine::Impl::send_changes(Memory& m) {
  if (!m.own) return;
  TakeFromHost request;
  Bytes bytes;
  for_changed_pages({m.own, m.common.size()}, m.common, [&](uint64_t offset, ByteSpan changed) {
    request.pieces.push_back({m.number, offset, changed.size()});
    bytes.insert(bytes.end(), changed.begin(), changed.end());
  });
  if (!request.pieces.empty()) ask_fields(request, bytes);
}
void Machine::Impl::send_all_changes() {
  for (const auto& [address, m] : visible) send_changes(*m);
}

/// Takes over what a kernel has changed of visible memory. `bytes`: what is behind the pieces is left.
void Machine::Impl::take_changes(const LaunchAnswer& answer, ByteSpan& bytes) {
  for (const MemoryPiece& p : answer.pieces) {
    Memory& m = *memory(p.memory);
    std::memcpy(m.own + p.offset, bytes.data(), size_t(p.bytes));
    std::memcpy(m.common.data() + p.offset, bytes.data(), size_t(p.bytes));
    bytes = bytes.subspan(size_t(p.bytes));
  }
}

ByteSpan Machine::Impl::read_bytes(const Memory& m, uint64_t offset, uint64_t bytes, bool is_output) {
  if (m.own) {
    if (is_output) ask_fields(ReadMemory{m.number, offset, bytes, true, false});
    return {m.own + offset, size_t(bytes)};
  }
  Answered<NoFields> answer = ask_for(ReadMemory{m.number, offset, bytes, is_output});
  Bytes& kept = read[next_read = (next_read + 1) % read.size()];
  kept = std::move(answer.message);
  return ByteSpan(kept).last(answer.bytes.size());
}

uint64_t Machine::allocate(uint64_t bytes, Placement placement) {
  if (placement == Placement::device) return ask_fields(AllocateMemory{bytes}).address;
  std::byte* const own = take_host_memory(bytes);
  if (!own) return 0;
  const uint64_t address = address_of_host_memory(own);
  Memory* const m = impl_->memory(ask_fields(AllocateAt{address, bytes}).memory);
  if (!m) {
    give_back_host_memory(own, bytes);
    return 0;
  }
  m->own = own;
  m->common.resize(size_t(bytes));
  impl_->visible[address] = m;
  impl_->has_visible = true;
  return address;
}

Machine::Freed Machine::free(uint64_t address) {
  impl_->send_all_changes();  // the trace tells of them before it takes leave of the memory
  const Freed how = ask_fields(FreeMemory{address}).how;
  const auto it = impl_->visible.find(address);
  if (how != Freed::done || it == impl_->visible.end()) return how;
  Memory& m = *it->second;
  give_back_host_memory(std::exchange(m.own, nullptr), m.common.size());
  m.common = {};
  impl_->visible.erase(it);
  return how;
}

Machine::MemoryLocation Machine::at(uint64_t address) const {
  const bool is_hosts = address >> ir::kind_shift == 0;
  if (is_hosts && !impl_->has_visible) return {};
  MemoryPlace place = ask_fields(FindMemory{address});
  Memory* const m = impl_->memory(place.memory);
  if (m) keep(*m, std::move(place.facts));
  return {m, place.offset};
}

MemoryFacts facts_of(const Memory& m) {
  if (m.facts_of != changes) keep(m, ask_fields(AskMemoryFacts{m.number}));
  return m.facts;
}

void Machine::shape(Memory& m, ElementType kind, int rows, const std::string& name) {
  ask_fields(ShapeMemory{m.number, rows, kind, name});
}

void Machine::write(Memory& m, uint64_t offset, std::span<const std::byte> bytes, const char* by) {
  impl_->send_changes(m);
  ask_fields(WriteMemory{m.number, offset, by}, bytes);
  if (!m.own) return;
  std::memmove(m.own + offset, bytes.data(), bytes.size());
  std::memcpy(m.common.data() + offset, m.own + offset, bytes.size());
}

void Machine::fill(Memory& m, uint64_t offset, uint64_t bytes, uint8_t value, const char* by) {
  impl_->send_changes(m);
  ask_fields(FillMemory{m.number, offset, bytes, value, by});
  if (!m.own) return;
  std::memset(m.own + offset, value, size_t(bytes));
  std::memset(m.common.data() + offset, value, size_t(bytes));
}

std::span<const std::byte> Machine::read(Memory& m, uint64_t offset, uint64_t bytes) {
  return impl_->read_bytes(m, offset, bytes, true);
}

std::span<const std::byte> Machine::look(Memory& m, uint64_t offset, uint64_t bytes) const {
  return impl_->read_bytes(m, offset, bytes, false);
}

std::optional<AddressRange> Machine::first_unset(const Memory& m, uint64_t offset, uint64_t bytes) const {
  if (m.own) return {};  // the host may have written it
  return ask_fields(FindUnset{m.number, offset, bytes}).first;
}

// ---- modules ---------------------------------------------------------------------------------------------

int Machine::load(std::string_view llvm_ir, const std::vector<std::string>& our_folders) {
  return ask_fields(LoadModule{our_folders}, as_bytes(llvm_ir)).module;
}

const ir::Function* Machine::kernel(int module, std::string_view mangled) const {
  const auto [it, is_new] = impl_->kernels.try_emplace({module, std::string(mangled)});
  if (is_new) {
    KernelFacts facts = ask_fields(FindKernel{module, std::string(mangled)});
    if (facts.kernel >= 0) it->second = std::make_unique<KnownKernel>(mangled, std::move(facts));
  }
  return it->second.get();
}

Memory* Machine::variable(int module, std::string_view mangled) {
  return impl_->memory(ask_fields(FindVariable{module, std::string(mangled)}).memory);
}
Memory* Machine::shared_variable(std::string_view mangled) {
  return impl_->memory(ask_fields(FindSharedVariable{std::string(mangled)}).memory);
}

uint64_t Machine::shared_bytes(const ir::Function& f) const { return facts_of_kernel(f).shared_bytes; }
Machine::Definition Machine::definition(const ir::Function& f) const { return facts_of_kernel(f).definition; }
bool Machine::is_librarys(const ir::Function& f) const { return facts_of_kernel(f).is_librarys; }
Machine::ConstantMemory Machine::constant_memory(int module) const {
  return ask_fields(AskConstantMemory{module});
}

// ---- textures --------------------------------------------------------------------------------------------

uint64_t Machine::add_texture(Texture t) { return ask_fields(AddTexture{fields_of(t)}).number; }
void Machine::destroy_texture(uint64_t number) { ask_fields(DestroyTexture{number}); }
void Machine::bind_texture(uint64_t reference, Texture t) {
  ask_fields(BindTexture{reference, fields_of(t)});
}
void Machine::unbind_texture(uint64_t reference) { ask_fields(UnbindTexture{reference}); }

// ---- launches --------------------------------------------------------------------------------------------

Machine::Machine(Limits limits, Schedule schedule) : impl_(std::make_unique<Impl>()) {
  print = [](std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
  };
  impl_->device = limits.device;
  ask_fields(BeginMachine{limits, std::string(limits.device->name), name_of(schedule)});
}
Machine::~Machine() = default;

void Machine::set_heap_bytes(uint64_t bytes) { ask_fields(SetHeapBytes{bytes}); }
void Machine::set_pending_children(uint64_t n) { ask_fields(SetPendingChildren{n}); }

void Machine::begin_library_call(const LibraryUse& use) {
  impl_->send_all_changes();
  ask_fields(BeginLibraryCall{use});
}
void Machine::end_library_call() {
  impl_->send_all_changes();
  ask_fields(EndLibraryCall{});
}

std::optional<BrokenRule> Machine::broken_rule(const LaunchRequest& r) const {
  return cuda::broken_rule(r, shared_bytes(*r.kernel), *impl_->device);
}

LaunchOutcome Machine::launch(const LaunchRequest& r) {
  const KernelFacts& kernel = facts_of_kernel(*r.kernel);
  Bytes arguments;
  for (size_t k = 0; k < kernel.parameters.size(); ++k) {
    const auto* const bytes = static_cast<const std::byte*>(r.arguments[k]);
    arguments.insert(arguments.end(), bytes, bytes + kernel.parameters[k].bytes);
  }
  impl_->send_all_changes();
  Answered<LaunchAnswer> answer = ask_for(LaunchKernel{.kernel = kernel.kernel,
                                                       .grid = numbers_of(r.grid),
                                                       .block = numbers_of(r.block),
                                                       .cluster = numbers_of(r.cluster),
                                                       .dynamic_shared = r.dynamic_shared,
                                                       .most_dynamic_shared = r.most_dynamic_shared,
                                                       .cooperative = r.cooperative,
                                                       .wants_use = r.wants_use,
                                                       .begins_early = r.begins_early,
                                                       .library = r.library,
                                                       .label = r.label},
                                          arguments);
  impl_->take_changes(answer.fields, answer.bytes);
  if (print && !answer.bytes.empty()) print(as_text(answer.bytes));
  return std::move(answer.fields.outcome);
}

// ---- what a report says ----------------------------------------------------------------------------------

// Each call gives what it is asked for alone: the others' references stay.
const std::vector<LaunchNote>& Machine::launches() const {
  return impl_->remarks.launches = ask_fields(AskRemarks{}).launches;
}
std::vector<Message> Machine::notes() const { return ask_fields(AskRemarks{}).notes; }
std::vector<Machine::UnsupportedCode> Machine::unsupported_code() const {
  return ask_fields(AskRemarks{}).unsupported_code;
}
const std::vector<KernelRemark>& Machine::unset_reads() const {
  return impl_->remarks.unset_reads = ask_fields(AskRemarks{}).unset_reads;
}
const std::vector<KernelRemark>& Machine::early_returns() const {
  return impl_->remarks.early_returns = ask_fields(AskRemarks{}).early_returns;
}
const std::vector<OverflowingIndex>& Machine::overflows() const {
  return impl_->remarks.overflows = ask_fields(AskRemarks{}).overflows;
}
std::vector<InnerPointer> Machine::inner_pointers() const { return ask_fields(AskRemarks{}).inner_pointers; }

Answered<TraceAnswer> Machine::Impl::trace(const std::string& name, const TextOf& text_of, bool is_last) {
  send_all_changes();
  callbacks().text_of = &text_of;
  return ask_for(AskTrace{name, is_last});
}

Trace Machine::trace(const std::string& name, const TextOf& text_of) const {
  return read_trace(impl_->trace(name, text_of, false).bytes);
}
Trace Machine::last_trace(const std::string& name, const TextOf& text_of) {
  return read_trace(impl_->trace(name, text_of, true).bytes);
}
void Machine::save_last_trace(const std::string& name, const TextOf& text_of,
                              const std::filesystem::path& file) {
  const Answered<TraceAnswer> answer = impl_->trace(name, text_of, true);
  if (!answer.fields.is_kept) write_whole(file, as_text(answer.bytes));
}

// ---- what the machine asks -------------------------------------------------------------------------------

void Machine::compile_with(std::unique_ptr<NativeCompiler> compiler) {
  callbacks().compiler = std::move(compiler);
  tell_of_callbacks();
}
void Machine::locate_allocations_with(AllocatedAt f) {
  callbacks().allocated_at = std::move(f);
  tell_of_callbacks();
}
void Machine::ask_caller_with(AskedCaller f) {
  callbacks().caller = std::move(f);
  tell_of_callbacks();
}

namespace {

template <class Fields>
Bytes packed_answer(const Fields& fields, ByteSpan bytes = {}) {
  return pack(uint8_t(AnswerKind::done), fields, bytes);
}

Bytes answer_of(const Packet& packet) {
  const Callbacks& c = callbacks();
  switch (ProgramCall(packet.tag)) {
    case ProgramCall::allocation_site:
      return packed_answer(c.allocated_at(read_fields<AskAllocationSite>(packet).address));
    case ProgramCall::caller: return packed_answer(c.caller());
    case ProgramCall::source_text: {
      const Source source = (*c.text_of)(read_fields<AskSourceText>(packet).file);
      return packed_answer(SourceText{source.path}, as_bytes(source.text));
    }
    case ProgramCall::compile:
      c.compiler->ask(read_fields<AskToCompile>(packet).number, std::string(as_text(packet.bytes)));
      return packed_answer(NoFields{});
    case ProgramCall::compiled: {
      const auto library = c.compiler->answer(read_fields<AskCompiled>(packet).number);
      return packed_answer(CompiledLibrary{library ? std::optional(library->string()) : std::nullopt});
    }
  }
  refuse("there is no such call");
}

}  // namespace

Bytes answer_back(ByteSpan request) {
  try {
    return answer_of(unpacked(request));
  } catch (const std::exception& e) { return pack(uint8_t(AnswerKind::other), ErrorAnswer{message_of(e)}); }
}

}  // namespace bscope::cuda

#include "engine/cuda/remote/machine_server.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/cuda/ir/module.hpp"
#include "engine/cuda/machine/machine.hpp"
#include "engine/cuda/remote/changed_pages.hpp"
#include "engine/cuda/remote/messages.hpp"
#include "engine/trace/file.hpp"
#include "engine/trace/scoped_assign.hpp"

namespace bscope::cuda {
namespace {

constexpr size_t most_callers = 1000;             // functions that write memory, by name
constexpr uint64_t longest_texture = 1ull << 28;  // texels of a row, rows, slices

/// An answer with bytes.
template <class Fields>
struct Reply {
  Fields fields;
  Bytes bytes = {};
};
/// One whose bytes are the machine's memory.
struct ViewReply {
  ByteSpan bytes;
};
template <class Fields>
Bytes packed_reply(const Fields& fields) {
  return pack(uint8_t(AnswerKind::done), fields);
}
template <class Fields>
Bytes packed_reply(const Reply<Fields>& reply) {
  return pack(uint8_t(AnswerKind::done), reply.fields, reply.bytes);
}
Bytes packed_reply(const ViewReply& reply) {
  return pack(uint8_t(AnswerKind::done), NoFields{}, reply.bytes);
}

Bytes packed_error(AnswerKind kind, Message why) { return pack(uint8_t(kind), ErrorAnswer{std::move(why)}); }

uint64_t bytes_of(const ir::FunctionParameter& p) { return p.by_value ? p.by_value->size : p.type->size; }

KernelFacts facts_of(int number, const ir::Function& f, const Machine& machine) {
  KernelFacts facts{.kernel = number,
                    .source_name = f.source_name,
                    .parameters = {},
                    .cluster = f.cluster,
                    .launch_bound = f.launch_bound,
                    .shared_bytes = machine.shared_bytes(f),
                    .is_librarys = machine.is_librarys(f),
                    .definition = machine.definition(f)};
  for (const ir::FunctionParameter& p : f.parameters)
    facts.parameters.push_back({p.type->kind == ir::Type::pointer, p.by_value != nullptr, bytes_of(p)});
  return facts;
}

Extent extent_of(const std::array<uint32_t, 3>& numbers) { return {numbers[0], numbers[1], numbers[2]}; }

}  // namespace

struct MachineServer::Impl {
  explicit Impl(ServerEnvironment e) : environment(std::move(e)), compiles_itself(environment.compiler) {}

  /// How far the run has come, which says what may be asked.
  enum class Stage : uint8_t {
    not_begun,
    loading,    ///< no kernel has run
    running,    ///< no module can be loaded any more
    ended,      ///< the last trace is made: memory is gone
    unloadable  ///< a module could not be read
  } stage = Stage::not_begun;
  ServerEnvironment environment;
  const bool compiles_itself;
  std::optional<Machine> machine;
  std::unique_ptr<const Trace> last;  ///< as long as this lives: the heap that it lies in may be broken
  bool is_asking = false;             ///< the program, which may ask nothing meanwhile
  int modules = 0;
  std::vector<const ir::Function*> kernels;
  std::unordered_map<const ir::Function*, int> kernel_numbers;
  std::vector<Memory*> memories;
  std::unordered_map<const Memory*, int> memory_numbers;
  std::map<int, Bytes> common;  ///< of visible memory, by its number: what both sides hold
  std::set<std::string> callers;
  std::string printed;

  template <class... Requests>
  Bytes answer(const Packet&, MessageList<Requests...>);
  template <class Request>
  Bytes answer_one(const Packet&);
  template <class Request>
  std::optional<Reply<typename Request::Answer>> ask_back(const Request&, ByteSpan = {});

  int number_of(Memory* m);
  Memory& memory(int number) const;
  Memory& living(int number, uint64_t offset, uint64_t bytes) const;
  void need_module(int number) const;
  const char* caller(const std::string& name);
  Texture checked(const TextureFields&) const;
  void note_stored(int memory, uint64_t offset, ByteSpan);
  std::vector<MemoryPiece> changed_pieces(Bytes& to);
  Source text_of(const std::string& file);

  NoFields on(const BeginMachine&, ByteSpan);
  NoFields on(const Listen&, ByteSpan);
  ModuleNumber on(const LoadModule&, ByteSpan);
  KernelFacts on(const FindKernel&, ByteSpan);
  MemoryNumber on(const FindVariable&, ByteSpan);
  MemoryNumber on(const FindSharedVariable&, ByteSpan);
  Machine::ConstantMemory on(const AskConstantMemory&, ByteSpan);
  AllocatedAddress on(const AllocateMemory&, ByteSpan);
  MemoryNumber on(const AllocateAt&, ByteSpan);
  FreedMemory on(const FreeMemory&, ByteSpan);
  MemoryPlace on(const FindMemory&, ByteSpan);
  MemoryFacts on(const AskMemoryFacts&, ByteSpan);
  NoFields on(const ShapeMemory&, ByteSpan);
  NoFields on(const TakeFromHost&, ByteSpan);
  NoFields on(const WriteMemory&, ByteSpan);
  NoFields on(const FillMemory&, ByteSpan);
  ViewReply on(const ReadMemory&, ByteSpan);
  UnsetCells on(const FindUnset&, ByteSpan);
  TextureNumber on(const AddTexture&, ByteSpan);
  NoFields on(const DestroyTexture&, ByteSpan);
  NoFields on(const BindTexture&, ByteSpan);
  NoFields on(const UnbindTexture&, ByteSpan);
  NoFields on(const SetHeapBytes&, ByteSpan);
  NoFields on(const SetPendingChildren&, ByteSpan);
  NoFields on(const BeginLibraryCall&, ByteSpan);
  NoFields on(const EndLibraryCall&, ByteSpan);
  Reply<LaunchAnswer> on(const LaunchKernel&, ByteSpan);
  MachineRemarks on(const AskRemarks&, ByteSpan);
  Reply<TraceAnswer> on(const AskTrace&, ByteSpan);
};

// ---- asking back -----------------------------------------------------------------------------------------

/// nullopt: the program gives no valid answer.
template <class Request>
std::optional<Reply<typename Request::Answer>> MachineServer::Impl::ask_back(const Request& request,
                                                                             ByteSpan bytes) {
  if (!environment.ask_back) return {};
  const ScopedAssign asking(is_asking, true);
  try {
    const Bytes answer = environment.ask_back(pack(uint8_t(Request::call), request, bytes));
    const Packet packet = unpacked(answer);
    if (AnswerKind(packet.tag) != AnswerKind::done) return {};
    return Reply<typename Request::Answer>{read_fields<typename Request::Answer>(packet),
                                           {packet.bytes.begin(), packet.bytes.end()}};
  } catch (const BadFile&) { return {}; }
}

Source MachineServer::Impl::text_of(const std::string& file) {
  auto reply = ask_back(AskSourceText{file});
  if (!reply) return {file, ""};
  return {std::move(reply->fields.path), std::string(as_text(reply->bytes))};
}

namespace {

/// Native code that the program gets made.
class ProgramsCompiler : public NativeCompiler {
 public:
  using Ask = std::function<void(const AskToCompile&, ByteSpan)>;
  using Answer = std::function<std::optional<std::string>(const AskCompiled&)>;
  ProgramsCompiler(Ask ask, Answer answer) : ask_(std::move(ask)), answer_(std::move(answer)) {}
  void ask(int number, const std::string& text) override { ask_({number}, as_bytes(text)); }
  std::optional<std::filesystem::path> answer(int number) override { return answer_({number}); }

 private:
  Ask ask_;
  Answer answer_;
};

}  // namespace

// ---- what is checked -------------------------------------------------------------------------------------

int MachineServer::Impl::number_of(Memory* m) {
  if (!m) return -1;
  const auto [it, is_new] = memory_numbers.try_emplace(m, int(memories.size()));
  if (is_new) memories.push_back(m);
  return it->second;
}

Memory& MachineServer::Impl::memory(int number) const {
  if (number < 0 || size_t(number) >= memories.size()) refuse("there is no such memory");
  return *memories[size_t(number)];
}

/// The memory, where those bytes are in it.
Memory& MachineServer::Impl::living(int number, uint64_t offset, uint64_t bytes) const {
  Memory& m = memory(number);
  const MemoryFacts facts = cuda::facts_of(m);
  if (facts.freed) refuse("the memory is freed");
  if (offset > facts.bytes || bytes > facts.bytes - offset) refuse("the memory is smaller");
  return m;
}

void MachineServer::Impl::need_module(int number) const {
  if (number < 0 || number >= modules) refuse("there is no such module");
}

/// The name, kept as long as the machine.
const char* MachineServer::Impl::caller(const std::string& name) {
  const auto it = callers.find(name);
  if (it != callers.end()) return it->c_str();
  if (callers.size() >= most_callers) refuse("too many functions write memory");
  return callers.insert(name).first->c_str();
}

Texture MachineServer::Impl::checked(const TextureFields& fields) const {
  const auto is_among = [](uint32_t n) { return n == 1 || n == 2 || n == 4; };
  if (!is_among(fields.format.bytes) || !is_among(fields.format.channels)) refuse("no texel is like that");
  if (fields.levels.empty()) refuse("a texture has no texels");
  for (const TextureLevel& l : fields.levels) {
    const uint64_t longest = std::max({l.width, l.height, l.depth});
    if (!l.width || !l.height || !l.depth || longest > longest_texture) refuse("no texture is so large");
    const Machine::MemoryLocation place = machine->at(l.address);
    if (!place.memory || place.offset < 0) refuse("a texture lies in no memory");
    const MemoryFacts facts = cuda::facts_of(*place.memory);
    const uint64_t row = uint64_t(l.width) * fields.format.texel_bytes(), offset = uint64_t(place.offset);
    if (facts.freed || offset > facts.bytes) refuse("a texture lies in no memory");
    if (l.pitch < row || l.pitch > facts.bytes) refuse("a texture's rows are longer");
    const uint64_t rows = (facts.bytes - offset) / l.pitch + 1;  // the last one may be cut
    if (uint64_t(l.height) * l.depth > rows) refuse("a texture goes beyond its memory");
  }
  return texture_of(fields);
}

/// The program's copy of visible memory has these bytes, too.
void MachineServer::Impl::note_stored(int memory, uint64_t offset, ByteSpan bytes) {
  if (const auto it = common.find(memory); it != common.end())
    std::ranges::copy(bytes, it->second.begin() + ptrdiff_t(offset));
}

/// What the machine has changed of visible memory. Its bytes are added to `to`.
std::vector<MemoryPiece> MachineServer::Impl::changed_pieces(Bytes& to) {
  std::vector<MemoryPiece> pieces;
  for (auto& [number, known] : common)
    for_changed_pages(machine->look(*memories[size_t(number)], 0, known.size()), known,
                      [&](uint64_t offset, ByteSpan bytes) {
                        pieces.push_back({number, offset, bytes.size()});
                        to.insert(to.end(), bytes.begin(), bytes.end());
                      });
  return pieces;
}

// ---- the calls -------------------------------------------------------------------------------------------

NoFields MachineServer::Impl::on(const BeginMachine& b, ByteSpan) {
  Limits limits = b.limits;
  limits.device = device_model(b.device);
  if (!limits.device) refuse("there is no such device");
  machine.emplace(limits, parse_schedule(b.schedule));
  machine->print = [this](std::string_view text) { printed += text; };
  if (environment.compiler) machine->compile_with(std::move(environment.compiler));
  stage = Stage::loading;
  return {};
}

NoFields MachineServer::Impl::on(const Listen& l, ByteSpan) {
  if (l.allocation_sites)
    machine->locate_allocations_with([this](uint64_t address) {
      auto reply = ask_back(AskAllocationSite{address});
      return reply ? std::move(reply->fields) : Machine::AllocationSite();
    });
  if (l.callers)
    machine->ask_caller_with([this] {
      auto reply = ask_back(AskCaller{});
      return reply ? std::move(reply->fields) : LibraryUse();
    });
  if (l.compiler && !compiles_itself)
    machine->compile_with(std::make_unique<ProgramsCompiler>(
        [this](const AskToCompile& ask, ByteSpan text) { ask_back(ask, text); },
        [this](const AskCompiled& ask) {
          auto reply = ask_back(ask);
          return reply ? std::move(reply->fields.library) : std::string();
        }));
  return {};
}

ModuleNumber MachineServer::Impl::on(const LoadModule& l, ByteSpan text) {
  if (stage != Stage::loading) refuse("a module comes too late");
  stage = Stage::unloadable;
  const int module = machine->load(as_text(text), l.our_folders);
  stage = Stage::loading;
  modules = module + 1;
  return {module};
}

KernelFacts MachineServer::Impl::on(const FindKernel& f, ByteSpan) {
  need_module(f.module);
  const ir::Function* const kernel = machine->kernel(f.module, f.name);
  if (!kernel) return {};
  const auto [it, is_new] = kernel_numbers.try_emplace(kernel, int(kernels.size()));
  if (is_new) kernels.push_back(kernel);
  return facts_of(it->second, *kernel, *machine);
}

MemoryNumber MachineServer::Impl::on(const FindVariable& f, ByteSpan) {
  need_module(f.module);
  return {number_of(machine->variable(f.module, f.name))};
}
MemoryNumber MachineServer::Impl::on(const FindSharedVariable& f, ByteSpan) {
  return {number_of(machine->shared_variable(f.name))};
}
Machine::ConstantMemory MachineServer::Impl::on(const AskConstantMemory& a, ByteSpan) {
  need_module(a.module);
  return machine->constant_memory(a.module);
}

AllocatedAddress MachineServer::Impl::on(const AllocateMemory& a, ByteSpan) {
  return {machine->allocate(a.bytes, Placement::device)};
}
MemoryNumber MachineServer::Impl::on(const AllocateAt& a, ByteSpan) {
  if (!machine->allocate_at(a.address, a.bytes)) return {};
  const int number = number_of(machine->at(a.address).memory);
  common[number].resize(size_t(a.bytes));
  return {number};
}
FreedMemory MachineServer::Impl::on(const FreeMemory& f, ByteSpan) {
  const Machine::Freed how = machine->free(f.address);
  if (how == Machine::Freed::done) common.erase(number_of(machine->at(f.address).memory));
  return {how};
}
MemoryPlace MachineServer::Impl::on(const FindMemory& f, ByteSpan) {
  const Machine::MemoryLocation place = machine->at(f.address);
  if (!place.memory) return {};
  return {number_of(place.memory), place.offset, cuda::facts_of(*place.memory)};
}
MemoryFacts MachineServer::Impl::on(const AskMemoryFacts& a, ByteSpan) {
  return cuda::facts_of(memory(a.memory));
}
NoFields MachineServer::Impl::on(const ShapeMemory& s, ByteSpan) {
  machine->shape(living(s.memory, 0, 0), s.kind, s.rows, s.name);
  return {};
}

NoFields MachineServer::Impl::on(const TakeFromHost& t, ByteSpan bytes) {
  uint64_t all = 0;
  for (const MemoryPiece& p : t.pieces) {
    if (!common.contains(p.memory)) refuse("the host cannot touch that memory");
    living(p.memory, p.offset, p.bytes);
    if (p.bytes > bytes.size() - all) refuse("bytes of memory are missing");
    all += p.bytes;
  }
  for (const MemoryPiece& p : t.pieces) {
    const ByteSpan piece = bytes.first(size_t(p.bytes));
    machine->take_from_host(*memories[size_t(p.memory)], p.offset, piece);
    note_stored(p.memory, p.offset, piece);
    bytes = bytes.subspan(piece.size());
  }
  return {};
}
NoFields MachineServer::Impl::on(const WriteMemory& w, ByteSpan bytes) {
  Memory& m = living(w.memory, w.offset, bytes.size());
  machine->write(m, w.offset, bytes, caller(w.by));
  note_stored(w.memory, w.offset, bytes);
  return {};
}
NoFields MachineServer::Impl::on(const FillMemory& f, ByteSpan) {
  Memory& m = living(f.memory, f.offset, f.bytes);
  machine->fill(m, f.offset, f.bytes, f.value, caller(f.by));
  note_stored(f.memory, f.offset, machine->look(m, f.offset, f.bytes));
  return {};
}
ViewReply MachineServer::Impl::on(const ReadMemory& r, ByteSpan) {
  Memory& m = living(r.memory, r.offset, r.bytes);
  const ByteSpan bytes =
      r.is_output ? machine->read(m, r.offset, r.bytes) : machine->look(m, r.offset, r.bytes);
  return {r.wants_bytes ? bytes : ByteSpan()};
}
UnsetCells MachineServer::Impl::on(const FindUnset& f, ByteSpan) {
  return {machine->first_unset(living(f.memory, f.offset, f.bytes), f.offset, f.bytes)};
}

TextureNumber MachineServer::Impl::on(const AddTexture& a, ByteSpan) {
  return {machine->add_texture(checked(a.texture))};
}
NoFields MachineServer::Impl::on(const DestroyTexture& d, ByteSpan) {
  machine->destroy_texture(d.number);
  return {};
}
NoFields MachineServer::Impl::on(const BindTexture& b, ByteSpan) {
  machine->bind_texture(b.reference, checked(b.texture));
  return {};
}
NoFields MachineServer::Impl::on(const UnbindTexture& u, ByteSpan) {
  machine->unbind_texture(u.reference);
  return {};
}

NoFields MachineServer::Impl::on(const SetHeapBytes& s, ByteSpan) {
  machine->set_heap_bytes(s.bytes);
  return {};
}
NoFields MachineServer::Impl::on(const SetPendingChildren& s, ByteSpan) {
  machine->set_pending_children(s.count);
  return {};
}
NoFields MachineServer::Impl::on(const BeginLibraryCall& b, ByteSpan) {
  if (b.use.function.empty()) refuse("a library's call has no name");
  stage = Stage::running;
  machine->begin_library_call(b.use);
  return {};
}
NoFields MachineServer::Impl::on(const EndLibraryCall&, ByteSpan) {
  machine->end_library_call();
  return {};
}

Reply<LaunchAnswer> MachineServer::Impl::on(const LaunchKernel& l, ByteSpan bytes) {
  if (l.kernel < 0 || size_t(l.kernel) >= kernels.size()) refuse("there is no such kernel");
  const ir::Function& kernel = *kernels[size_t(l.kernel)];
  if (kernel.blocks.empty()) refuse("the kernel is declared only");
  std::vector<void*> arguments;
  for (const ir::FunctionParameter& p : kernel.parameters) {
    if (bytes_of(p) > bytes.size()) refuse("arguments are missing");
    arguments.push_back(const_cast<std::byte*>(bytes.data()));
    bytes = bytes.subspan(size_t(bytes_of(p)));
  }
  if (!bytes.empty()) refuse("there are more arguments than parameters");
  stage = Stage::running;
  printed.clear();
  Reply<LaunchAnswer> reply;
  reply.fields.outcome = machine->launch({.kernel = &kernel,
                                          .grid = extent_of(l.grid),
                                          .block = extent_of(l.block),
                                          .arguments = arguments.data(),
                                          .dynamic_shared = l.dynamic_shared,
                                          .most_dynamic_shared = l.most_dynamic_shared,
                                          .cooperative = l.cooperative,
                                          .wants_use = l.wants_use,
                                          .library = l.library,
                                          .begins_early = l.begins_early,
                                          .cluster = extent_of(l.cluster),
                                          .label = l.label});
  reply.fields.pieces = changed_pieces(reply.bytes);
  const ByteSpan text = as_bytes(printed);
  reply.bytes.insert(reply.bytes.end(), text.begin(), text.end());
  return reply;
}

MachineRemarks MachineServer::Impl::on(const AskRemarks&, ByteSpan) {
  return {machine->launches(),      machine->notes(),     machine->unsupported_code(), machine->unset_reads(),
          machine->early_returns(), machine->overflows(), machine->inner_pointers()};
}

Reply<TraceAnswer> MachineServer::Impl::on(const AskTrace& a, ByteSpan) {
  const auto text = [this](const std::string& file) { return text_of(file); };
  if (a.is_last) {
    stage = Stage::ended;
    last = std::make_unique<const Trace>(machine->last_trace(a.name, text));
  }
  const Trace sofar = a.is_last ? Trace() : machine->trace(a.name, text);
  const Trace& trace = a.is_last ? *last : sofar;
  validate(trace);
  Bytes file = write_trace(trace);
  if (!environment.keep_trace) return {{}, std::move(file)};
  environment.keep_trace(std::move(file));
  return {{true}};
}

// ---- answers ---------------------------------------------------------------------------------------------

template <class Request>
Bytes MachineServer::Impl::answer_one(const Packet& packet) {
  constexpr bool begins = Request::call == MachineCall::begin;
  constexpr bool looks = Request::call == MachineCall::find_memory ||
                         Request::call == MachineCall::memory_facts || Request::call == MachineCall::remarks;
  if (is_asking) refuse("the machine waits for an answer");
  if (begins != (stage == Stage::not_begun)) refuse("the machine begins once");
  if (stage == Stage::unloadable) refuse("a module could not be read");
  if (stage == Stage::ended && !looks) refuse("the run has ended");
  return packed_reply(on(read_fields<Request>(packet), packet.bytes));
}

template <class... Requests>
Bytes MachineServer::Impl::answer(const Packet& packet, MessageList<Requests...>) {
  Bytes answer;
  const bool known =
      ((packet.tag == uint8_t(Requests::call) && (answer = answer_one<Requests>(packet), true)) || ...);
  if (!known) refuse("there is no such call");
  return answer;
}

MachineServer::MachineServer(ServerEnvironment e) : impl_(std::make_unique<Impl>(std::move(e))) {}
MachineServer::~MachineServer() = default;

Bytes MachineServer::answer(ByteSpan request) {
  try {
    return impl_->answer(unpacked(request), MachineRequests());
  } catch (const std::bad_alloc&) {
    return packed_error(AnswerKind::no_memory, {});
  } catch (const std::length_error&) {  // of a container: more than the module's memory
    return packed_error(AnswerKind::no_memory, {});
  } catch (const UsageError& e) {
    return packed_error(AnswerKind::usage_error, e.message());
  } catch (const BadFile& e) {
    return packed_error(AnswerKind::bad_file, e.message());
  } catch (const Error& e) {
    return packed_error(AnswerKind::error, e.message());
  } catch (const std::exception& e) { return packed_error(AnswerKind::other, Message::plain(e.what())); }
}

}  // namespace bscope::cuda

// What a program and its machine say to each other, where each is a module with a memory of its own: one
// struct for each call, and its answer. A call that answers nothing has NoFields. Bytes that go with a
// message are named beside it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/cuda/machine/machine.hpp"
#include "engine/cuda/machine/textures.hpp"
#include "engine/trace/fields.hpp"

namespace bscope::cuda {

/// What the program asks the machine.
enum class MachineCall : uint8_t {
  begin,
  listen,
  load,
  find_kernel,
  find_variable,
  find_shared_variable,
  constant_memory,
  allocate,
  allocate_at,
  free,
  find_memory,
  memory_facts,
  shape,
  take_from_host,
  write,
  fill,
  read,
  find_unset,
  add_texture,
  destroy_texture,
  bind_texture,
  unbind_texture,
  set_heap_bytes,
  set_pending_children,
  begin_library_call,
  end_library_call,
  launch,
  remarks,
  trace,
};
constexpr MachineCall last_of(MachineCall) { return MachineCall::trace; }

/// What the machine asks the program, while that waits for an answer.
enum class ProgramCall : uint8_t { allocation_site, caller, source_text, compile, compiled };
constexpr ProgramCall last_of(ProgramCall) { return ProgramCall::compiled; }

/// What an answer is: what was asked for, or an exception that the asking side throws.
enum class AnswerKind : uint8_t { done, no_memory, usage_error, bad_file, error, other };
constexpr AnswerKind last_of(AnswerKind) { return AnswerKind::other; }

inline constexpr size_t most_name = 4096;  ///< bytes of a name, mangled ones included

struct NoFields {
  template <class Self, class Visit>
  static void fields(Self&, Visit&&) {}
};

/// Of all kinds but `done`.
struct ErrorAnswer {
  Message message;
  template <class Self, class Visit>
  static void fields(Self& e, Visit&& visit) {
    visit("message", e.message);
  }
};

// ---- the machine as a whole

struct BeginMachine {
  static constexpr MachineCall call = MachineCall::begin;
  using Answer = NoFields;
  Limits limits = {};
  std::string device, schedule;  ///< their names
  template <class Self, class Visit>
  static void fields(Self& b, Visit&& visit) {
    visit("limits", b.limits);
    visit("device", b.device);
    visit("schedule", b.schedule, Field{.at_most = 1 << 16});
  }
};

/// Which calls of ProgramCall the program answers.
struct Listen {
  static constexpr MachineCall call = MachineCall::listen;
  using Answer = NoFields;
  bool allocation_sites = false, callers = false, compiler = false;
  template <class Self, class Visit>
  static void fields(Self& l, Visit&& visit) {
    visit("allocation_sites", l.allocation_sites);
    visit("callers", l.callers);
    visit("compiler", l.compiler);
  }
};

// ---- modules

struct ModuleNumber {
  int32_t module = 0;
  template <class Self, class Visit>
  static void fields(Self& m, Visit&& visit) {
    visit("module", m.module);
  }
};
/// Its bytes: the module's text.
struct LoadModule {
  static constexpr MachineCall call = MachineCall::load;
  using Answer = ModuleNumber;
  std::vector<std::string> our_folders;
  template <class Self, class Visit>
  static void fields(Self& l, Visit&& visit) {
    visit("our_folders", l.our_folders);
  }
};

/// A parameter as its host has to know it.
struct ParameterFacts {
  bool is_pointer = false, by_value = false;
  uint64_t bytes = 0;  ///< of the argument
  template <class Self, class Visit>
  static void fields(Self& p, Visit&& visit) {
    visit("is_pointer", p.is_pointer);
    visit("by_value", p.by_value);
    visit("bytes", p.bytes);
  }
};
/// All that a program asks of a kernel. It does not change.
struct KernelFacts {
  int32_t kernel = -1;  ///< its number; -1: there is none
  std::string source_name;
  std::vector<ParameterFacts> parameters;
  std::array<uint32_t, 3> cluster = {1, 1, 1};
  uint32_t launch_bound = 0;
  uint64_t shared_bytes = 0;
  bool is_librarys = false;
  Machine::Definition definition;
  template <class Self, class Visit>
  static void fields(Self& k, Visit&& visit) {
    visit("kernel", k.kernel);
    visit("source_name", k.source_name);
    visit("parameters", k.parameters);
    visit("cluster", k.cluster);
    visit("launch_bound", k.launch_bound);
    visit("shared_bytes", k.shared_bytes);
    visit("is_librarys", k.is_librarys);
    visit("definition", k.definition);
  }
};
struct FindKernel {
  static constexpr MachineCall call = MachineCall::find_kernel;
  using Answer = KernelFacts;
  int32_t module = 0;
  std::string name;
  template <class Self, class Visit>
  static void fields(Self& f, Visit&& visit) {
    visit("module", f.module);
    visit("name", f.name);
  }
};

/// A memory goes by a number, which is never another memory's.
struct MemoryNumber {
  int32_t memory = -1;  ///< -1: there is none
  template <class Self, class Visit>
  static void fields(Self& m, Visit&& visit) {
    visit("memory", m.memory);
  }
};
struct FindVariable {
  static constexpr MachineCall call = MachineCall::find_variable;
  using Answer = MemoryNumber;
  int32_t module = 0;
  std::string name;
  template <class Self, class Visit>
  static void fields(Self& f, Visit&& visit) {
    visit("module", f.module);
    visit("name", f.name);
  }
};
struct FindSharedVariable {
  static constexpr MachineCall call = MachineCall::find_shared_variable;
  using Answer = MemoryNumber;
  std::string name;
  template <class Self, class Visit>
  static void fields(Self& f, Visit&& visit) {
    visit("name", f.name);
  }
};
struct AskConstantMemory {
  static constexpr MachineCall call = MachineCall::constant_memory;
  using Answer = Machine::ConstantMemory;
  int32_t module = 0;
  template <class Self, class Visit>
  static void fields(Self& a, Visit&& visit) {
    visit("module", a.module);
  }
};

// ---- memory

struct AllocatedAddress {
  uint64_t address = 0;
  template <class Self, class Visit>
  static void fields(Self& a, Visit&& visit) {
    visit("address", a.address);
  }
};
struct AllocateMemory {
  static constexpr MachineCall call = MachineCall::allocate;
  using Answer = AllocatedAddress;
  uint64_t bytes = 0;
  template <class Self, class Visit>
  static void fields(Self& a, Visit&& visit) {
    visit("bytes", a.bytes);
  }
};
/// Visible memory, whose address is the program's own. Answers its number.
struct AllocateAt {
  static constexpr MachineCall call = MachineCall::allocate_at;
  using Answer = MemoryNumber;
  uint64_t address = 0, bytes = 0;
  template <class Self, class Visit>
  static void fields(Self& a, Visit&& visit) {
    visit("address", a.address);
    visit("bytes", a.bytes);
  }
};

struct FreedMemory {
  Machine::Freed how = Machine::Freed::unknown;
  template <class Self, class Visit>
  static void fields(Self& f, Visit&& visit) {
    visit("how", f.how);
  }
};
struct FreeMemory {
  static constexpr MachineCall call = MachineCall::free;
  using Answer = FreedMemory;
  uint64_t address = 0;
  template <class Self, class Visit>
  static void fields(Self& f, Visit&& visit) {
    visit("address", f.address);
  }
};

struct MemoryPlace {
  int32_t memory = -1;
  int64_t offset = 0;
  MemoryFacts facts = {};  ///< which the program asks for next
  template <class Self, class Visit>
  static void fields(Self& p, Visit&& visit) {
    visit("memory", p.memory);
    visit("offset", p.offset);
    visit("facts", p.facts);
  }
};
struct FindMemory {
  static constexpr MachineCall call = MachineCall::find_memory;
  using Answer = MemoryPlace;
  uint64_t address = 0;
  template <class Self, class Visit>
  static void fields(Self& f, Visit&& visit) {
    visit("address", f.address);
  }
};
struct AskMemoryFacts {
  static constexpr MachineCall call = MachineCall::memory_facts;
  using Answer = MemoryFacts;
  int32_t memory = -1;
  template <class Self, class Visit>
  static void fields(Self& a, Visit&& visit) {
    visit("memory", a.memory);
  }
};
struct ShapeMemory {
  static constexpr MachineCall call = MachineCall::shape;
  using Answer = NoFields;
  int32_t memory = -1, rows = 1;
  ElementType kind = ElementType::other;
  std::string name;
  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    visit("memory", s.memory);
    visit("rows", s.rows, Field{.least = 1});
    visit("kind", s.kind);
    visit("name", s.name, Field{.at_most = most_name});
  }
};

/// A part of a memory. The bytes of several stand one behind the other in the message.
struct MemoryPiece {
  int32_t memory = -1;
  uint64_t offset = 0, bytes = 0;
  bool operator==(const MemoryPiece&) const = default;
  template <class Self, class Visit>
  static void fields(Self& p, Visit&& visit) {
    visit("memory", p.memory);
    visit("offset", p.offset);
    visit("bytes", p.bytes);
  }
};
/// Visible memory that the host has changed. Its bytes: those of the pieces.
struct TakeFromHost {
  static constexpr MachineCall call = MachineCall::take_from_host;
  using Answer = NoFields;
  std::vector<MemoryPiece> pieces;
  template <class Self, class Visit>
  static void fields(Self& t, Visit&& visit) {
    visit("pieces", t.pieces);
  }
};
/// Its bytes: what is written.
struct WriteMemory {
  static constexpr MachineCall call = MachineCall::write;
  using Answer = NoFields;
  int32_t memory = -1;
  uint64_t offset = 0;
  std::string by;
  template <class Self, class Visit>
  static void fields(Self& w, Visit&& visit) {
    visit("memory", w.memory);
    visit("offset", w.offset);
    visit("by", w.by, Field{.at_most = 256});
  }
};
struct FillMemory {
  static constexpr MachineCall call = MachineCall::fill;
  using Answer = NoFields;
  int32_t memory = -1;
  uint64_t offset = 0, bytes = 0;
  uint8_t value = 0;
  std::string by;
  template <class Self, class Visit>
  static void fields(Self& f, Visit&& visit) {
    visit("memory", f.memory);
    visit("offset", f.offset);
    visit("bytes", f.bytes);
    visit("value", f.value);
    visit("by", f.by, Field{.at_most = 256});
  }
};
/// The answer's bytes: what lies there.
struct ReadMemory {
  static constexpr MachineCall call = MachineCall::read;
  using Answer = NoFields;
  int32_t memory = -1;
  uint64_t offset = 0, bytes = 0;
  bool is_output = false;   ///< Machine::read, else Machine::look
  bool wants_bytes = true;  ///< the program does not have them itself
  template <class Self, class Visit>
  static void fields(Self& r, Visit&& visit) {
    visit("memory", r.memory);
    visit("offset", r.offset);
    visit("bytes", r.bytes);
    visit("is_output", r.is_output);
    visit("wants_bytes", r.wants_bytes);
  }
};

struct UnsetCells {
  std::optional<AddressRange> first;
  template <class Self, class Visit>
  static void fields(Self& u, Visit&& visit) {
    visit("first", u.first);
  }
};
struct FindUnset {
  static constexpr MachineCall call = MachineCall::find_unset;
  using Answer = UnsetCells;
  int32_t memory = -1;
  uint64_t offset = 0, bytes = 0;
  template <class Self, class Visit>
  static void fields(Self& f, Visit&& visit) {
    visit("memory", f.memory);
    visit("offset", f.offset);
    visit("bytes", f.bytes);
  }
};

// ---- textures

/// A Texture. Its floats, which may be infinite, go as their bits.
struct TextureFields {
  Texture::Shape shape = Texture::two;
  bool is_surface = false, linear_filter = false, linear_levels = false, normalized = false, as_float = false,
       srgb = false;
  TexelFormat format;
  std::vector<TextureLevel> levels;
  std::array<TextureAddress, 3> address{};
  std::array<uint32_t, 4> border{};
  uint32_t level_bias = 0, least_level = 0, most_level = 0;
  template <class Self, class Visit>
  static void fields(Self& t, Visit&& visit) {
    visit("shape", t.shape);
    visit("is_surface", t.is_surface);
    visit("linear_filter", t.linear_filter);
    visit("linear_levels", t.linear_levels);
    visit("normalized", t.normalized);
    visit("as_float", t.as_float);
    visit("srgb", t.srgb);
    visit("format", t.format);
    visit("levels", t.levels, Field{.at_most = 32});
    visit("address", t.address);
    visit("border", t.border);
    visit("level_bias", t.level_bias);
    visit("least_level", t.least_level);
    visit("most_level", t.most_level);
  }
};
TextureFields fields_of(const Texture&);
Texture texture_of(const TextureFields&);

struct TextureNumber {
  uint64_t number = 0;
  template <class Self, class Visit>
  static void fields(Self& t, Visit&& visit) {
    visit("number", t.number);
  }
};
struct AddTexture {
  static constexpr MachineCall call = MachineCall::add_texture;
  using Answer = TextureNumber;
  TextureFields texture;
  template <class Self, class Visit>
  static void fields(Self& a, Visit&& visit) {
    visit("texture", a.texture);
  }
};
struct DestroyTexture {
  static constexpr MachineCall call = MachineCall::destroy_texture;
  using Answer = NoFields;
  uint64_t number = 0;
  template <class Self, class Visit>
  static void fields(Self& d, Visit&& visit) {
    visit("number", d.number);
  }
};
struct BindTexture {
  static constexpr MachineCall call = MachineCall::bind_texture;
  using Answer = NoFields;
  uint64_t reference = 0;
  TextureFields texture;
  template <class Self, class Visit>
  static void fields(Self& b, Visit&& visit) {
    visit("reference", b.reference);
    visit("texture", b.texture);
  }
};
struct UnbindTexture {
  static constexpr MachineCall call = MachineCall::unbind_texture;
  using Answer = NoFields;
  uint64_t reference = 0;
  template <class Self, class Visit>
  static void fields(Self& u, Visit&& visit) {
    visit("reference", u.reference);
  }
};

// ---- launches

struct SetHeapBytes {
  static constexpr MachineCall call = MachineCall::set_heap_bytes;
  using Answer = NoFields;
  uint64_t bytes = 0;
  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    visit("bytes", s.bytes);
  }
};
struct SetPendingChildren {
  static constexpr MachineCall call = MachineCall::set_pending_children;
  using Answer = NoFields;
  uint64_t count = 0;
  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    visit("count", s.count);
  }
};
struct BeginLibraryCall {
  static constexpr MachineCall call = MachineCall::begin_library_call;
  using Answer = NoFields;
  LibraryUse use;
  template <class Self, class Visit>
  static void fields(Self& b, Visit&& visit) {
    visit("use", b.use);
  }
};
struct EndLibraryCall {
  static constexpr MachineCall call = MachineCall::end_library_call;
  using Answer = NoFields;
  template <class Self, class Visit>
  static void fields(Self&, Visit&&) {}
};

/// The answer's bytes: those of the pieces, and behind them what the kernel printed.
struct LaunchAnswer {
  LaunchOutcome outcome;
  std::vector<MemoryPiece> pieces;  ///< of visible memory that the kernel has changed
  template <class Self, class Visit>
  static void fields(Self& l, Visit&& visit) {
    visit("outcome", l.outcome);
    visit("pieces", l.pieces);
  }
};
/// A LaunchRequest. Its bytes: the arguments, one behind the other.
struct LaunchKernel {
  static constexpr MachineCall call = MachineCall::launch;
  using Answer = LaunchAnswer;
  int32_t kernel = -1;
  std::array<uint32_t, 3> grid = {1, 1, 1}, block = {1, 1, 1}, cluster = {1, 1, 1};
  uint64_t dynamic_shared = 0, most_dynamic_shared = 0;
  bool cooperative = false, wants_use = false, begins_early = false;
  LibraryUse library;
  std::string label;
  template <class Self, class Visit>
  static void fields(Self& l, Visit&& visit) {
    visit("kernel", l.kernel);
    visit("grid", l.grid);
    visit("block", l.block);
    visit("cluster", l.cluster);
    visit("dynamic_shared", l.dynamic_shared);
    visit("most_dynamic_shared", l.most_dynamic_shared);
    visit("cooperative", l.cooperative);
    visit("wants_use", l.wants_use);
    visit("begins_early", l.begins_early);
    visit("library", l.library);
    visit("label", l.label, Field{.at_most = 2 * most_name});
  }
};

// ---- what a report says

struct MachineRemarks {
  std::vector<LaunchNote> launches;
  std::vector<Message> notes;
  std::vector<Machine::UnsupportedCode> unsupported_code;
  std::vector<KernelRemark> unset_reads, early_returns;
  std::vector<OverflowingIndex> overflows;
  std::vector<InnerPointer> inner_pointers;
  template <class Self, class Visit>
  static void fields(Self& r, Visit&& visit) {
    visit("launches", r.launches);
    visit("notes", r.notes);
    visit("unsupported_code", r.unsupported_code);
    visit("unset_reads", r.unset_reads);
    visit("early_returns", r.early_returns);
    visit("overflows", r.overflows);
    visit("inner_pointers", r.inner_pointers);
  }
};
struct AskRemarks {
  static constexpr MachineCall call = MachineCall::remarks;
  using Answer = MachineRemarks;
  template <class Self, class Visit>
  static void fields(Self&, Visit&&) {}
};

struct TraceAnswer {
  bool is_kept = false;  ///< by the machine's side, for the page: the answer has no bytes
  template <class Self, class Visit>
  static void fields(Self& t, Visit&& visit) {
    visit("is_kept", t.is_kept);
  }
};
/// The answer's bytes: the trace's file.
struct AskTrace {
  static constexpr MachineCall call = MachineCall::trace;
  using Answer = TraceAnswer;
  std::string name;
  bool is_last = false;  ///< Machine::last_trace
  template <class Self, class Visit>
  static void fields(Self& a, Visit&& visit) {
    visit("name", a.name, Field{.at_most = most_name});
    visit("is_last", a.is_last);
  }
};

// ---- what the machine asks

struct AskAllocationSite {
  static constexpr ProgramCall call = ProgramCall::allocation_site;
  using Answer = Machine::AllocationSite;
  uint64_t address = 0;
  template <class Self, class Visit>
  static void fields(Self& a, Visit&& visit) {
    visit("address", a.address);
  }
};
struct AskCaller {
  static constexpr ProgramCall call = ProgramCall::caller;
  using Answer = LibraryUse;
  template <class Self, class Visit>
  static void fields(Self&, Visit&&) {}
};
/// The answer's bytes: the text.
struct SourceText {
  std::string path;  ///< as it is shown
  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    visit("path", s.path);
  }
};
struct AskSourceText {
  static constexpr ProgramCall call = ProgramCall::source_text;
  using Answer = SourceText;
  std::string file;
  template <class Self, class Visit>
  static void fields(Self& a, Visit&& visit) {
    visit("file", a.file);
  }
};
/// Its bytes: the text that is to be compiled.
struct AskToCompile {
  static constexpr ProgramCall call = ProgramCall::compile;
  using Answer = NoFields;
  int32_t number = 0;
  template <class Self, class Visit>
  static void fields(Self& a, Visit&& visit) {
    visit("number", a.number);
  }
};
struct CompiledLibrary {
  std::optional<std::string> library;  ///< its path; empty: none came of it; nullopt: not yet
  template <class Self, class Visit>
  static void fields(Self& c, Visit&& visit) {
    visit("library", c.library);
  }
};
struct AskCompiled {
  static constexpr ProgramCall call = ProgramCall::compiled;
  using Answer = CompiledLibrary;
  int32_t number = 0;
  template <class Self, class Visit>
  static void fields(Self& a, Visit&& visit) {
    visit("number", a.number);
  }
};

/// All of them, in the order of the enums.
template <class... T>
struct MessageList {};
using MachineRequests =
    MessageList<BeginMachine, Listen, LoadModule, FindKernel, FindVariable, FindSharedVariable,
                AskConstantMemory, AllocateMemory, AllocateAt, FreeMemory, FindMemory, AskMemoryFacts,
                ShapeMemory, TakeFromHost, WriteMemory, FillMemory, ReadMemory, FindUnset, AddTexture,
                DestroyTexture, BindTexture, UnbindTexture, SetHeapBytes, SetPendingChildren,
                BeginLibraryCall, EndLibraryCall, LaunchKernel, AskRemarks, AskTrace>;
using ProgramRequests = MessageList<AskAllocationSite, AskCaller, AskSourceText, AskToCompile, AskCompiled>;

}  // namespace bscope::cuda

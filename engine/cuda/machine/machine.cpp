#include "engine/cuda/machine/machine.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>

#include "engine/cuda/machine/launcher.hpp"
#include "engine/cuda/machine/used_rows.hpp"
#include "engine/trace/demangled.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/file.hpp"

namespace bscope::cuda {

struct Machine::Impl {
  Impl(Limits l, Schedule s) : limits(l), schedule(std::move(s)) {}
  Limits limits;
  Schedule schedule;
  BytecodeProgram program;
  Memories memories{limits.memory};
  TraceRecorder recorder{limits.array_bytes};
  Launcher launcher{limits, schedule, program, memories, recorder};
  std::vector<std::vector<Memory*>> variables;  ///< of each module
};

Machine::Machine(Limits l, Schedule s) : impl_(std::make_unique<Impl>(l, std::move(s))) {
  print = [](std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
  };
}
Machine::~Machine() = default;

void Machine::compile_with(std::unique_ptr<NativeCompiler> compiler) {
  impl_->launcher.compile_with(std::move(compiler));
}

void Machine::locate_allocations_with(AllocatedAt f) {
  impl_->launcher.locate_allocations_with(std::move(f));
}

void Machine::ask_caller_with(AskedCaller f) { impl_->launcher.ask_caller_with(std::move(f)); }

int Machine::load(std::string_view llvm_ir, const std::vector<std::string>& our_folders) {
  const int module = impl_->program.add(llvm_ir, our_folders);
  std::vector<Memory*>& all = impl_->variables.emplace_back();
  for (const ir::GlobalVariable& g : impl_->program.modules()[size_t(module)]->globals) {
    const bool has_memory =
        g.space != ir::GlobalVariable::shared && !g.name.starts_with("llvm.") && !g.external;
    all.push_back(has_memory ? impl_->memories.add_variable(g) : nullptr);
    if (has_memory && !all.back()) throw Error(message("there is no memory for {}", g.source_name));
  }
  return module;
}

namespace {

/// A function's name as C++ has it, with "main" for "main(int, char**)" around what main() defines.
std::string name_without_mains_parameters(const std::string& mangled) {
  std::string name = demangled(mangled);
  constexpr std::string_view main = "main(", rest = ")::";
  for (size_t at = 0; (at = name.find(main, at)) != std::string::npos; ++at) {
    const size_t end = name.find(')', at);
    if (end == std::string::npos || name.compare(end, rest.size(), rest) != 0) continue;
    const size_t begin = at + main.size() - 1;
    name.erase(begin, end + 1 - begin);
  }
  return name;
}

}  // namespace

/// A kernel of a lambda that main(int, char**) defines has another name in host code for WebAssembly, where
/// that main() is a function with a mangled name.
const ir::Function* Machine::kernel(int module, std::string_view mangled) const {
  const ir::Module& m = *impl_->program.modules().at(size_t(module));
  if (const ir::Function* f = m.function(mangled); f || mangled.find("Z4main") == std::string_view::npos)
    return f;
  const std::string name = name_without_mains_parameters(std::string(mangled));
  const auto is_same = [&](const auto& entry) {
    return entry.first.find("Z4main") != std::string_view::npos &&
           name_without_mains_parameters(std::string(entry.first)) == name;
  };
  const auto same = std::ranges::find_if(m.functions, is_same);
  return same == m.functions.end() ? nullptr : &*same->second;
}

Memory* Machine::variable(int module, std::string_view mangled) {
  const auto& globals = impl_->program.modules().at(size_t(module))->globals;
  const auto it = std::ranges::find(globals, mangled, &ir::GlobalVariable::name);
  return it == globals.end() ? nullptr : impl_->variables[size_t(module)][size_t(it - globals.begin())];
}

Memory* Machine::shared_variable(std::string_view mangled) {
  const auto& shared = impl_->program.beside().shared;
  const auto it = shared.find(mangled);
  return it == shared.end() ? nullptr : impl_->memories.at(it->second.address);
}

uint64_t Machine::allocate(uint64_t bytes, Placement placement) {
  const Memory* const m = impl_->memories.allocate(bytes, placement, Memory::Origin::allocation);
  return m ? m->address : 0;
}

bool Machine::allocate_at(uint64_t address, uint64_t bytes) {
  return impl_->memories.allocate_at(address, bytes) != nullptr;
}

void Machine::take_from_host(Memory& m, uint64_t offset, std::span<const std::byte> bytes) {
  std::memcpy(m.data() + offset, bytes.data(), bytes.size());  // look_at_visible_memory sees the difference
}

Machine::Freed Machine::free(uint64_t address) {
  if (Memory* const m = impl_->memories.at(address); m && m->address == address && !m->freed) {
    impl_->launcher.note_free(*m);
    impl_->recorder.retire(*m);
  }
  return impl_->memories.free(address);
}

void Machine::shape(Memory& m, ElementType kind, int rows, const std::string& name) {
  if (m.width || m.id >= 0) return;
  if (kind != ElementType::other) {
    m.kind = kind;
    m.width = bytes_of(kind);
  }
  m.rows = rows;
  if (!name.empty()) m.name = name;
}

// Where textures change, what a launch reads may be another array than before.
uint64_t Machine::add_texture(Texture t) {
  impl_->launcher.note_host_change();
  return impl_->memories.textures.add(std::move(t));
}
void Machine::destroy_texture(uint64_t number) {
  impl_->launcher.note_host_change();
  if (Texture* const t = impl_->memories.textures.find(number)) t->state = Texture::destroyed;
}
void Machine::bind_texture(uint64_t reference, Texture t) {
  impl_->launcher.note_host_change();
  impl_->memories.textures.bind(reference, std::move(t));
}
void Machine::unbind_texture(uint64_t reference) {
  impl_->launcher.note_host_change();
  impl_->memories.textures.unbind(reference);
}

Machine::MemoryLocation Machine::at(uint64_t address) const {
  Memory* const m = impl_->memories.at(address);
  return {m, m ? int64_t(address - m->address) : 0};
}

void Machine::write(Memory& m, uint64_t offset, std::span<const std::byte> bytes, const char* by) {
  m.note_written(offset, bytes.size());
  if (!std::memcmp(m.data() + offset, bytes.data(), bytes.size())) return;
  if (!impl_->launcher.is_librarys_change(m)) m.changed_by = by;
  std::memcpy(m.data() + offset, bytes.data(), bytes.size());
  impl_->launcher.note_host_change();
}

void Machine::fill(Memory& m, uint64_t offset, uint64_t bytes, uint8_t value, const char* by) {
  m.note_written(offset, bytes);
  if (!impl_->launcher.is_librarys_change(m)) m.changed_by = by;
  std::memset(m.data() + offset, value, bytes);
  impl_->launcher.note_host_change();
}

std::span<const std::byte> Machine::read(Memory& m, uint64_t offset, uint64_t bytes) {
  if (!impl_->launcher.is_inside_library()) impl_->recorder.note_copied_out(m);
  return std::as_bytes(std::span(m.data() + offset, bytes));
}

std::span<const std::byte> Machine::look(Memory& m, uint64_t offset, uint64_t bytes) const {
  return std::as_bytes(std::span(m.data() + offset, bytes));
}

std::optional<AddressRange> Machine::first_unset(const Memory& m, uint64_t offset, uint64_t bytes) const {
  const auto of = [&](uint64_t at) { return m.written.begin() + long(at); };
  if (m.written.empty() || offset + bytes > m.written.size()) return {};
  const auto first = std::find(of(offset), of(offset + bytes), false);
  if (first == of(offset + bytes)) return {};
  return AddressRange{uint64_t(first - m.written.begin()),
                      uint64_t(std::find(first, of(offset + bytes), true) - m.written.begin())};
}

void Machine::set_heap_bytes(uint64_t bytes) { impl_->memories.heap_bytes = bytes; }

void Machine::set_pending_children(uint64_t n) { impl_->launcher.set_pending_children(n); }

uint64_t Machine::shared_bytes(const ir::Function& kernel) const {
  return impl_->launcher.shared_bytes(kernel);
}

void Machine::begin_library_call(const LibraryUse& use) { impl_->launcher.begin_library_call(use); }
void Machine::end_library_call() { impl_->launcher.end_library_call(); }

bool Machine::is_librarys(const ir::Function& f) const {
  return f.at.file >= 0 &&
         impl_->program.is_ours(f.at.file + impl_->program.first_file(impl_->program.module_of(f)));
}

Machine::Definition Machine::definition(const ir::Function& f) const {
  if (f.at.file < 0) return {};
  const int file = f.at.file + impl_->program.first_file(impl_->program.module_of(f));
  return {impl_->program.files()[size_t(file)], uint32_t(f.at.line)};
}

Machine::ConstantMemory Machine::constant_memory(int module) const {
  ConstantMemory all;
  std::vector<const ir::GlobalVariable*> variables;
  for (const ir::GlobalVariable& g : impl_->program.modules().at(size_t(module))->globals)
    if (g.space == ir::GlobalVariable::constant && !g.external) variables.push_back(&g);
  std::ranges::sort(variables, std::ranges::greater(), [](const auto* g) { return g->type->size; });
  for (const ir::GlobalVariable* g : variables) {
    all.names.push_back(g->source_name);
    all.bytes += g->type->size;
  }
  return all;
}

std::optional<BrokenRule> Machine::broken_rule(const LaunchRequest& r) const {
  return impl_->launcher.broken_rule(r);
}

LaunchOutcome Machine::launch(const LaunchRequest& r) { return impl_->launcher.launch(r, print); }

const std::vector<LaunchNote>& Machine::launches() const { return impl_->launcher.notes(); }
const std::vector<Finding>& Machine::findings() const { return impl_->launcher.findings(); }
const std::vector<KernelRemark>& Machine::unset_reads() const { return impl_->recorder.unset_reads(); }
const std::vector<KernelRemark>& Machine::early_returns() const { return impl_->recorder.early_returns(); }
const std::vector<OverflowingIndex>& Machine::overflows() const { return impl_->recorder.overflows(); }
std::vector<InnerPointer> Machine::inner_pointers() const { return impl_->recorder.inner_pointers(); }

std::vector<Machine::UnsupportedCode> Machine::unsupported_code() const {
  const BytecodeProgram& program = impl_->program;
  std::vector<UnsupportedCode> all;
  for (const auto& m : program.modules())
    for (const auto& [name, f] : m->functions)
      for (const ir::BasicBlock& block : f->blocks)
        for (const ir::Instruction& i : block.body) {
          if (i.op != ir::Opcode::unsupported || i.at.file < 0) continue;
          const int file = i.at.file + program.first_file(program.module_of(*f));
          if (program.is_ours(file)) continue;
          UnsupportedCode code{program.files()[size_t(file)], uint32_t(i.at.line), i.callee};
          if (std::ranges::find(all, code) == all.end()) all.push_back(std::move(code));
        }
  return all;
}

std::vector<Message> Machine::notes() const {
  std::vector<Message> all = impl_->recorder.notes();
  std::map<std::string, std::array<int, LaunchNote::repeated + 1>> counts;
  for (const LaunchNote& n : launches()) ++counts[n.kernel][n.shown];
  for (const auto& [kernel, by_reason] : counts) {
    const auto tell = [&](LaunchNote::TraceExtent why, const Message& reason) {
      const int n = by_reason[why];
      if (!n) return;
      all.push_back(n == 1 ? message("{} launch of {} is not shown: {}.", n, kernel, reason)
                           : message("{} launches of {} are not shown: {}.", n, kernel, reason));
    };
    tell(LaunchNote::too_many, message("the first {} are", impl_->limits.shown_launches));
    tell(LaunchNote::too_long,
         message("more than {} events; smaller inputs can be watched", impl_->limits.launch_events));
    tell(LaunchNote::trace_full, message("the trace has as many events as it may have"));
    tell(LaunchNote::repeated, message("the same launch on the same memory had changed nothing"));
  }
  return all;
}

namespace {

/// A source's text as a trace can hold it: without line ends of other systems and what is no text, and with
/// as many lines as events name.
std::string as_text(const std::string& raw, size_t lines) {
  std::string text;
  for (const char c : raw)
    if (c != '\r') text += uint8_t(c) < 32 && c != '\n' && c != '\t' ? ' ' : c;
  if (!is_session(text))  // no UTF-8
    std::ranges::replace_if(
        text, [](char c) { return uint8_t(c) >= 127; }, '?');
  const auto has = size_t(std::ranges::count(text, '\n')) + 1;
  if (has < lines) text.append(lines - has, '\n');
  return text;
}

size_t last_line(const Launch& l) {
  uint16_t last = 1;
  for (const BlockRun& b : l.blocks)
    for (const Event& e : b.events) last = std::max(last, e.line);
  return last;
}

}  // namespace

Trace Machine::trace(const std::string& name, const TextOf& text_of) const {
  impl_->launcher.end_library_call();
  impl_->recorder.tell_of_changes();
  return finished(impl_->recorder.trace(), name, text_of);
}

Trace Machine::last_trace(const std::string& name, const TextOf& text_of) {
  impl_->launcher.end_library_call();
  impl_->recorder.tell_of_changes();
  for (const auto& m : impl_->memories.all())
    if (m->placement == Placement::device) m->pages.release();
  return finished(impl_->recorder.take_trace(), name, text_of);
}

void Machine::save_last_trace(const std::string& name, const TextOf& text_of,
                              const std::filesystem::path& file) {
  // never freed: the heap that most of it lies in may be broken
  const Trace& trace = *new Trace(last_trace(name, text_of));
  validate(trace);
  save(trace, file);
}

Trace Machine::finished(Trace t, const std::string& name, const TextOf& text_of) const {
  if (launches().empty()) throw Error(message("the program launches no kernel"));
  if (t.launches.empty()) throw Error(message("no launch of the program can be shown"));
  const std::vector<int>& files = impl_->launcher.files();
  std::map<int, size_t> sources, lines;  // by file; the last line that events name
  for (size_t k = 0; k < t.launches.size(); ++k)
    if (const int file = k < files.size() ? files[k] : -1; file >= 0)
      lines[file] = std::max(lines[file], last_line(t.launches[k]));
  for (size_t k = 0; k < t.launches.size(); ++k) {
    const int file = k < files.size() ? files[k] : -1;
    if (file < 0) continue;
    if (sources.try_emplace(file, t.sources.size()).second) {
      Source s = text_of(impl_->program.files()[size_t(file)]);
      s.text = as_text(s.text, lines[file]);
      t.sources.push_back(std::move(s));
    }
    t.launches[k].source = int(sources[file]);
  }
  if (t.sources.empty()) t.sources.push_back({name, "\n"});
  t.kernel = "yours/" + name;
  t.dialect = Dialect::cuda;
  t.device = "cpu";
  t.driver = name_of(impl_->schedule);
  if (t.arrays.empty()) {  // a reader wants one
    t.arrays.push_back({"none", ElementType::i32, 1, 0, std::vector<std::byte>(4)});
    for (Launch& l : t.launches) l.after = {std::vector<std::byte>(4)};
  }
  const std::vector<int> rows = used_rows(t);
  for (size_t id = 0; id < rows.size(); ++id)
    if (t.arrays[id].rows == 1) t.arrays[id].rows = rows[id];
  t.input = impl_->recorder.input();
  t.output = impl_->recorder.output();
  const auto first = std::ranges::find_if_not(t.launches, is_between_launches);
  const Launch& shown = first == t.launches.end() ? t.launches.front() : *first;
  t.parameters = {{"block", std::to_string(shown.block)},
                  {"n", std::to_string(t.arrays[size_t(t.input)].cells())}};
  return t;
}

MemoryFacts facts_of(const Memory& m) {
  return {m.name, m.address, m.bytes, m.freed, m.placement == Placement::visible, m.width, m.kind};
}

}  // namespace bscope::cuda

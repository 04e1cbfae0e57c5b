#include <charconv>
#include <memory>

#include "engine/cuda/ir/function_reader.hpp"
#include "engine/trace/demangled.hpp"

namespace bscope::cuda::ir {
namespace {

/// Lines; the cases of a switch, which stand below it, are one with it.
struct Lines {
  std::vector<std::string_view> all;
  std::vector<std::string> joined;  ///< switches

  explicit Lines(std::string_view text) {
    while (!text.empty()) {
      const size_t end = text.find('\n');
      all.push_back(text.substr(0, end));
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    join_switches();
  }

 private:
  void join_switches() {
    std::vector<std::pair<size_t, size_t>> at;  // line, which of `joined`
    for (size_t k = 0; k < all.size(); ++k) {
      if (!all[k].starts_with("  switch ") || all[k].find(']') != std::string_view::npos) continue;
      const size_t first = k;
      std::string line(all[k]);
      while (++k < all.size() && line.find(']') == std::string::npos) {
        line += all[k];
        all[k] = {};
      }
      at.emplace_back(first, joined.size());
      joined.push_back(std::move(line));
      --k;
    }
    for (const auto& [line, which] : at) all[line] = joined[which];
  }
};

/// "s" of "kernel(int*)::s", which C++ calls _ZZ6kernelPiE1s.
std::string source_name(const std::string& name) {
  if (!name.starts_with("_Z")) return name;
  const std::string all = demangled(name);
  const size_t colons = all.rfind("::");
  return colons == std::string::npos ? all : all.substr(colons + 2);
}

/// Whether other modules may name it. (An array that they all call the same in shared memory is each one's
/// own.)
bool shares(const GlobalVariable& g) {
  return g.space != GlobalVariable::shared && !g.of_module && !g.name.starts_with("llvm.");
}

class Reader {
 public:
  Reader(std::string_view text, const std::vector<std::string>& ours, Beside beside)
      : lines_(text), notes_(module_, ours) {
    module_.beside = std::move(beside);
  }

  Module read() {
    for (const std::string_view line : lines_.all)
      if (line.starts_with('!')) notes_.note(line);
    each('%', [&](Scanner s) {
      if (s.line().find(" = type ") != std::string_view::npos) types_.define(s);
    });
    each('@', [&](Scanner s) { declare(s); });
    each('@', [&](Scanner s) { fill(s); });
    read_functions();
    find_callees();
    for (const std::string_view line : lines_.all)
      if (line.starts_with('!')) note_launch_bound(line);
    note_clusters();
    return std::move(module_);
  }

 private:
  void each(char first, const auto& f) {
    for (size_t k = 0; k < lines_.all.size(); ++k)
      if (lines_.all[k].starts_with(first)) f(Scanner(lines_.all[k], int(k) + 1));
  }

  /// "@name = internal addrspace(3) global TYPE CONTENT": up to the type. False: an alias.
  bool head_of_global(Scanner& s, GlobalVariable& g) {
    s.need("@");
    g.name = s.name();
    s.need("=");
    for (;;) {
      if (s.comes("addrspace")) {
        g.space = Types::space(s);
        continue;
      }
      const std::string_view w = s.word();
      if (w.empty()) s.refuse("a variable should come");
      if (w == "alias" || w == "ifunc") return false;
      g.external = g.external || w == "external" || w == "extern_weak";
      g.of_module = g.of_module || w == "internal" || w == "private";
      g.is_constant = w == "constant";
      if (w == "global" || w == "constant") break;
      if (s.ahead() == '(') s.in_brackets();
    }
    g.type = &types_.read(s);
    return true;
  }
  void declare(Scanner s) {
    GlobalVariable g;
    if (!head_of_global(s, g)) return;
    const auto number = uint64_t(module_.globals.size()), among_all = module_.beside.globals + number;
    if (among_all >= most_globals) s.refuse("more variables than Barrierscope has addresses for");
    if (g.type->size > largest_global) s.refuse("a variable of so many bytes");
    g.address = g.space == GlobalVariable::shared ? middle_of(shared_base, among_all, shared_shift)
                                                  : middle_of(global_base, among_all, global_shift);
    if (const auto known = module_.beside.shared.find(g.name); known != module_.beside.shared.end())
      if (shares(g) && (g.external || !known->second.defined)) g.address = known->second.address;
    g.source_name = source_name(g.name);
    g.element = notes_.element_of_global(g.name);
    constants_.add_global(g.name, int(number));
    module_.globals.push_back(std::move(g));
  }
  /// What it holds at first; others' addresses are known by now.
  void fill(Scanner s) {
    GlobalVariable again;
    if (!head_of_global(s, again)) return;
    GlobalVariable& g = module_.globals[filled_++];
    if (g.space == GlobalVariable::shared || g.external || g.name.starts_with("llvm.")) return;
    if (s.comes("zeroinitializer") || s.comes("undef") || s.comes("poison")) return;
    g.bytes.resize(g.type->size);
    Constants::put(*g.type, constants_.read(s, *g.type), g.bytes);
  }

  void read_functions() {
    FunctionReader reader(module_, types_, constants_, notes_);
    for (const std::string_view line : lines_.all) {
      if (const std::string_view kernel = noted(line, "kernel").first; !kernel.empty())
        reader.add_kernel(kernel);
      if (line.starts_with("attributes ")) reader.add_attributes(line);
    }
    for (size_t k = 0; k < lines_.all.size(); ++k) {
      if (!lines_.all[k].starts_with("define ")) continue;
      const size_t head = k;
      std::vector<std::string_view> body;
      while (++k < lines_.all.size() && lines_.all[k] != "}") body.push_back(lines_.all[k]);
      reader.read(lines_.all[head], body, int(head) + 1);
    }
  }
  /// "!5 = !{ptr @name, !"maxntidx", i32 128}": of which function that is noted, and the number as text.
  static std::pair<std::string_view, std::string_view> noted(std::string_view line, std::string_view what) {
    constexpr std::string_view begins = " = !{ptr @";
    if (!line.starts_with('!')) return {};
    const size_t name = line.find(begins), end = line.find(", !\"");
    if (name == std::string_view::npos || end == std::string_view::npos) return {};
    const size_t word = end + 4, number = word + what.size() + 7;
    if (!line.substr(word).starts_with(what) || !line.substr(word + what.size()).starts_with("\", i32 "))
      return {};
    return {line.substr(name + begins.size(), end - name - begins.size()), line.substr(number)};
  }
  /// What __launch_bounds__ says, as LLVM up to 20 notes it.
  void note_launch_bound(std::string_view line) {
    const auto [name, number] = noted(line, "maxntidx");
    if (name.empty()) return;
    const auto f = module_.functions.find(name);
    if (f == module_.functions.end()) return;
    std::from_chars(number.data(), number.data() + number.size(), f->second->launch_bound);
  }
  /// "@llvm.global.annotations = ... { ptr @kernel, ptr @.str, ptr @.str1, i32 3, ptr @.args }": what
  /// __cluster_dims__ says, "@.args = private unnamed_addr constant { i32, i32 } { i32 2, i32 1 }".
  void note_clusters() {
    std::map<std::string_view, std::string_view> texts;  // of constants without a name in the source
    std::string_view all;
    for (const std::string_view line : lines_.all) {
      if (line.starts_with("@llvm.global.annotations")) all = line;
      if (line.starts_with("@.")) texts[line.substr(0, line.find(' '))] = line;
    }
    constexpr std::string_view begins = " { ptr @";
    for (size_t at = all.find(begins); at != std::string_view::npos; at = all.find(begins, at + 1)) {
      std::vector<std::string_view> names;
      const std::string_view entry = all.substr(at, all.find('}', at) - at);
      for (size_t k = entry.find('@'); k != std::string_view::npos; k = entry.find('@', k + 1))
        names.push_back(entry.substr(k, entry.find_first_of(", ", k) - k));
      if (names.size() != 4 || texts[names[1]].find("\"bscope_cluster\\00\"") == std::string_view::npos)
        continue;
      const auto f = module_.functions.find(names[0].substr(1));
      if (f == module_.functions.end()) continue;
      std::string_view given = texts[names[3]];
      given.remove_prefix(std::min(given.size(), given.rfind('{')));
      for (uint32_t& size : f->second->cluster) {
        const size_t number = given.find("i32 ");
        if (number == std::string_view::npos) break;
        given.remove_prefix(number + 4);
        std::from_chars(given.data(), given.data() + given.size(), size);
      }
    }
  }
  void find_callees() {
    for (auto& [name, f] : module_.functions)
      for (BasicBlock& b : f->blocks)
        for (Instruction& i : b.body)
          if (i.op == Opcode::call && !i.callee.empty()) i.function = module_.function(i.callee);
  }

  Lines lines_;
  Module module_;
  DebugInfo notes_;
  Types types_{module_};
  Constants constants_{module_, types_};
  size_t filled_ = 0;
};

}  // namespace

void Beside::note(const GlobalVariable& g) {
  ++globals;
  if (!shares(g)) return;
  const auto [known, fresh] = shared.try_emplace(g.name, SharedSymbol{g.address, !g.external});
  if (!fresh && g.address == known->second.address) known->second.defined |= !g.external;
}

const Function* Module::function(std::string_view name) const {
  const auto it = functions.find(name);
  return it == functions.end() || it->second->blocks.empty() ? nullptr : it->second.get();
}

Module read_module(std::string_view text, const std::vector<std::string>& ours, Beside beside) {
  return Reader(text, ours, std::move(beside)).read();
}

}  // namespace bscope::cuda::ir

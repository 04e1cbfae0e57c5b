#include "engine/machine_code/launched_code.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "engine/catalog/catalog.hpp"
#include "engine/machine_code/listing.hpp"
#include "engine/simt/algorithm.hpp"
#include "engine/simt/problem.hpp"
#include "engine/trace/read_file.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

/// What it takes of a multiprocessor, beside what the launch asks for.
void add_needs(LaunchedCode& found, int threads, uint32_t asked_shared) {
  found.shared_bytes = found.code->shared + asked_shared;
  found.occupancy = occupancy(threads, found.code->registers, found.shared_bytes,
                              multiprocessor_of(found.code->architecture).value_or(sm_90));
}

/// Whether the mangled name holds this one, after its length.
bool has_name(std::string_view symbol, std::string_view name) {
  const std::string within = std::to_string(name.size()) + std::string(name);
  for (size_t at = symbol.find(within); at != std::string_view::npos; at = symbol.find(within, at + 1))
    if (at == 0 || symbol[at - 1] < '0' || symbol[at - 1] > '9') return true;
  return symbol == name;  // extern "C"
}

/// The only kernel of that name, "scan" or "scan<int, 4>"; null: there is none, or several.
const MachineCode* only_one_named(const ProgramMachineCode& all, std::string_view name) {
  name = name.substr(0, name.find('<'));
  const MachineCode* found = nullptr;
  for (const auto& [symbol, code] : all.kernels) {
    if (!has_name(symbol, name)) continue;
    if (found) return nullptr;
    found = &code;
  }
  return found;
}

bool same_file(const std::string& a, const std::string& b) {
  const auto whole = [](const std::string& path) {
    std::error_code none;
    return std::filesystem::absolute(path, none).lexically_normal();
  };
  return whole(a) == whole(b);
}

/// The kernel of that symbol; of several the one that stands in this file. null: there is none.
const MachineCode* of_symbol(const ProgramMachineCode& all, std::string_view symbol,
                             const std::string& file) {
  const auto [first, last] = all.kernels.equal_range(symbol_alike(symbol));
  if (first == last) return nullptr;
  if (std::next(first) == last) return &first->second;
  const auto here =
      std::find_if(first, last, [&](const auto& one) { return same_file(one.second.source, file); });
  return here == last ? nullptr : &here->second;
}

}  // namespace

Problem problem_of(const Trace& t) {
  Problem p;
  const auto number = [](const std::string& text) {
    int n = 0;
    std::from_chars(text.data(), text.data() + text.size(), n);
    return std::max(0, n);
  };
  for (const auto& [name, value] : t.parameters) {
    if (name == "block")
      p.block = number(value);
    else if (name != "n")
      p.set[name] = value;
  }
  if (t.input >= 0 && size_t(t.input) < t.arrays.size())
    p.data.assign(size_t(t.arrays[size_t(t.input)].size), 0.0);
  return p;
}

LaunchedCode launched_code(const Trace& t, size_t launch, const std::filesystem::path& folder) {
  const auto none = [](LaunchedCode::Availability why) { return LaunchedCode{.why = why}; };
  if (t.dialect == Dialect::cuda) return none(LaunchedCode::own_program);
  const auto& all = catalog();
  const auto a = std::ranges::find(all, t.kernel, &Algorithm::name);
  if (a == all.end()) return none(LaunchedCode::unknown_kernel);
  std::vector<LaunchedForm> forms;
  try {
    if (const Problem p = problem_of(t); p.block > 0) forms = (*a)->forms(p);
  } catch (const std::exception&) { forms.clear(); }  // a file's parameters are untrusted text
  if (launch >= t.launches.size() || forms.size() != t.launches.size() ||
      forms[launch].launch != t.launches[launch].name)
    return none(LaunchedCode::other_launches);
  if (folder.empty()) return none(LaunchedCode::no_assets);
  const std::string file = machine_code_file(forms[launch].key);
  LaunchedCode out;
  try {
    out.code = load_machine_code(folder / file, forms[launch].key);
  } catch (const BadFile&) { return none(LaunchedCode::unreadable); }
  if (!out.code) return none(LaunchedCode::no_such_form);
  const Launch& l = t.launches[launch];
  add_needs(out, l.block, l.shared_bytes);
  return out;
}

void ProgramMachineCode::add(std::string_view listing, std::string_view said,
                             const std::string& nvcc_version) {
  Listing read = read_listing(listing);
  const auto needs = read_needs(said);
  for (ListedCode& f : read.functions) {
    const auto it = needs.find(f.symbol);
    if (it == needs.end()) continue;  // no kernel
    MachineCode c{.architecture = read.architecture,
                  .nvcc = nvcc_version,
                  .kernel = f.symbol,
                  .source = std::move(f.file),
                  .registers = it->second.registers,
                  .stack = it->second.stack,
                  .local = it->second.local,
                  .shared = it->second.shared,
                  .instructions = std::move(f.instructions)};
    const std::string symbol = symbol_alike(f.symbol);
    const auto [first, last] = kernels.equal_range(symbol);
    // of a header's templates each file that uses them has the same code
    if (std::none_of(first, last, [&](const auto& one) { return one.second.source == c.source; }))
      kernels.emplace(symbol, std::move(c));
  }
}

LaunchedCode launched_code(const Trace& t, size_t launch, const ProgramMachineCode& made,
                           const OwnLaunch& own) {
  if (launch >= t.launches.size()) return {.code = {}, .why = LaunchedCode::no_such_kernel};
  const Launch& l = t.launches[launch];
  const bool has_source = l.source >= 0 && size_t(l.source) < t.sources.size();
  const std::string file = has_source ? t.sources[size_t(l.source)].path : "";
  const MachineCode* code = of_symbol(made, own.symbol, file);
  if (!code) code = only_one_named(made, l.name);
  if (!code) return {.code = {}, .why = LaunchedCode::no_such_kernel};
  LaunchedCode out{.code = *code};
  out.code->kernel = l.name;  // as in the source
  if (has_source) out.code->source = file;
  add_needs(out, l.block, own.dynamic_shared);
  return out;
}

}  // namespace bscope

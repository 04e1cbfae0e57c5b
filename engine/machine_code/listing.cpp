#include "engine/machine_code/listing.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <unordered_map>
#include <utility>

#include "engine/trace/device_symbol.hpp"
#include "engine/trace/trimmed.hpp"

namespace bscope {
namespace {

constexpr std::string_view blanks = " \t\r";

/// Takes the text's first line from it.
std::string_view take_line(std::string_view& text) {
  const size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

template <class N = int>
N number_in(std::string_view s, int base = 10) {
  N n = 0;
  std::from_chars(s.data(), s.data() + s.size(), n, base);
  return n;
}

bool is_name(char c) {
  return c == '_' || c == '.' || c == '$' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z');
}

/// A line of a file.
struct SourceLine {
  std::string file;
  int line = 0;
};
/// \t//## File "a.cu", line 12 inlined at "b.cu", line 3: the first of both.
std::optional<SourceLine> place_in(std::string_view row) {
  constexpr std::string_view head = "//## File \"", middle = "\", line ";
  row = trimmed(row);
  if (!row.starts_with(head)) return {};
  row.remove_prefix(head.size());
  const size_t end = row.find(middle);
  if (end == std::string_view::npos) return {};
  return SourceLine{std::filesystem::path(row.substr(0, end)).lexically_normal().string(),
                    std::max(0, number_in(row.substr(end + middle.size())))};
}

/// /*00a0*/ @!P0 LDG.E R13, desc[UR8][R4.64] ;
struct ListingRow {
  int address = 0;
  std::string_view text;
};
std::optional<ListingRow> instruction_in(std::string_view row) {
  row = trimmed(row);
  if (!row.starts_with("/*")) return {};
  const size_t end = row.find("*/"), semicolon = row.rfind(';');
  if (end == std::string_view::npos || semicolon == std::string_view::npos || semicolon < end) return {};
  const std::string_view digits = row.substr(2, end - 2);
  if (digits.empty() || digits.find_first_not_of("0123456789abcdef") != std::string_view::npos) return {};
  return ListingRow{number_in(digits, 16), trimmed(row.substr(end + 2, semicolon - end - 2))};
}

/// "@!P0 LDG.E R13,[R4.64]": how operands are set apart says nothing, nor the descriptor that each access to
/// global memory names.
std::string shortened(std::string_view text) {
  std::string out;
  for (size_t k = 0; k < text.size(); ++k) {
    if (text.substr(k).starts_with("desc[")) {
      if (const size_t end = text.find(']', k); end != std::string_view::npos) {
        k = end;
        continue;
      }
    }
    if (blanks.find(text[k]) == std::string_view::npos)
      out += text[k];
    else if (!out.empty() && out.back() != ' ' && out.back() != ',')
      out += ' ';
  }
  return out;
}

class ListingReader {
 public:
  Listing read(std::string_view text) {
    while (!text.empty()) take(take_line(text));
    end();
    return std::move(out_);
  }

 private:
  void take(std::string_view row) {
    if (row.starts_with("//-----")) return begin(row);
    if (const std::string_view t = trimmed(row); out_.architecture.empty() && t.starts_with(".target"))
      out_.architecture = trimmed(t.substr(7, t.find(',') - 7));
    if (!open_) return;
    if (auto place = place_in(row)) {
      if (fresh_) chain_.clear();
      fresh_ = false;
      chain_.push_back(std::move(*place));
    } else if (const auto one = instruction_in(row)) {
      instruction(*one);
    } else {
      label(row);
    }
  }

  void begin(std::string_view row) {
    end();
    constexpr std::string_view section = ".text.";
    const size_t at = row.find(section);
    if (at == std::string_view::npos) return;
    row.remove_prefix(at + section.size());
    now_.symbol = row.substr(0, row.find_first_of(blanks));
    open_ = true;
  }

  void instruction(const ListingRow& one) {
    for (const std::string_view name : waiting_) labels_[name] = one.address;
    waiting_.clear();
    fresh_ = true;
    if (now_.file.empty() && !chain_.empty()) now_.file = chain_.back().file;
    const auto own = std::ranges::find(chain_, now_.file, &SourceLine::file);
    now_.instructions.push_back({one.address, own == chain_.end() ? 0 : own->line, shortened(one.text)});
  }

  /// ".L_x_1:"
  void label(std::string_view row) {
    row = row.substr(0, row.find_last_not_of(blanks) + 1);
    if (!row.ends_with(':')) return;
    row.remove_suffix(1);
    if (row.empty() || !std::ranges::all_of(row, is_name)) return;
    waiting_.push_back(row);
    if (row.front() != '$') return;
    chain_.clear();  // a function that was not inlined, e.g. a division of the compiler's own
    fresh_ = false;
  }

  void end() {
    if (open_) {
      trim();
      for (MachineInstruction& i : now_.instructions) i.text = with_addresses(i.text);
      out_.functions.push_back(std::move(now_));
    }
    now_ = {};
    open_ = fresh_ = false;
    chain_.clear();
    labels_.clear();
    waiting_.clear();
  }

  /// Takes away what fills the last line of the instruction cache, and the loop before it that nothing comes
  /// to.
  void trim() {
    auto& all = now_.instructions;
    while (!all.empty() && all.back().text.starts_with("NOP")) all.pop_back();
    if (all.empty() || !all.back().text.starts_with("BRA `(")) return;
    const std::string_view last = all.back().text;
    const auto it = labels_.find(last.substr(6, last.find(')') - 6));
    if (it != labels_.end() && it->second == all.back().address) all.pop_back();
  }

  /// "BRA `(.L_x_1)" is "BRA 0x30". What no label of this function says stays a name.
  std::string with_addresses(const std::string& text) const {
    const size_t at = text.find("`("), end = text.find(')', at);
    if (at == std::string::npos || end == std::string::npos) return text;
    const std::string name = text.substr(at + 2, end - at - 2);
    std::string target = name;
    if (const auto it = labels_.find(name); it != labels_.end()) {
      char digits[16];
      target = "0x" + std::string(digits, std::to_chars(digits, digits + 16, it->second, 16).ptr);
    }
    return text.substr(0, at) + target + with_addresses(text.substr(end + 1));
  }

  Listing out_;
  ListedCode now_;
  bool open_ = false;
  bool fresh_ = false;                     ///< the chain is of instructions that have been
  std::vector<SourceLine> chain_;          ///< the innermost first
  std::vector<std::string_view> waiting_;  ///< labels of the instruction that comes
  std::unordered_map<std::string_view, int> labels_;
};

/// What stands between `head` and `end`; nothing where they do not.
std::optional<std::string_view> between(std::string_view row, std::string_view head, std::string_view end) {
  const size_t at = row.find(head);
  if (at == std::string_view::npos) return {};
  row.remove_prefix(at + head.size());
  return row.substr(0, row.find(end));
}

/// Of a block's shared memory, for the system: nvlink counts it where a kernel has any, for this one
/// architecture; ptxas does not, nor do we.
constexpr uint32_t kept_by_sm_90 = 1024;

/// "14 registers, used 1 barriers, 256 bytes smem", of which so many bytes of shared memory are not its own.
void add_compilers_needs(std::string_view said, uint32_t not_its_own, KernelNeeds& n) {
  while (!said.empty()) {
    const size_t end = std::min(said.find(','), said.size());
    const std::string_view one = trimmed(said.substr(0, end));
    said.remove_prefix(std::min(end + 1, said.size()));
    if (one.ends_with(" registers")) n.registers = number_in(one);
    if (const auto bytes = number_in<uint32_t>(one); one.ends_with(" bytes smem") && bytes > not_its_own)
      n.shared = std::max(n.shared, bytes - not_its_own);
    if (one.ends_with(" bytes lmem")) n.local = number_in(one);
    if (one.ends_with(" stack") || one.ends_with(" bytes cumulative stack size")) n.stack = number_in(one);
  }
}

}  // namespace

Listing read_listing(std::string_view text) { return ListingReader().read(text); }

std::map<std::string, KernelNeeds> read_needs(std::string_view text) {
  std::map<std::string, KernelNeeds> all;
  std::string kernel, of, architecture;  // that is being compiled; that the next line is of; for which
  while (!text.empty()) {
    const std::string_view row = take_line(text);
    if (const auto entry = between(row, "Compiling entry function '", "'")) {
      kernel = *entry;
      all[kernel] = {};
      architecture = between(row, "' for '", "'").value_or("");
    } else if (const auto linked = between(row, "nvlink info    : Function properties for '", "'")) {
      kernel = *linked;
    } else if (const auto function = between(row, "Function properties for ", "\n")) {
      of = trimmed(*function);
    } else if (const size_t frame = row.find(" bytes stack frame"); frame != std::string_view::npos) {
      if (of == kernel && !kernel.empty()) all[kernel].stack = number_in(trimmed(row));
    } else if (const auto by_ptxas = between(row, ": Used ", "\n"); by_ptxas && !kernel.empty()) {
      add_compilers_needs(*by_ptxas, 0, all[kernel]);
    } else if (const auto by_nvlink = between(row, ": used ", "\n"); by_nvlink && !kernel.empty()) {
      add_compilers_needs(*by_nvlink, architecture == "sm_90" ? kept_by_sm_90 : 0, all[kernel]);
    }
  }
  return all;
}

std::string symbol_alike(std::string_view mangled) {
  constexpr std::string_view digits = "0123456789", numbers = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  mangled = without_its_file(mangled);
  std::string out;
  const auto copy = [&](size_t count) {
    out += mangled.substr(0, count);
    mangled.remove_prefix(std::min(count, mangled.size()));
  };
  bool marked =
      false;  // what comes stands behind an L: a name that is the file's own, or an enumerator's type
  while (!mangled.empty()) {
    const char c = mangled[0], next = mangled.size() > 1 ? mangled[1] : '\0';
    if (is_digit(c)) {  // a name, behind how long it is
      const size_t wide = std::min(mangled.find_first_not_of(digits), mangled.size());
      const auto length = number_in<size_t>(mangled);
      if (length == 0 || length > mangled.size() - wide) {
        copy(wide);
      } else if (mangled.substr(wide, length).starts_with("_GLOBAL__N_")) {
        out += "12_GLOBAL__N_1";
        mangled.remove_prefix(wide + length);
      } else {
        copy(wide + length);
        if (std::exchange(marked, false) && !mangled.empty() && is_digit(mangled[0]))
          copy(std::min(mangled.find('E'), mangled.size()));
      }
    } else if (c == 'L' && is_digit(next)) {
      mangled.remove_prefix(1);
      marked = true;
    } else if (c == 'L' && next >= 'a' && next <= 'z') {  // a literal: Li64E
      copy(std::min(mangled.find('E'), mangled.size()));
    } else if (c == 'S' || c == 'T' || c == 'A') {  // S1A_, T0_, A64_
      const size_t end = std::min(mangled.find_first_not_of(numbers, 1), mangled.size());
      copy(end < mangled.size() && mangled[end] == '_' ? end + 1 : 1);
    } else {
      copy(1);
    }
  }
  return out;
}

}  // namespace bscope

#include "engine/cuda/ir/inline_asm.hpp"

#include <algorithm>
#include <optional>

#include "engine/cuda/ir/debug_info.hpp"
#include "engine/cuda/ir/ptx_lowering.hpp"
#include "engine/cuda/ir/scanner.hpp"

namespace bscope::cuda::ir {
namespace {

/// "%5 = call i32 asm sideeffect "...", "=r,r"(i32 %3), !dbg !7", in parts.
struct AsmCall {
  std::string name;                  ///< "%5"; empty: no result
  std::vector<std::string> results;  ///< their types
  std::string result_type;           ///< as written
  std::string text;
  std::vector<std::string> constraints;
  std::vector<LlvmValue> arguments;
  std::string debug;  ///< ", !dbg !7"
};

int value_of_hex(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                : -1;
}

/// LLVM's own escapes: \22 of a string, and $$, $( and their like of an asm.
std::string unescaped(std::string_view s) {
  std::string out;
  for (size_t k = 0; k < s.size(); ++k) {
    const int high = s[k] == '\\' && k + 2 < s.size() ? value_of_hex(s[k + 1]) : -1;
    if (high >= 0) {
      out += char(high * 16 + value_of_hex(s[k + 2]));
      k += 2;
    } else if (s[k] == '$' && k + 1 < s.size() &&
               std::string_view("()|").find(s[k + 1]) != std::string_view::npos) {
      out += "{}|"[std::string_view("()|").find(s[++k])];
    } else {
      out += s[k];
    }
  }
  return out;
}

/// Parts between commas that stand in no bracket.
std::vector<std::string> parts_of(std::string_view s) {
  std::vector<std::string> all;
  int depth = 0;
  std::string part;
  for (const char c : s) {
    depth += c == '(' || c == '{' || c == '[' || c == '<'   ? 1
             : c == ')' || c == '}' || c == ']' || c == '>' ? -1
                                                            : 0;
    if (c == ',' && depth == 0) {
      all.push_back(std::exchange(part, {}));
    } else if (c != ' ' || !part.empty()) {
      part += c;
    }
  }
  if (!part.empty()) all.push_back(part);
  return all;
}

LlvmValue argument_in(const std::string& part) {
  const size_t space = part.find(' ');
  const std::string type = part.substr(0, space);
  const bool known = type == "ptr" || type == "float" || type == "double" || type == "i1" || type == "i8" ||
                     type == "i16" || type == "i32" || type == "i64";
  if (!known || space == std::string::npos || part.find("elementtype(") != std::string::npos)
    throw Unsupported("inline PTX with an operand of this type: " + type);
  std::string value = part.substr(space + 1);
  for (const std::string word : {"noundef ", "nonnull "})
    if (value.starts_with(word)) value.erase(0, word.size());
  return {value, type};
}

AsmCall read_call(std::string_view line) {
  AsmCall c;
  Scanner s(line, 0);
  if (s.take("%")) {
    c.name = "%" + s.name();
    s.need("=");
  }
  const auto pass = [&](std::string_view word) {  // gives what stands before it
    const size_t at = s.rest().find(word);
    if (at == std::string_view::npos) throw Unsupported("inline PTX of this form");
    const std::string_view before = s.rest().substr(0, at);
    s.back_to(s.rest().substr(at + word.size()));
    return before;
  };
  pass("call");
  s.skip_blanks();
  c.result_type = pass(" asm ");
  const std::string_view text = s.rest();
  s.back_to(text.substr(std::min(text.find('"'), text.size())));
  c.text = unescaped(s.in_quotes());
  s.need(",");
  for (std::string& part : parts_of(unescaped(s.in_quotes()))) c.constraints.push_back(std::move(part));
  for (const std::string& part : parts_of(s.in_brackets())) c.arguments.push_back(argument_in(part));
  if (const std::string_view id = DebugInfo::id_in(line); !id.empty()) c.debug = ", !dbg " + std::string(id);
  std::string_view type = c.result_type;
  if (type.starts_with('{')) type = type.substr(1, type.size() - 2);
  if (type != "void")
    for (std::string& part : parts_of(type)) {
      while (part.ends_with(' ')) part.pop_back();
      c.results.push_back(std::move(part));
    }
  return c;
}

/// Results take the first numbers, then come the arguments; "0" stands for one that begins as the result 0.
void name_operands(const AsmCall& c, PtxLowering& p) {
  size_t number = 0, argument = 0;
  for (std::string constraint : c.constraints) {
    if (constraint.starts_with('~')) continue;
    const bool result = constraint.starts_with('=');
    if (constraint.find('*') != std::string::npos) throw Unsupported("inline PTX with an operand in memory");
    if (!result) {
      if (argument >= c.arguments.size()) throw Unsupported("inline PTX with an operand that is not there");
      const LlvmValue& v = c.arguments[argument++];
      p.set("$" + std::to_string(number), v);
      if (std::isdigit(static_cast<unsigned char>(constraint[0])) != 0) p.set("$" + constraint, v);
    }
    ++number;
  }
}

void give_results(const AsmCall& c, PtxLowering& p) {
  if (c.name.empty()) return;
  if (!c.result_type.starts_with('{')) {
    const LlvmValue v = p.result("$0", c.results.at(0));
    return p.define(c.name, "freeze " + v.type + " " + v.text);
  }
  std::string whole = "undef";
  for (size_t k = 0; k < c.results.size(); ++k) {
    const LlvmValue v = p.result("$" + std::to_string(k), c.results[k]);
    const bool last = k + 1 == c.results.size();
    const std::string name = last ? c.name : c.name + ".ptx." + std::to_string(k);
    p.define(name, "insertvalue " + c.result_type + " " + whole + ", " + v.type + " " + v.text + ", " +
                       std::to_string(k));
    whole = name;
  }
}

std::vector<std::string> lowered(std::string_view line, int& number, std::string& label, bool in_kernel) {
  const AsmCall c = read_call(line);
  std::vector<std::string> lines;
  PtxLowering p(lines, c.debug, number, label, in_kernel);
  name_operands(c, p);
  p.run(parse_ptx(c.text));
  give_results(c, p);
  return lines;
}

/// The label that begins in the line; none: it is no label.
std::optional<std::string> label_of(std::string_view line) {
  if (line.empty() || line[0] == ' ' || line[0] == ';') return {};
  if (line[0] == '"') return std::string(line.substr(1, line.find('"', 1) - 1));
  const size_t colon = line.find(':');
  return colon == std::string_view::npos ? std::nullopt : std::optional(std::string(line.substr(0, colon)));
}

}  // namespace

bool has_inline_asm(std::string_view line) {
  const size_t at = line.find(" asm ");
  const size_t call = line.find("call ");
  return at != std::string_view::npos && call < at && line.find('"') > at && line.find('@') > at;
}

std::string unsupported_asm_in(std::string_view line) {
  int number = 0;
  std::string label = "entry";
  try {
    lowered(line, number, label, true);
  } catch (const std::exception& e) { return e.what(); }
  return "PTX written by hand (asm)";
}

ExpandedBody expand_inline_asm(const std::vector<std::string_view>& body, std::string_view entry,
                               bool in_kernel) {
  ExpandedBody out;
  std::string first(entry), label(entry);
  int number = 0;
  for (const std::string_view line : body) {
    if (const auto begins = label_of(line)) first = label = *begins;
    if (!has_inline_asm(line)) {
      out.lines.push_back(line);
      continue;
    }
    const std::string before = label;
    try {
      for (std::string& text : lowered(line, number, label, in_kernel))
        out.lines.push_back(out.own.emplace_back(std::move(text)));
      if (label != before) out.last_label[first] = label;
    } catch (const std::runtime_error&) {  // the reader says why, where it comes to the line
      label = before;
      out.lines.push_back(line);
    }
  }
  return out;
}

}  // namespace bscope::cuda::ir

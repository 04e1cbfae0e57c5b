#include "engine/cuda/ir/ptx.hpp"

#include <cctype>
#include <charconv>

#include "engine/cuda/ir/scanner.hpp"

namespace bscope::cuda::ir {
namespace {

constexpr int most_in_a_row = 64;  ///< registers of ".reg .u32 r<64>;"

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$'; }

class PtxReader {
 public:
  explicit PtxReader(std::string_view text) : whole_(text), rest_(text) {}

  std::vector<PtxStatement> read() {
    std::vector<PtxStatement> all;
    while (skip(), !rest_.empty()) {
      if (take('{') || take('}') || take(';')) continue;
      all.push_back(statement());
    }
    return all;
  }

 private:
  [[noreturn]] void refuse() const {
    std::string line(whole_.substr(0, 80));
    for (char& c : line)
      if (c == '\n' || c == '\t') c = ' ';
    throw Unsupported("inline PTX of this form: \"" + line + "\"");
  }
  void skip() {
    for (;;) {
      while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_[0])) != 0)
        rest_.remove_prefix(1);
      const std::string_view ends = rest_.starts_with("//") ? "\n" : rest_.starts_with("/*") ? "*/" : "";
      if (ends.empty()) return;
      const size_t at = rest_.find(ends, 2);
      rest_.remove_prefix(at == std::string_view::npos ? rest_.size() : at + ends.size());
    }
  }
  bool take(char c) {
    skip();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void need(char c) {
    if (!take(c)) refuse();
  }
  std::string take_while(const auto& test) {
    size_t n = 0;
    while (n < rest_.size() && test(rest_[n])) ++n;
    std::string out(rest_.substr(0, n));
    rest_.remove_prefix(n);
    return out;
  }
  std::string name() {
    skip();
    std::string out = rest_.starts_with('%') ? "%" : "";
    rest_.remove_prefix(out.size());
    out += take_while([&](char c) { return in_name(c) || (out == "%" && c == '.'); });
    if (out.empty() || out == "%") refuse();
    return out;
  }

  PtxStatement statement() {
    PtxStatement s;
    if (take('@')) {
      s.unless = take('!');
      s.guard = name();
    }
    skip();
    s.opcode = take_while([](char c) { return in_name(c) || c == '.' || c == ':'; });
    if (s.opcode == ".reg") {
      skip();
      s.opcode += take_while([](char c) { return in_name(c) || c == '.'; });
    }
    if (s.opcode.empty() || s.opcode.ends_with(':')) refuse();  // a label
    split(s);
    if (take(';')) return s;
    do add_operand(s);
    while (take(','));
    skip();
    if (!rest_.empty() && !rest_.starts_with('}')) need(';');
    return s;
  }
  static void split(PtxStatement& s) {
    std::string_view rest = s.opcode;
    if (rest.starts_with('.')) rest.remove_prefix(1);
    for (size_t dot = 0; dot != std::string_view::npos; rest.remove_prefix(dot + 1)) {
      dot = rest.find('.');
      s.words.emplace_back(rest.substr(0, dot));
      if (dot == std::string_view::npos) break;
    }
  }
  void add_operand(PtxStatement& s) {
    PtxOperand o = operand();
    if (s.words[0] != "reg" || !take('<')) {
      s.operands.push_back(std::move(o));
      return;
    }
    skip();
    const int count = std::atoi(
        take_while([](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }).c_str());
    if (count > most_in_a_row) refuse();
    need('>');
    for (int k = 0; k < count; ++k) s.operands.push_back({.text = o.text + std::to_string(k)});
  }

  PtxOperand operand() {
    PtxOperand first = one();
    if (!take('|')) return first;
    PtxOperand second = one();
    return {.kind = PtxOperand::pair, .parts = {std::move(first), std::move(second)}};
  }
  PtxOperand one() {
    PtxOperand o;
    if (take('[')) return address();
    if (take('{')) {
      o.kind = PtxOperand::vector;
      do o.parts.push_back(one());
      while (take(','));
      need('}');
      return o;
    }
    o.negated = take('!');
    skip();
    if (rest_.empty()) refuse();
    if (std::isdigit(static_cast<unsigned char>(rest_[0])) != 0 || rest_[0] == '-') {
      o.kind = PtxOperand::number;
      const bool below = take('-');
      o.text = (below ? "-" : "") + take_while([](char c) { return in_name(c) || c == '.'; });
      return o;
    }
    o.text = name();
    return o;
  }
  PtxOperand address() {
    PtxOperand o{.kind = PtxOperand::address, .parts = {one()}};
    const bool below = take('-');
    if (below || take('+')) {
      const PtxOperand by = one();
      const char* const end = by.text.data() + by.text.size();
      const bool hex = by.text.starts_with("0x");
      if (by.kind != PtxOperand::number ||
          std::from_chars(by.text.data() + (hex ? 2 : 0), end, o.offset, hex ? 16 : 10).ptr != end)
        refuse();
      if (below) o.offset = -o.offset;
    }
    need(']');
    return o;
  }

  std::string_view whole_, rest_;
};

}  // namespace

std::vector<PtxStatement> parse_ptx(std::string_view text) { return PtxReader(text).read(); }

}  // namespace bscope::cuda::ir

#include "engine/cuda/toolchain/fix_candidates.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>
#include <string_view>

#include "engine/analysis/cell_expressions.hpp"
#include "engine/analysis/race_message.hpp"
#include "engine/cuda/toolchain/source_lines.hpp"
#include "engine/trace/cpp_tokens.hpp"

namespace bscope::cuda {
namespace {

constexpr size_t most_candidates = 4;

/// The words of a line's code. Beyond its end they are empty.
class LineWords {
 public:
  explicit LineWords(const std::string& code) : code_(code), words_(code_tokens(code)) {}

  size_t count() const { return words_.size(); }
  size_t begin(size_t k) const { return words_[k].begin; }
  size_t end(size_t k) const { return words_[k].end; }
  std::string_view operator[](size_t k) const {
    return k < count() ? std::string_view(code_).substr(begin(k), end(k) - begin(k)) : std::string_view();
  }
  bool is_value(size_t k) const {
    return k < count() && (words_[k].kind == Token::name || words_[k].kind == Token::number);
  }
  bool is_one_of(size_t k, std::string_view signs) const {
    return k < count() && signs.find((*this)[k]) != std::string_view::npos;
  }
  /// Whether a sign of two characters stands there: `+=`.
  bool is_sign(size_t k, std::string_view two) const {
    return (*this)[k] == two.substr(0, 1) && (*this)[k + 1] == two.substr(1) && end(k) == begin(k + 1);
  }
  /// As it is written, from one word to before another.
  std::string text(size_t from, size_t to) const {
    return from < to ? code_.substr(begin(from), end(to - 1) - begin(from)) : std::string();
  }
  /// The first word from there on that stands in no brackets of its own and is one of these signs; count():
  /// none.
  size_t find(std::string_view signs, size_t from) const {
    int open = 0;
    for (size_t k = from; k < count(); ++k) {
      if (open == 0 && is_one_of(k, signs)) return k;
      open += is_one_of(k, "([{") ? 1 : is_one_of(k, ")]}") ? -1 : 0;
    }
    return count();
  }
  /// The first word of what is written without blanks before a word: of "a.x" or "a[k]".
  size_t begin_of_operand(size_t before) const {
    size_t first = before;
    while (first > 0 && (first == before || end(first - 1) == begin(first)) &&
           (is_value(first - 1) || is_one_of(first - 1, ".[]")))
      --first;
    return first;
  }

 private:
  const std::string& code_;
  const std::vector<Token> words_;
};

/// Looks for places and texts of changes in one file.
class FixFinder {
 public:
  FixFinder(const FixTarget& m, const std::string& text) : m_(m), text_(text), source_(text) {}

  std::vector<FixCandidate> all() {
    if (m_.kind == FixTarget::unread_input) {
      round_grid_up();
    } else if (m_.line < 1 || m_.line > source_.count()) {
      return {};
    } else if (m_.kind == FixTarget::race) {
      fix_race();
    } else if (m_.finding_kind == FindingKind::out_of_bounds) {
      widen_overflow();
      tighten_guard();
      add_sizeof();
    } else if (m_.finding_kind == FindingKind::missed_barrier) {
      move_barrier_out();
    } else if (m_.finding_kind == FindingKind::uninitialised_read) {
      clear_array();
    }
    if (found_.size() > most_candidates) found_.resize(most_candidates);
    return std::move(found_);
  }

 private:
  void add(std::vector<LineEdit> edits, Message help) {
    found_.push_back({std::move(edits), std::move(help)});
  }
  LineEdit before(int line, const std::string& statement, const std::string& indentation) const {
    return {m_.file, line, 0, {indentation + statement}};
  }
  LineEdit instead(int line, std::vector<std::string> lines) const {
    return {m_.file, line, 1, std::move(lines)};
  }
  /// A line with other code, and its comment.
  LineEdit instead(int line, const std::string& code) const {
    return instead(line, std::vector{source_.indentation(line) + code + source_.comment(line)});
  }
  bool exists(int line) const { return line >= 1 && line <= source_.count(); }

  // ---- races

  void fix_race() {
    switch (m_.cure.kind) {
      case CureKind::barrier: return put_barriers();
      case CureKind::barrier_in_loop: return put_barrier_in_loop(m_.cure.line);
      case CureKind::read_then_write: return read_then_write();
      case CureKind::warp_steps: return split_warp_steps();
      case CureKind::atomic: return make_atomic();
      default: return;
    }
  }

  std::string barrier() const {
    return m_.cure.scope == Cure::SyncScope::warp ? "__syncwarp();" : "__syncthreads();";
  }
  std::string barrier_name() const { return barrier().substr(0, barrier().size() - 1); }

  /// A line before which a barrier can stand, and the indentation that it has there.
  struct Spot {
    int line;
    std::string indentation;
    int depth;
  };

  bool can_stand_before(int line) const {
    return source_.starts_statement(line) && !source_.code(line).empty() &&
           !source_.code(line).starts_with("}") && !source_.code(line).starts_with("else");
  }
  /// The places between two lines, those that most threads reach first: outside of branches, next to `to`.
  std::vector<Spot> spots_between(int from, int to) const {
    std::vector<Spot> spots;
    for (int line = to; line > from; --line)
      if (can_stand_before(line) && source_.same_function(line, to))
        spots.push_back({line, source_.indentation(line), source_.depth(line)});
    std::ranges::stable_sort(spots, {}, &Spot::depth);
    return spots;
  }

  /// The place behind a line, and behind the loops and branches around it.
  std::vector<Spot> spots_behind(int line) const {
    for (const SourceLines::Block& b : source_.blocks_around(line))
      if (b.is_loop() || b.is_if()) {
        line = b.closes;
        break;
      }
    for (int next = line + 1; next <= source_.count() && source_.same_function(line, next); ++next)
      if (can_stand_before(next)) return {{next, source_.indentation(next), 0}};
    return {};
  }
  /// The places between a line of a loop and an earlier one of its next round: at the end of the loop's body,
  /// and before the earlier line.
  std::vector<Spot> spots_between_rounds(int from, int to) const {
    std::vector<Spot> spots;
    const auto blocks = source_.blocks_around(from);
    for (auto loop = blocks.rbegin(); loop != blocks.rend(); ++loop) {
      if (!loop->is_loop() || !loop->holds(to)) continue;
      if (source_.code(loop->closes).starts_with("}"))
        spots.push_back({loop->closes, body_indentation(*loop), 0});
      if (source_.starts_statement(to) && source_.depth(to) == source_.depth(loop->closes))
        spots.push_back({to, source_.indentation(to), 0});
      break;
    }
    if (spots.empty() && !source_.same_function(from, to)) spots = spots_behind(from);
    if (spots.empty() && source_.starts_statement(to)) spots.push_back({to, source_.indentation(to), 0});
    return spots;
  }
  /// That of the block's first statement.
  std::string body_indentation(const SourceLines::Block& b) const {
    for (int line = b.opens + 1; line < b.closes; ++line)
      if (!source_.code(line).empty()) return source_.indentation(line);
    return source_.indentation(b.closes) + "  ";
  }

  void put_barriers() {
    std::vector<std::vector<Spot>> places;
    for (const BarrierPlace& p : m_.cure.places) {
      if (!exists(p.from) || !exists(p.to)) return;
      const bool comes_back = p.next_round || p.from > p.to;  // a loop, or a function that is called again
      places.push_back(comes_back ? spots_between_rounds(p.from, p.to) : spots_between(p.from, p.to));
      if (places.back().empty()) return;
    }
    for (size_t k = 0; k < most_candidates && !places.empty(); ++k) {
      std::vector<LineEdit> edits;
      bool fresh = k == 0;
      for (const auto& spots : places) {
        const Spot& at = spots[std::min(k, spots.size() - 1)];
        fresh |= k < spots.size();
        const LineEdit edit = before(at.line, barrier(), at.indentation);
        if (std::ranges::find(edits, edit) == edits.end()) edits.push_back(edit);
      }
      if (!fresh) break;
      if (edits.size() == 1)
        add(edits, message("Put {} before line {}.", barrier_name(), edits[0].line));
      else if (edits.size() == 2)
        add(edits, message("Put {} before line {}, and before line {}.", barrier_name(), edits[0].line,
                           edits[1].line));
    }
  }

  void put_barrier_in_loop(int line) {
    if (!exists(line)) return;
    for (const Spot& at : spots_between_rounds(line, line))
      add({before(at.line, barrier(), at.indentation)},
          message("Put {} before line {}.", barrier_name(), at.line));
  }

  /// A line in which a thread reads another's cell and writes its own, as several.
  struct SplitLine {
    std::vector<std::string> lines;  ///< a read, a barrier, and a write
    std::string read, written;       ///< the two cells
  };
  /// `name`: of the variable, which is free.
  std::optional<SplitLine> split(int line, const std::string& name) const {
    if (!exists(line) || !source_.is_one_statement(line) || m_.element.empty()) return {};
    std::string code = source_.code(line), guard;
    if (code.starts_with("if")) {
      const size_t end = end_of_parentheses(code, code.find('('));
      if (end == std::string::npos) return {};
      guard = code.substr(0, end);
      code = code.substr(code.find_first_not_of(' ', end));
    }
    std::vector<std::string> read;
    std::string written;
    for (const CellExpression& c : cell_expressions(code, array_in(code))) {
      if (c.written)
        written = c.text;
      else if (std::ranges::find(read, c.text) == read.end())
        read.push_back(c.text);
    }
    std::erase(read, written);
    if (read.size() != 1 || written.empty()) return {};
    const std::string& in = source_.indentation(line);
    for (size_t at = 0; (at = code.find(read[0], at)) != std::string::npos; at += name.size())
      code.replace(at, read[0].size(), name);
    std::vector<std::string> lines{in + m_.element + " " + name + " = 0;",
                                   in + guard + (guard.empty() ? "" : " ") + name + " = " + read[0] + ";",
                                   in + barrier(), in + guard + (guard.empty() ? "" : " ") + code};
    if (guard.empty()) {
      lines.erase(lines.begin());
      lines[0] = in + m_.element + " " + name + " = " + read[0] + ";";
    }
    return SplitLine{std::move(lines), read[0], written};
  }
  /// The array whose cells the code names: a function may call it by a parameter's name.
  std::string array_in(const std::string& code) const {
    if (!cell_expressions(code, m_.array).empty()) return m_.array;
    const size_t bracket = code.find('[');
    const std::vector<Token> words = code_tokens(code);
    const auto name = std::ranges::find(words, bracket, &Token::end);
    return name == words.end() ? m_.array : code.substr(name->begin, name->end - name->begin);
  }

  /// `if (i >= d) s[i] += s[i - d];` as a read, a barrier, and a write.
  void read_then_write() {
    const int line = m_.cure.line;
    auto split_line = split(line, free_name());
    if (!split_line) return;
    auto& [lines, read, written] = *split_line;
    const auto help = [&] {
      return m_.cure.every_round
                 ? message(
                       "Read {} into a variable, call {}, then write {}, and call it again before the "
                       "next round.",
                       read, barrier_name(), written)
                 : message("Read {} into a variable, call {}, then write {}.", read, barrier_name(), written);
    };
    if (!m_.cure.every_round) add({instead(line, lines)}, help());
    lines.push_back(source_.indentation(line) + barrier());
    add({instead(line, lines)}, help());
  }

  /// A barrier before each step of a warp, too.
  void split_warp_steps() {
    std::vector<LineEdit> edits;
    for (const BarrierPlace& step : m_.cure.places) {
      auto split_line = split(step.from, free_name() + std::to_string(edits.size() + 1));
      if (!split_line) return;
      auto& lines = split_line->lines;
      lines.insert(lines.begin(), source_.indentation(step.from) + barrier());
      edits.push_back(instead(step.from, std::move(lines)));
    }
    if (!edits.empty()) add(std::move(edits), warp_steps_help(m_.cure));
  }

  /// A short name that the text does not have.
  std::string free_name() const {
    std::set<std::string_view> names;
    for (const Token& t : code_tokens(text_))
      names.insert(std::string_view(text_).substr(t.begin, t.end - t.begin));
    for (const char* name : {"other", "left", "value"})
      if (!names.contains(name)) return name;
    return "value_before";
  }

  static size_t end_of_parentheses(const std::string& code, size_t at) {
    for (int open = 0; at < code.size(); ++at) {
      open += code[at] == '(' ? 1 : code[at] == ')' ? -1 : 0;
      if (!open) return at + 1;
    }
    return std::string::npos;
  }

  /// `bins[k] += v`, `bins[k]++` and `*sum += v` as atomicAdd.
  void make_atomic() {
    const std::string& code = source_.code(m_.line);
    for (const CellExpression& c : cell_expressions(code, m_.array)) {
      if (!c.written) continue;
      const std::string head = code.substr(0, c.at), tail = code.substr(c.at + c.text.size());
      const auto [value, used] = added_value(c.text, head, tail);
      if (value.empty()) continue;
      const std::string before_cell = head.ends_with("++") ? head.substr(0, head.size() - 2) : head;
      const std::string call = fmt::format("atomicAdd(&{}, {})", c.text, value);
      add({instead(m_.line, before_cell + call + tail.substr(used))},
          message("Write {} in line {}.", call, m_.line));
      return;
    }
  }

  /// What an update adds to a cell, and how much of what stands behind the cell is part of it; empty: it is
  /// no sum.
  static std::pair<std::string, size_t> added_value(const std::string& cell, const std::string& head,
                                                    const std::string& tail) {
    const LineWords words(tail);
    const size_t end = words.find(";),", 0);
    const size_t used = end < words.count() ? words.begin(end) : tail.size();
    if (words.is_sign(0, "++")) return {"1", words.end(1)};
    if (words.is_sign(0, "+=")) return {words.text(2, end), used};
    if (words[0] != "=") return {head.ends_with("++") ? "1" : "", 0};
    const std::string sum = words.text(1, end);  // "bins[k] + v"
    const size_t of_cell = LineWords(cell).count();
    if (!sum.starts_with(cell) || words[1 + of_cell] != "+") return {};
    return {words.text(2 + of_cell, end), used};
  }

  // ---- indices

  /// `i <= n` in a condition around the line as `i < n`.
  void tighten_guard() {
    const int first = first_line_of_function(m_.line);
    for (int line = m_.line; line >= first && found_.size() < most_candidates; --line) {
      const std::string& code = source_.code(line);
      const LineWords words(code);
      if (!has_condition(words)) continue;
      for (size_t k = 0; k < words.count() && found_.size() < most_candidates; ++k) {
        if (!words.is_sign(k, "<=") || (k > 0 && words.is_sign(k - 1, "<<"))) continue;
        std::string tighter = code;
        tighter.replace(words.begin(k), 2, "<");
        size_t last = k + 2;  // of a sum or product
        for (size_t at = last; words.is_value(at) || words.is_one_of(at, ".-+*/"); ++at)
          if (words.is_value(at)) last = at + 1;
        const std::string from = words.text(words.begin_of_operand(k), k), to = words.text(k + 2, last);
        add({instead(line, tighter)}, message("The condition in line {} lets {} = {} through: write {} < {}.",
                                              line, from, to, from, to));
      }
    }
  }
  static bool has_condition(const LineWords& words) {
    for (size_t k = 0; k < words.count(); ++k)
      if ((words[k] == "if" || words[k] == "for" || words[k] == "while") && words[k + 1] == "(") return true;
    return false;
  }
  int first_line_of_function(int line) const {
    const auto blocks = source_.blocks_around(line);
    return blocks.empty() ? line : blocks.front().header;
  }

  /// `cudaMalloc(&a, n)` of an array whose cells are larger than a byte.
  void add_sizeof() {
    for (int line = 1; line <= source_.count(); ++line) {
      const std::string& code = source_.code(line);
      const LineWords words(code);
      for (size_t k = 0; k < words.count(); ++k) {
        if ((words[k] != "cudaMalloc" && words[k] != "cudaMallocManaged") || words[k + 1] != "(") continue;
        const size_t comma = words.find(",)", k + 2), end = words.find(",)", comma + 1);
        if (end == words.count() || words[comma] != "," || comma < k + 4 || words[comma - 2] != "&") continue;
        const std::string bytes = words.text(comma + 1, end);
        if (bytes.empty() || bytes.find("sizeof") != std::string::npos) continue;
        const std::string name(words[comma - 1]),
            product = bytes.find_first_of("+-") == std::string::npos ? bytes : "(" + bytes + ")";
        std::string longer = code;
        longer.replace(words.begin(comma + 1), bytes.size(), fmt::format("{} * sizeof(*{})", product, name));
        add({instead(line, longer)},
            message("cudaMalloc takes bytes: write {} * sizeof(*{}) in line {}.", product, name, line));
        break;
      }
    }
  }

  /// The first operand of an int expression that overflows becomes unsigned, or a size_t.
  void widen_overflow() {
    constexpr int most_lines = 40;  // from the access back to where its index is computed
    const std::vector<Token> wanted = code_tokens(m_.overflow);
    for (int line = m_.line; !wanted.empty() && line > std::max(0, m_.line - most_lines); --line) {
      const std::string& code = source_.code(line);
      const std::vector<Token> words = code_tokens(code);
      const auto same = [&](const Token& a, const Token& b) {
        return std::string_view(code).substr(a.begin, a.end - a.begin) ==
               std::string_view(m_.overflow).substr(b.begin, b.end - b.begin);
      };
      const auto at = std::search(words.begin(), words.end(), wanted.begin(), wanted.end(), same);
      if (at == words.end()) continue;
      for (const char* type : {"unsigned", "size_t"}) {
        std::string wide = code;
        wide.insert(at->begin, fmt::format("({})", type));
        add({instead(line, wide)}, message("Write ({}){} in line {}.", type, m_.overflow, line));
      }
      return;
    }
  }

  // ---- barriers

  /// A barrier in the block of an if, behind it.
  void move_barrier_out() {
    for (int line = m_.line; line <= std::min(m_.line + 1, source_.count()); ++line) {
      if (source_.code(line) != "__syncthreads();") continue;
      const auto blocks = source_.blocks_around(line);
      for (auto b = blocks.rbegin(); b != blocks.rend(); ++b) {
        if (!b->is_if()) continue;
        if (source_.code(b->closes) != "}" || b->closes == source_.count()) return;
        // what follows the barrier in the block needs it, and keeps the condition
        std::vector<LineEdit> edits{{m_.file, line, 1, {}}};
        if (line + 1 < b->closes) {
          const std::string& in = source_.indentation(b->opens);
          if (!b->text.starts_with("if")) return;
          edits = {instead(line, {in + "}", in + "__syncthreads();", in + b->text + " {"})};
        } else {
          edits.push_back(before(b->closes + 1, "__syncthreads();", source_.indentation(b->closes)));
        }
        add(edits, message("Move {} out of the if of line {}, so that all threads reach it.",
                           "__syncthreads()", b->header));
        return;
      }
    }
  }

  // ---- shared memory

  /// A shared array that is updated before it was set: zeros first.
  void clear_array() {
    const std::string name = m_.array.substr(0, m_.array.find('['));
    const auto cells = cell_expressions(source_.code(m_.line), name);
    const bool updates = std::ranges::any_of(cells, &CellExpression::written);
    if (!updates || name.empty()) return;
    for (int line = first_line_of_function(m_.line); line < m_.line; ++line) {
      const LineWords words(source_.code(line));
      const size_t at = words.find("[", 0), end = words.find("]", at + 1);
      const bool is_shared = words[0] == "__shared__" || words[1] == "__shared__";
      if (!is_shared || at < 3 || words[at - 1] != name || end == at + 1 || words[end + 1] != ";") continue;
      const std::string& in = source_.indentation(line);
      add({{m_.file,
            line + 1,
            0,
            {in + fmt::format("for (int k = threadIdx.x; k < {}; k += blockDim.x) {}[k] = 0;",
                              words.text(at + 1, end), name),
             in + "__syncthreads();"}}},
          message("Shared memory is not cleared: set {} to 0 and call {} behind line {}.", name,
                  "__syncthreads()", line));
      return;
    }
  }

  // ---- launches

  /// `n / threads` of a grid's size, rounded up.
  void round_grid_up() {
    for (int line = 1; line <= source_.count(); ++line) {
      const std::string& code = source_.code(line);
      const LineWords words(code);
      if (code.find("<<<") == std::string::npos && !sets_grid(words)) continue;
      for (size_t k = 1; k < words.count(); ++k) {
        if (words[k] != "/" || !words.is_value(k + 1)) continue;
        const size_t first = words.begin_of_operand(k);
        if (first == k) continue;
        size_t last = k + 2;
        while (words[last] == "." && words.is_value(last + 1)) last += 2;
        const std::string n = words.text(first, k), block = words.text(k + 1, last);
        std::string rounded = code;
        rounded.replace(words.begin(first), words.end(last - 1) - words.begin(first),
                        fmt::format("({} + {} - 1) / {}", n, block, block));
        add({instead(line, rounded)}, message("{} / {} rounds down: write ({} + {} - 1) / {} in line {}.", n,
                                              block, n, block, block, line));
        break;
      }
    }
  }
  /// Whether a variable that is called so is set or made there: "numBlocks = ", "dim3 grid(".
  static bool sets_grid(const LineWords& words) {
    constexpr std::array names{"grid", "block", "numblock", "num_block", "tile"};
    for (size_t k = 0; k < words.count(); ++k) {
      if (!words.is_value(k) || (words[k + 1] != "=" && words[k + 1] != "(" && words[k + 1] != "{")) continue;
      std::string name(words[k]);
      std::ranges::transform(name, name.begin(), [](unsigned char c) { return char(std::tolower(c)); });
      if (std::ranges::any_of(names, [&](const char* n) { return name.starts_with(n); })) return true;
    }
    return false;
  }

  const FixTarget& m_;
  const std::string& text_;
  const SourceLines source_;
  std::vector<FixCandidate> found_;
};

}  // namespace

std::vector<FixCandidate> fix_candidates(const FixTarget& m, const std::string& text) {
  return FixFinder(m, text).all();
}

}  // namespace bscope::cuda

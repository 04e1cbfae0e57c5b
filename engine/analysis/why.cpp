#include "engine/analysis/why.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_set>

#include "engine/analysis/arithmetic.hpp"
#include "engine/analysis/content.hpp"
#include "engine/analysis/dataflow_graph.hpp"

namespace bscope {
namespace {

constexpr int most_tree_nodes = 512,
              deepest_tree = 64;  // of a tree: more is unreadable, and a chain may be endless

const char* sign_of(const std::string& op) {
  static const std::pair<const char*, const char*> signs[] = {
      {"add", " + "},        {"subtract", " - "},   {"multiply", " × "},  {"divide", " / "},
      {"and", " & "},        {"or", " | "},         {"xor", " ^ "},       {"atomic_add", " + "},
      {"atomic_sub", " - "}, {"atomic_and", " & "}, {"atomic_or", " | "}, {"atomic_xor", " ^ "}};
  for (auto [name, sign] : signs)
    if (op == name) return sign;
  return nullptr;
}

class ValueTree {
 public:
  ValueTree(const Trace& trace, const DataflowGraph& flow, const WordTable& words)
      : trace_(trace), flow_(flow), words_(words) {}

  /// A cell's value as this write left it.
  Why written(int k, int stores) {
    const Node& n = flow_.nodes[k];
    Why w = about(k);
    if (is_between_launches(trace_.launches[size_t(n.launch)])) {
      w.op = "between";
      w.thread = -1;
      return w;
    }
    if (is_atomic(n.op)) {
      w.op = name_of(n.op);
      Why old = cell_before(k, stores);
      old.value = text_of(ElementType(n.kind), n.bits);
      w.from.push_back(std::move(old));
      w.from.push_back(value(n.b, n, stores, 0));
      w.value = after(n);
      return w;
    }
    Why v = value(n.a, n, stores, 0);
    if (v.place.array < 0 && v.op != "constant") {  // the computation is the store's own
      w.op = v.op;
      w.from = std::move(v.from);
    } else {
      w.op = v.op == "constant" ? "constant" : "copy";
      if (w.op == "copy")
        w.from.push_back(std::move(v));
      else
        w.decided_in = branch_before(k);
    }
    return w;
  }

 private:
  const Trace& trace_;
  const DataflowGraph& flow_;
  const WordTable& words_;
  int count_ = 0;

  Why about(int k) {
    ++count_;
    const Node& n = flow_.nodes[k];
    Why w;
    w.node = k;
    w.value = text_of(ElementType(n.kind), n.bits);
    w.thread = n.thread;
    w.line = n.line;
    w.interval = n.interval;
    w.launch = n.launch;
    w.word = words_[k].text();
    if (touches(n.op)) {
      w.place = n.place;
      w.cell = cell_name(trace_, n.launch, n.place);
    }
    return w;
  }
  /// The line of the latest branch on data that the thread of a node took before it; 0: none is near.
  int branch_before(int k) const {
    constexpr int most_looked_at = 1 << 20;
    const Node& n = flow_.nodes[size_t(k)];
    for (int b = k - 1; b >= 0 && b > k - most_looked_at && flow_.nodes[size_t(b)].launch == n.launch; --b)
      if (const Node& branch = flow_.nodes[size_t(b)]; branch.thread == n.thread && branch.op == Op::branch) {
        // a compiler gives a loop's branch no line, but its condition has one
        const int line = branch.line || branch.a < 0 ? branch.line : flow_.nodes[size_t(branch.a)].line;
        if (line) return line;
      }
    return 0;
  }
  std::string after(const Node& n) const {
    // what the next one found, or the memory: an atomic's event holds the old value only
    const uint64_t operand = n.b >= 0 ? flow_.nodes[n.b].bits : 0;
    return text_of(ElementType(n.kind), after_atomic(n.op, ElementType(n.kind), n.bits, operand));
  }
  /// The cell that k read, with what was written there as its children while `stores` last.
  Why cell_before(int k, int stores) {
    const Node& n = flow_.nodes[k];
    Why w = about(k);
    w.op = n.a < 0 ? "given" : "read";
    if (n.a >= 0 && stores > 1 && count_ < most_tree_nodes) {
      Why before = written(n.a, stores - 1);
      w.from = std::move(before.from);
      w.op = before.op;
      w.node = before.node;
      w.thread = before.thread;
      w.line = before.line;
      w.interval = before.interval;
      w.launch = before.launch;
      w.word = before.word;
    }
    return w;
  }
  /// A value in a thread's hands; -1: a constant, whose bits its user has.
  Why value(int k, const Node& user, int stores, int depth) {
    if (k < 0) {
      Why w;
      w.op = "constant";
      w.value = text_of(ElementType(user.kind), user.bits);
      w.thread = user.thread;
      w.line = user.line;
      w.interval = user.interval;
      w.launch = user.launch;
      return w;
    }
    const Node& n = flow_.nodes[k];
    if (touches(n.op)) return cell_before(k, stores);
    if (n.op == Op::shuffle || n.op == Op::convert || n.op == Op::reduce)
      if (depth < deepest_tree) return value(n.a, n, stores, depth + 1);
    Why w = about(k);
    w.op = n.op == Op::constant ? "constant" : name_of(n.op);
    if (!computes(n.op) || depth >= deepest_tree || count_ >= most_tree_nodes) return w;
    for (int source : {n.a, n.b}) {
      Why part = source >= 0 ? value(source, n, stores, depth + 1) : Why{};
      if (source < 0) part.op = "constant", part.value = "?";
      // (a + b) + c reads as a + b + c
      const bool same = part.place.array < 0 && part.op == w.op && (n.op == Op::add || n.op == Op::mul) &&
                        source == n.a && !part.from.empty();
      if (same)
        std::move(part.from.begin(), part.from.end(), std::back_inserter(w.from));
      else
        w.from.push_back(std::move(part));
    }
    return w;
  }
};

}  // namespace

Why made_of(const Trace& trace, const DataflowGraph& flow, const WordTable& words, int node) {
  return ValueTree(trace, flow, words).written(node, 1);
}

std::vector<int> reads_of(const DataflowGraph& flow, int node) {
  std::vector<int> all, next;
  std::unordered_set<int> seen;
  const Node& written = flow.nodes[size_t(node)];
  if (is_atomic(written.op)) all.push_back(node);
  next.push_back(is_atomic(written.op) ? written.b : written.a);
  while (!next.empty()) {
    const int k = next.back();
    next.pop_back();
    if (k < 0 || !seen.insert(k).second) continue;
    const Node& n = flow.nodes[size_t(k)];
    if (touches(n.op)) {
      all.push_back(k);
      continue;
    }
    const bool hands_on = n.op == Op::shuffle || n.op == Op::convert || n.op == Op::reduce;
    if (computes(n.op) && !hands_on) next.push_back(n.b);
    if (computes(n.op) || hands_on) next.push_back(n.a);
  }
  std::ranges::sort(all.begin() + (is_atomic(written.op) ? 1 : 0), all.end());
  return all;
}

namespace {

/// "11 + 14", "max(3, 4)", "25"
std::string formula(const Why& w, bool top) {
  if (w.from.empty() || (!top && w.place.array >= 0)) return w.value;
  if (w.op == "copy") return w.from[0].value;
  std::string s;
  const char* sign = sign_of(w.op);
  if (!sign) s = w.op + "(";
  for (size_t k = 0; k < w.from.size(); ++k) {
    if (k) s += sign ? sign : ", ";
    const std::string part = formula(w.from[k], false);
    const bool nested = sign && w.from[k].place.array < 0 && w.from[k].from.size() > 1;
    s += nested ? "(" + part + ")" : part;
  }
  return sign ? s : s + ")";
}
void cells_read(const Why& w, std::vector<std::string>& all) {
  for (const Why& part : w.from)
    if (part.place.array < 0)
      cells_read(part, all);
    else if (std::find(all.begin(), all.end(), part.cell) == all.end())
      all.push_back(part.cell);
}

}  // namespace

Why why(const Trace& trace, const DataflowGraph& flow, const WordTable& words, const Interval& v,
        CellRef place, int depth) {
  const int k = holder(trace, flow, v, place);
  if (k >= 0) return ValueTree(trace, flow, words).written(k, depth);
  Why w;
  w.place = place;
  w.cell = cell_name(trace, v.launch, place);
  w.launch = v.launch;
  w.op = "given";
  if (place.shared())
    w.op = "unwritten";
  else {
    w.value = text_of(trace.arrays[place.array].kind, initial_bits(trace, place));
    if (place.array == trace.input) w.word = "x" + std::to_string(place.index);
  }
  return w;
}

std::string sentence(const Why& w) {
  if (w.op == "unwritten") return w.cell + " was never written.";
  if (w.op == "between") return w.cell + " = " + w.value + ", written between launches.";
  if (w.thread < 0)
    return w.cell + " = " + w.value + (w.word.empty() ? ", as it was at the start." : ", an input.");
  std::string s = "Thread " + std::to_string(w.thread) + ": " + w.cell + " = ";
  if (w.op == "constant" && w.decided_in)
    return s + w.value + ", chosen by conditions on data, the last of them in line " +
           std::to_string(w.decided_in) + ".";
  if (w.op == "constant") return s + w.value + ", not computed from cells: a constant, an index or a count.";
  std::vector<std::string> cells;
  cells_read(w, cells);
  s += w.op == "copy" ? w.value : formula(w, true) + " = " + w.value;
  if (w.op.starts_with("atomic")) s += ", in one step that nothing can come between";
  for (size_t k = 0; k < cells.size(); ++k)
    s += (k == 0 ? ", read from " : k + 1 == cells.size() ? " and " : ", ") + cells[k];
  return s + ".";
}

std::vector<int> ancestry(const DataflowGraph& flow, int node, int least) {
  std::vector<int> found;
  if (node < 0 || size_t(node) >= flow.nodes.size()) return found;
  least = std::clamp(least, 0, node);
  std::vector<bool> met(size_t(node - least) + 1);
  std::vector<int> open;
  const auto meet = [&](int k) {
    if (k < least || met[size_t(k - least)]) return;
    met[size_t(k - least)] = true;
    open.push_back(k);
  };
  for (meet(node); !open.empty();) {
    const int k = open.back();
    open.pop_back();
    const Node& n = flow.nodes[k];
    if (touches(n.op)) found.push_back(k);
    meet(n.a), meet(n.b);
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace bscope

// What textbooks count, for a whole run: text and number say the same. The text is arithmetic; n is the
// input's length, T the threads of a block, unless it says otherwise behind a comma: 3 x 2(n-1), n = 512.
#pragma once

#include <bit>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "engine/simt/problem.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {

/// A textbook's count of one tile of n elements, by T threads.
struct TileCount {
  std::string text;  ///< "w log2 w"
  std::function<double(double n, double threads)> of_tile;
  std::string with = "";  ///< "w = min(n, 32)": its own symbols
};

/// So many tiles of n elements, each by a block of so many threads.
struct Tiles {
  double times;
  int n, threads;
};

/// Is it one of the symbols of a text?
inline bool has_symbol(const std::string& text, const std::string& symbol) {
  const auto letter = [&](size_t k) {
    return k < text.size() && isalnum(static_cast<unsigned char>(text[k]));
  };
  for (size_t k = text.find(symbol); k != std::string::npos; k = text.find(symbol, k + 1))
    if (!letter(k + symbol.size()) && (k == 0 || !isalpha(static_cast<unsigned char>(text[k - 1]))))
      return true;
  return false;
}
/// Has it a sum that a factor before it would not reach?
inline bool is_sum(const std::string& text) {
  int depth = 0;
  for (const char c : text) {
    depth += (c == '(') - (c == ')');
    if (!depth && (c == '+' || c == '-')) return true;
  }
  return false;
}
inline std::string whole(double v) { return std::to_string((long long)(v)); }

/// The count of all these tiles, and `added` more, of which `why` tells. Tiles of one element count nothing
/// beside others. All others are of one size.
inline Formula summed(const char* of, const TileCount& count, const std::vector<Tiles>& all, const Problem& p,
                      bool exact, double added = 0, const char* why = "") {
  double times = 0;
  Tiles tile = all.front();
  for (const Tiles& t : all) {
    if (t.n == 1 && all.back().n > 1) continue;
    tile = t;
    times += t.times;
  }
  Formula f{of, exact ? "" : "at most ", times * count.of_tile(tile.n, tile.threads) + added};
  std::string tail = count.with.empty() ? "" : ", " + count.with;
  if (times == 1)
    f.text += count.text;
  else
    f.text += whole(times) + " x " + (is_sum(count.text) ? "(" + count.text + ")" : count.text);
  if (tile.n != p.n() && (has_symbol(count.text, "n") || !count.with.empty()))
    tail += ", n = " + whole(tile.n);
  if (tile.threads != p.block && has_symbol(count.text, "T")) tail += ", T = " + whole(tile.threads);
  if (added) {
    f.text += " + a";
    tail += ", a = " + whole(added) + " " + why;
  }
  f.text += tail;
  return f;
}

/// log2 n of a power of two, and what stands for it of other numbers.
inline std::string log2_of(const char* symbol, int value) {
  return std::has_single_bit(unsigned(value)) ? std::string("log2 ") + symbol
                                              : std::string("ceil(log2 ") + symbol + ")";
}
inline double steps_of(double n) { return std::ceil(std::log2(n)); }

}  // namespace bscope

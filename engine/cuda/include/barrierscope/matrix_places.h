// Which element of a matrix lies in which lane: that of mma.m16n8 in the PTX manual ("Matrix Fragments"),
// which wmma's fragments are put together of. For the headers and for the interpreter.
#pragma once

#ifdef __CUDA__
#define __BSCOPE_CONSTEXPR __attribute__((host, device)) constexpr
#else
#define __BSCOPE_CONSTEXPR constexpr
#endif

/// A product of m x k by k x n elements. A lane has `run` neighbours along k.
struct __bscope_matrices {
  int m, n, k, run;

  /// 8 x 32 is laid out as its transpose.
  __BSCOPE_CONSTEXPR bool turned() const { return m < n; }
  __BSCOPE_CONSTEXPR int rows() const { return turned() ? n : m; }
  __BSCOPE_CONSTEXPR int columns() const { return turned() ? m : n; }
  /// Of 8 rows each, in a tile.
  __BSCOPE_CONSTEXPR int halves() const { return rows() < 16 ? 1 : 2; }
  __BSCOPE_CONSTEXPR int steps() const { return k / (4 * run); }

  __BSCOPE_CONSTEXPR int tall_elements() const { return rows() * k / 32; }
  __BSCOPE_CONSTEXPR int wide_elements() const { return columns() * k / 32; }
  /// Different ones that a lane has.
  __BSCOPE_CONSTEXPR int a_elements() const { return turned() ? wide_elements() : tall_elements(); }
  __BSCOPE_CONSTEXPR int b_elements() const { return turned() ? tall_elements() : wide_elements(); }
  __BSCOPE_CONSTEXPR int c_elements() const { return m * n / 32; }
};
struct __bscope_place {
  int row, column;
};

/// Of the operand with more rows, as rows() x k.
__BSCOPE_CONSTEXPR __bscope_place __bscope_tall_place(__bscope_matrices s, int element, int lane) {
  int within = element % s.run, rest = element / s.run;
  int half = rest % s.halves(), step = rest / s.halves() % s.steps(), tile = rest / s.halves() / s.steps();
  return {lane / 4 + 8 * half + 16 * tile, within + s.run * (lane % 4) + 4 * s.run * step};
}
/// Of the other, as columns() x k.
__BSCOPE_CONSTEXPR __bscope_place __bscope_wide_place(__bscope_matrices s, int element, int lane) {
  int within = element % s.run, rest = element / s.run;
  int step = rest % s.steps(), tile = rest / s.steps();
  return {lane / 4 + 8 * tile, within + s.run * (lane % 4) + 4 * s.run * step};
}
__BSCOPE_CONSTEXPR __bscope_place __bscope_place_in_a(__bscope_matrices s, int element, int lane) {
  return s.turned() ? __bscope_wide_place(s, element, lane) : __bscope_tall_place(s, element, lane);
}
__BSCOPE_CONSTEXPR __bscope_place __bscope_place_in_b(__bscope_matrices s, int element, int lane) {
  __bscope_place p =
      s.turned() ? __bscope_tall_place(s, element, lane) : __bscope_wide_place(s, element, lane);
  return {p.column, p.row};
}
__BSCOPE_CONSTEXPR __bscope_place __bscope_place_in_c(__bscope_matrices s, int element, int lane) {
  int tiles = s.columns() / 8;
  int half = element / 2 % s.halves(), tile = element / 2 / s.halves();
  int row = lane / 4 + 8 * half + 16 * (tile / tiles),
      column = lane % 4 * 2 + element % 2 + 8 * (tile % tiles);
  if (s.turned()) return {column, row};
  return {row, column};
}

#undef __BSCOPE_CONSTEXPR

// Predict, then reveal: the user's guess of what a step will leave in the cells it changes. Plain data and
// pure steps; a lesson starts it on a step and reads the score, the views keep the answers to themselves.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/trace/cell_ref.hpp"

namespace bscope {

enum class ElementType : uint8_t;
struct LoadedState;
struct Run;

/// Above so many changed cells a sample of them is asked.
inline constexpr int most_asked = 16, sample_asked = 8;

struct Prediction {
  bool on = false, revealed = false;
  int step = -1;                     ///< of the run
  int array = -1;                    ///< whose cells are asked
  std::vector<int> cells;            ///< of the array, ascending; each is a box
  std::vector<std::string> guesses;  ///< as typed, one a box; empty: nothing yet
  int changed = 0;                   ///< cells of the array that the step writes; more than `cells`: a sample
  int box = 0;                       ///< that has the focus
  int hints = 0;                     ///< given for the focused box: 0 none, 1 an operand, 2 the whole formula
  int right = 0, asked = 0;          ///< the score so far, over all steps that were revealed

  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    visit("on", s.on);
    visit("revealed", s.revealed);
    visit("step", s.step);
    visit("array", s.array);
    visit("cells", s.cells);
    visit("guesses", s.guesses);
    visit("changed", s.changed);
    visit("box", s.box);
    visit("hints", s.hints);
    visit("right", s.right);
    visit("asked", s.asked);
  }
  bool operator==(const Prediction&) const = default;
  /// After it was read from a file: one that this run could not have asked is none.
  void fit(const Run&);
  /// The number of the box that asks for a cell; -1: none does.
  int box_of(CellRef) const;
  CellRef place(int number) const { return {array, cells[size_t(number)]}; }
  int filled() const;
  /// Whether the step's answers are still to be kept back.
  bool hides() const { return on && !revealed; }
};

/// The prediction that is on for the step under the cursor; null if there is none. Whatever the state was
/// loaded from: its cells exist in the run.
const Prediction* prediction_on(const LoadedState&);
/// Whether the step under the cursor changes a cell that could be asked for.
bool can_predict(const LoadedState&);

/// Asks for the cells that the step under the cursor changes: in the array that Watch shows, if the step
/// writes it, else in the one that it writes most. Nothing if it changes none.
LoadedState predict(LoadedState);
/// One character for the focused box; those that no value of the array has are left out.
LoadedState type_guess(LoadedState, char32_t);
LoadedState erase_guess(LoadedState);
/// The next box (1) or the one before (-1), round about.
LoadedState next_box(LoadedState, int by);
/// The box of a cell; nothing if it has none.
LoadedState to_box(LoadedState, CellRef);
/// One hint more for the focused box.
LoadedState hint(LoadedState);
/// Shows the answers, beside the guesses, and counts the right ones.
LoadedState reveal(LoadedState);
/// Goes to the next step that changes a cell, and asks again; ends the prediction where none follows.
LoadedState predict_next(LoadedState);
/// Ends the prediction; the score stays. What was not revealed counts for nothing.
LoadedState leave_prediction(LoadedState);
/// Ends it if the cursor has gone elsewhere.
LoadedState settle_prediction(LoadedState);

/// What a cell holds when a step has ended; empty if the step does not write it.
std::optional<uint64_t> bits_after(const Run&, int step, CellRef);
/// The element type of the cells that are asked for.
ElementType kind_of(const Run&, const Prediction&);
/// A typed value as the bits of an element: numbers, "3y+1" for affine maps, "9/4" or "9" for counted sums.
/// Empty if it is none.
std::optional<uint64_t> parse_guess(ElementType, const std::string&);
/// Whether the guess in this box is right. Floats: to the six digits that are shown.
bool is_right(const Run&, const Prediction&, int box);

}  // namespace bscope

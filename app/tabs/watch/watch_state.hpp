// What Watch remembers.
#pragma once

#include <cstdint>
#include <vector>

namespace bscope {

/// What lights up in the whole run for the selected cell.
enum class Relatives : uint8_t { ancestors, descendants, both };
constexpr Relatives last_of(Relatives) { return Relatives::both; }
/// What stands beside the source lines.
enum class Profile : uint8_t { values, step, run };
constexpr Profile last_of(Profile) { return Profile::run; }

struct WatchState {
  static constexpr const char* saved_as = "watch";
  Relatives relatives = Relatives::ancestors;
  Profile profile = Profile::values;
  int source_shift = 0;  ///< characters that the source is scrolled to the right
  int source_scroll = 0,
      source_scroll_at = -1;  ///< lines that the source is scrolled down, while the step is this one
  bool registration = false;  ///< the source's registration is unfolded
  bool machine_code = false;  ///< the source tells of its machine code
  int code_line = 0,          ///< the line whose instructions are unfolded, 0: none
      code_from = 0;          ///< the first of them that is shown
  int run_scroll = 0,
      run_scroll_at = -1;       ///< rows that the whole run is scrolled, while the step is this one
  int why_levels = 0;           ///< levels that are unfolded
  std::vector<int> why_turned;  ///< nodes that are not as their level says: unfolded or folded by hand
  int why_row = -1;             ///< row of the tree with the focus, -1: none
  int why_scroll = 0;           ///< rows that the tree is scrolled
  bool why_tall = false;        ///< the why panel over the source's place
  bool words = false;           ///< cells show which inputs they were made from, not their values
  bool all_blocks = false;      ///< every block of the launch, small
  bool all_arrays = false;      ///< every array that the block touches, small
  bool hand_over = false;       ///< the selected flag's hand-over in the whole run's place
  template <class Self, class Visit>
  static void fields(Self& s, Visit&& visit) {
    visit("relatives", s.relatives);
    visit("profile", s.profile);
    visit("source_shift", s.source_shift);
    visit("source_scroll", s.source_scroll);
    visit("source_scroll_at", s.source_scroll_at);
    visit("registration", s.registration);
    visit("machine_code", s.machine_code);
    visit("code_line", s.code_line);
    visit("code_from", s.code_from);
    visit("run_scroll", s.run_scroll);
    visit("run_scroll_at", s.run_scroll_at);
    visit("why_levels", s.why_levels);
    visit("why_turned", s.why_turned);
    visit("why_row", s.why_row);
    visit("why_scroll", s.why_scroll);
    visit("why_tall", s.why_tall);
    visit("words", s.words);
    visit("all_blocks", s.all_blocks);
    visit("all_arrays", s.all_arrays);
    visit("hand_over", s.hand_over);
  }
  bool operator==(const WatchState&) const = default;
};

}  // namespace bscope

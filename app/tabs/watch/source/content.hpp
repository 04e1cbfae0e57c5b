// What the source panel says of each line in a step: its text, what it does, which values stand beside it.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "app/run/cursor.hpp"
#include "app/tabs/watch/source/lines.hpp"
#include "app/tabs/watch/source/machine_lines.hpp"
#include "app/tabs/watch/source/panel.hpp"
#include "app/tabs/watch/source/text.hpp"
#include "app/tabs/watch/watch_state.hpp"
#include "engine/analysis/barrier_lines.hpp"
#include "engine/analysis/block_steps.hpp"
#include "engine/analysis/instructions.hpp"
#include "engine/trace/message.hpp"

namespace bscope {

struct OwnCode;
class RunQueries;

struct SourceContent {
  /// `hides`: the step's results are asked for, and not shown. `shown`: of the text.
  SourceContent(const RunQueries&, const Cursor&, const WatchState&, bool hides,
                const std::shared_ptr<const OwnCode>&, SourceShown shown = {});

  const RunQueries& model;
  const Cursor& cursor;
  const WatchState& look;
  const Step& step;
  const WarpInstruction* sub;  ///< null: the whole step
  int followed = -1;
  std::string file;
  std::vector<std::string> lines;
  int main_line = 0;    ///< of a catalog's CUDA program, whose main is not what ran; 0: none
  Message why_no_cuda;  ///< why a kernel with a CUDA program is shown in the dialect; empty: it need not be
  BarrierLines barriers;
  LineRange fold;  ///< the registration
  bool folded = false;
  LineRange lit;                          ///< those that run
  const MachineLines* machine = nullptr;  ///< null: it is not shown
  LineRole sub_role;
  std::map<int, LineRole> roles;
  LinesActiveLanes profile;
  std::map<int, ValueOfLine> values, sub_values;
  std::map<int, Message> wrong;  ///< where the run goes wrong, of own programs
  std::set<int> coming;          ///< lines that run later, and are hidden until then
  bool hints = true;             ///< SourceShown::hints
  std::set<int> comments = {};   ///< lines that are hidden, for a comment is all that they are

  bool profiled() const { return look.profile != Profile::values; }
  int size() const { return int(lines.size()); }
  const std::string& text(int number) const { return lines[size_t(number) - 1]; }
  /// Whether it is the line that the registration can be folded to.
  bool folds(int number) const { return number == fold.first && fold.last > fold.first; }
  /// Whether the line is folded away.
  bool folded_away(int number) const { return folded && number > fold.first && number <= fold.last; }
  /// What the line does in this step; null: nothing. Of the instruction that is shown: what that does.
  const LineRole* role_of(int number) const;
  /// Whether it happens now, in the step or in the instruction that is shown.
  bool is_now(int number) const { return !sub || number == sub->what.line; }
  /// A line of the step, or between two of them that lie close.
  bool is_lit(int number) const {
    return lit.holds(number) && (lit.last - lit.first < 14 || role_of(number));
  }
  /// Whether it is hidden, for it runs later.
  bool is_coming(int number) const { return coming.contains(number); }
  /// Whether a bar stands in its place.
  bool is_hidden(int number) const { return is_coming(number) || comments.contains(number); }
  /// Whether its instructions stand beneath it.
  bool unfolded(int number) const {
    return machine && look.code_line == number && machine->has(number) && !is_coming(number);
  }
  /// The line that wrote the selected cell, of those that run in this step; else the first of them.
  int telling_line() const;
  /// Beside a selected line that goes wrong: the nearest other one, of which its message speaks; 0: none.
  int wrong_beside() const;
  std::string tip_of(int number) const;

 private:
  void hide_comments();
};

}  // namespace bscope

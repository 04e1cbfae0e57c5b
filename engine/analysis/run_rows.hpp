// A whole run as rows and columns: what each interval did to the cells of the array that it works in.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace bscope {

struct Fact;
class Report;

/// A row for each interval of each launch (all blocks together); an interval with shuffles has a row for each
/// round of them.
struct RunRows {
  /// Something that a row did to a column of the figure.
  struct Dot {
    int column = 0;
    bool add = false;            ///< a computation; else a copy or a constant
    bool lineage = false;        ///< its value flows into the cell that is made from the most others
    bool self = false;           ///< computed from its own column too
    std::vector<int> from = {};  ///< other columns it was computed from
    bool operator==(const Dot&) const = default;
  };
  /// Many columns put together: how many of them computed something, how many only copied.
  struct ColumnGroup {
    int adds = 0, copies = 0;
  };
  struct RunRow {
    int launch = 0, interval = 0, round = 0;
    std::string phase = {}, name = {};    ///< the name numbers the rows of a phase: "up-sweep #2"
    std::vector<Dot> dots = {};           ///< of a launch of at most most_columns
    std::vector<ColumnGroup> parts = {};  ///< of any launch
    std::vector<int> reads = {};          ///< columns that were read and not written
    long threads = 0;                     ///< with at least one access
    long adds = 0, atomics = 0;
    std::vector<long> counts = {};  ///< by RunRows::counted
  };
  /// What the columns of a launch's rows are.
  struct Figure {
    bool cells = false;  ///< of `array`; else threads
    std::string array = {};
    int columns = 0;  ///< of all blocks side by side; where those are many, parts of them
    int blocks = 1;
    int all = 0, part = 1;  ///< columns in all, and how many of them a part has
    int in_block() const { return std::max(1, columns / blocks); }
  };
  std::vector<RunRow> rows;
  std::vector<const Fact*> counted;  ///< what adds up, of which each row has its part
  std::vector<Figure> figures;       ///< by launch
  long threads = 0;                  ///< of the largest launch
  long slots_used = 0, slots = 0;
  long adds = 0, atomics = 0;
};
/// Of a launch with at most so many columns each is known by itself.
inline constexpr int most_columns = 64;
RunRows run_rows(const Report&);
/// How many of the columns are combined where only `most` can be distinguished: a block is whole parts, or a
/// part whole blocks, wherever that costs at most half of them. So what all blocks do alike looks alike.
int columns_together(int columns, int in_block, int most);

}  // namespace bscope

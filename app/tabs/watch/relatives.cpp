#include "app/tabs/watch/relatives.hpp"

#include "app/words/words.hpp"
#include "engine/analysis/relatives.hpp"

namespace bscope {

Related related(const RunQueries& model, const Moment& m, Relatives which) {
  return related(model, m, which != Relatives::descendants, which != Relatives::ancestors);
}

bool has_relatives(const Related& of) {
  return (of.up && !of.up->empty()) || (of.down && of.down->size() > 1);
}

std::string words_of(const Related& of, const std::string& cell) {
  const bool up = of.up && !of.up->empty(), down = of.down && of.down->size() > 1;
  if (up && down) return tr("blue: everything inside {0}, and everything that it flows into", cell);
  if (up) return tr("blue: everything inside {}", cell);
  if (down) return tr("blue: everything that {} flows into", cell);
  return of.down ? tr("{} flows into no other cell", cell) : std::string();
}

}  // namespace bscope

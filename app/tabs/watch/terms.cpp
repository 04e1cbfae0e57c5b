#include "app/tabs/watch/terms.hpp"

#include "app/run/values.hpp"
#include "app/tabs/watch/draw.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/why.hpp"

namespace bscope {

std::vector<const Why*> terms(const Why& w, bool with_neutral) {
  std::vector<const Why*> all, telling;
  for (const Why& part : w.from) {
    if (part.place.array < 0 && part.node < 0 && part.value.empty()) continue;
    all.push_back(&part);
    const bool constant = part.place.array < 0 && part.op == "constant";
    const bool neutral = (w.op == "add" && part.value == "0") || (w.op == "multiply" && part.value == "1");
    if (!constant || !neutral) telling.push_back(&part);
  }
  return telling.empty() || with_neutral ? all : telling;
}

bool is_call(const std::string& op) {
  const std::string s = sign(op);
  return s == "min" || s == "max" || op == "other";
}

std::string terms_text(const std::vector<const Why*>& all, const std::string& op, size_t most) {
  if (all.size() > most) return tr("{} values", all.size());
  std::string out = is_call(op) ? sign(op) + "(" : "";
  for (size_t k = 0; k < all.size(); ++k)
    out += (k ? is_call(op) ? ", " : " " + sign(op) + " " : "") + all[k]->value;
  return is_call(op) ? out + ")" : out;
}

}  // namespace bscope

#include "app/words/counting.hpp"

namespace bscope {

std::string grouped(long long n) {
  std::string s = std::to_string(n < 0 ? -n : n);
  for (int at = int(s.size()) - 3; at > 0; at -= 3) s.insert(size_t(at), ",");
  return n < 0 ? "-" + s : s;
}

}  // namespace bscope

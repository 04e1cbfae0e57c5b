// Banks: the chosen step's requests to shared memory, and how the banks serve them.
#include "app/view/banks.hpp"

#include "app/panels/panel.hpp"
#include "app/panels/playback.hpp"

namespace bscope {
namespace {

void show(View& v, Box area) {
  area = show_playback(v, area);
  State& s = v.state;
  const auto touched =
      v.picture("banks", area,
                [&](float w, float h) {
                  return banks_view(*s.run, s.cursor, s.banks.request, v.theme, v.metrics, w, h);
                },
                {.extra = uint64_t(s.banks.request + 1), .framed = false});
  if (!touched.clicked) return;
  if (touched.clicked->what == Hit::line) {
    s.banks.request = touched.clicked->a;
    s.cursor.line = 0;  // its lines are requests, not source lines
  }
  if (touched.clicked->what == Hit::interval) s = to_step(std::move(s), touched.clicked->a);
}

const RegisterTab banks{{Tab::banks, later("Banks"), show}};

}  // namespace
}  // namespace bscope

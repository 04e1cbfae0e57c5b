// Whatever the page around a frame sends, it is obeyed or refused in words, and the answer says where the
// view is. How to run it: tests/fuzz/README.md.
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "app/links/host_message.hpp"
#include "app/session/state.hpp"
#include "engine/catalog/estimate.hpp"
#include "engine/trace/error.hpp"
#include "tests/at_once.hpp"

namespace {

using namespace bscope;

[[noreturn]] void fail(const std::string& what, const std::string& text) {
  std::fprintf(stderr, "%s: %s\n", what.c_str(), text.c_str());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  limit_memory(3e7);  // a run is quick
  const std::string text(reinterpret_cast<const char*>(data), size);
  static const LoadedState begun =
      with_link(LoadedState{}, "kernel=scan/blelloch&n=16&embed=watch", runs_at_once());
  try {
    const LoadedState s = obeyed(begun, parse_host_message(text), "watch", runs_at_once());
    if (!s.run) fail("no run is open", text);
    const auto told = nlohmann::json::parse(told_of(s, "step", "watch", ""));
    if (told["step"] < 0 || told["step"] >= told["of"])
      fail("the view is at no step (" + told.dump() + ")", text);
  } catch (const UsageError& e) {
    if (e.message().english().empty()) fail("it is refused without words", text);
  }
  return 0;
}

// What the fuzzer once found stays fixed; run with the sanitizers this is where it would show.
#include <gtest/gtest.h>

#include <filesystem>

#include "engine/analysis/report.hpp"
#include "engine/trace/file.hpp"
#include "tests/places.hpp"

namespace bscope {
namespace {

TEST(Corpus, IsReadAndAnalysed) {
  int read = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(BARRIERSCOPE_ROOT) / "tests/fuzz/corpus")) {
    SCOPED_TRACE(entry.path().string());
    const Trace t = load(entry.path());
    const Report r = analyse(t);
    EXPECT_FALSE(r.flow.intervals.empty());
    ++read;
  }
  EXPECT_GE(read, 4);
}

}  // namespace
}  // namespace bscope

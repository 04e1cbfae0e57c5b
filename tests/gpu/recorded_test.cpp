// The CPU's half of the comparison with a GPU: a real GPU's digests were recorded (tests/gpu/on_gpu.sh), and
// the CPU executor must still give the same.
#include <fnmatch.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/analysis/contention.hpp"
#include "engine/analysis/lost.hpp"
#include "engine/analysis/proof.hpp"
#include "engine/analysis/report.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/simt/problem.hpp"
#include "tests/gpu/cases.hpp"
#include "tests/gpu/counters.hpp"
#include "tests/gpu/words.hpp"
#include "tests/places.hpp"
#include "tests/sanitized.hpp"

namespace bscope::tests {
namespace {

#define BACKEND cpu
#define BACKEND_TRACE(c) run((c).algorithm(), (c).problem(), Device::cpu, {Schedule::to_barrier})
#define CHECK_THAT(ok, sentence) EXPECT_TRUE(ok) << (sentence)
#include "tests/gpu/backend_checks.inc"
#undef BACKEND
#undef BACKEND_TRACE
#undef CHECK_THAT

// The same body runs on the GPU in gpu_checks.
TEST(Backend, CpuHoldsWhatEveryBackendMust) {
  const auto cases = all_cases();
  ASSERT_GT(cases.size(), 300u);
  for (size_t k = 0; k < cases.size(); k += bscope::test::all_or_part(1, 5)) check_on_cpu(cases[k]);
  check_queues_on_cpu();
}

TEST(Backend, CasesSurviveTheirKeys) {
  for (const Case& c : all_cases()) EXPECT_EQ(parse_case(c.key()).key(), c.key());
}

TEST(Backend, AnEditedCommentDoesNotChangeADigestAndAnEditedStatementDoes) {
  const Trace t = words_on_cpu(31, 32);
  Trace moved = t, other = t;
  for (auto& e : moved.launches[0].blocks[0].events) e.line = uint16_t(e.line + 7);
  for (auto& e : other.launches[0].blocks[0].events)
    if (e.op == Op::add) {
      e.op = Op::sub;
      break;
    }
  const Agreement level = agreement(t);
  EXPECT_EQ(level, Agreement::atomics);
  EXPECT_EQ(comparable_digest(t, level), comparable_digest(moved, level));
  EXPECT_NE(comparable_digest(t, level), comparable_digest(other, level));
  EXPECT_EQ(first_difference(t, moved, level), "");
  EXPECT_NE(first_difference(t, other, level), "");
}

TEST(Backend, EveryAtomicIsReplayed) {
  std::set<Op> seen;
  for (int n : {1, 31, 1000})
    for (int block : {1, 33, 256}) {
      const Trace t = atomics_on_cpu(n, block);
      EXPECT_TRUE(t.findings.empty()) << atomics_key(n, block);
      const DataflowGraph flow = replay_trace(t);
      EXPECT_TRUE(flow.snapshots_match) << atomics_key(n, block);
      EXPECT_THAT(flow.faults, testing::IsEmpty()) << atomics_key(n, block);
      for (const BlockRun& b : t.launches.at(0).blocks)
        for (const Event& e : b.events)
          if (is_atomic(e.op)) seen.insert(e.op);
    }
  EXPECT_EQ(seen.size(), 12u) << "add, sub, min, max, and, or, xor, inc, dec, exch, cas met and not";
}

Trace recorded_run(const std::string& key) {
  const Case c = parse_case(key);
  if (c.kernel == "test/words") return words_on_cpu(c.n, c.block);
  if (c.kernel == "test/atomics") return atomics_on_cpu(c.n, c.block);
  return run(c.algorithm(), c.problem(), Device::cpu, {Schedule::to_barrier});
}

TEST(Recorded, CpuTracesEqualTheGpusRecordedOnes) {
  const std::string path = std::string(BARRIERSCOPE_ROOT) + "/tests/recorded/gpu.json";
  std::ifstream in(path);
  if (!in) GTEST_SKIP() << "no tests/recorded/gpu.json: run tests/gpu/on_gpu.sh on a machine that has a GPU";
  const auto record = nlohmann::json::parse(in);
  for (const char* key : {"device", "driver", "date"})
    EXPECT_FALSE(record.at(key).get<std::string>().empty());
  EXPECT_GT(record.at("digests").size(), 300u);
  int differ = 0, seen = 0;
  for (const auto& [key, digest] : record.at("digests").items()) {
    if (seen++ % bscope::test::all_or_part(1, 8)) continue;
    const Trace t = recorded_run(key);
    const std::string now = hex(comparable_digest(t, agreement(t)));
    if (now != digest.get<std::string>() && ++differ <= 20)
      ADD_FAILURE() << key << ": the CPU's digest is " << now << ", and a GPU gave "
                    << digest.get<std::string>();
  }
  EXPECT_EQ(differ, 0);
}

#ifndef NDEBUG
constexpr size_t one_in = 1000;  // looks at the smallest and the largest blocks only
#else
constexpr size_t one_in = 4;
#endif

// Some of the block sizes; with BARRIERSCOPE_EVERY_BLOCK in the environment, all (two minutes).
TEST(Recorded, EveryBlockSizeGivesTheGpusTrace) {
  if (bscope::test::sanitized) GTEST_SKIP() << "runs like those of the tests above";
  std::ifstream in(std::string(BARRIERSCOPE_ROOT) + "/tests/recorded/gpu.json");
  if (!in) GTEST_SKIP() << "no tests/recorded/gpu.json: run tests/gpu/on_gpu.sh on a machine that has a GPU";
  const auto record = nlohmann::json::parse(in);
  if (record.at("format") != "barrierscope.gpu-checks/2") GTEST_SKIP() << "the record is of an older format";
  EXPECT_FALSE(record.at("every_block").empty());
  for (const auto& [kernel, recorded] : record.at("every_block").items()) {
    const auto all = every_block(find(kernel));
    ASSERT_EQ(all.size(), recorded.at("digests").size()) << kernel;
    for (size_t some = 0; some < all.size(); ++some) {
      if (!std::getenv("BARRIERSCOPE_EVERY_BLOCK") && some > 1 && some + 1 < all.size() && some % one_in)
        continue;
      // Empty: not recorded since the kernel was fixed.
      const auto recorded_digest = recorded.at("digests")[some].get<std::string>();
      std::string digests;
      for (const Case& c : all[some]) {
        const Trace t = run(c.algorithm(), c.problem(), Device::cpu, {Schedule::to_barrier});
        EXPECT_TRUE(is_right(t) || kernel == "histogram/racy") << c.key() << ": both may agree and be wrong";
        digests += hex(comparable_digest(t, agreement(t)));
      }
      if (recorded_digest.empty()) continue;
      EXPECT_EQ(hex(hash_of(digests.c_str())), recorded_digest)
          << kernel << ", blocks of " << all[some].front().block << " to " << all[some].back().block;
    }
  }
}

// Nsight Compute counted what the trace of the same launch predicts, or tests/recorded/explained.json says
// why not.
TEST(Recorded, TracesPredictWhatTheHardwareCounted) {
  if (bscope::test::sanitized) GTEST_SKIP() << "numbers of runs that the tests above make, too";
  const std::string folder = std::string(BARRIERSCOPE_ROOT) + "/tests/recorded/";
  std::ifstream in(folder + "gpu.json"), why(folder + "explained.json");
  if (!in) GTEST_SKIP() << "no tests/recorded/gpu.json: run tests/gpu/on_gpu.sh on a machine that has a GPU";
  const auto record = nlohmann::json::parse(in);
  const auto explained = why ? nlohmann::json::parse(why) : nlohmann::json::array();
  auto matches = [](const nlohmann::json& e, const char* field, const std::string& text) {
    return !fnmatch(e.value(field, "*").c_str(), text.c_str(), 0);
  };
  auto is_explained = [&](const std::string& run, const std::string& counter, long predicted, long counted) {
    for (const auto& e : explained)
      if (e.contains("counter") && matches(e, "kernel", run.substr(0, run.find(' '))) &&
          matches(e, "counter", counter) && matches(e, "run", run) &&
          matches(e, "way", counted > predicted ? "more" : "less") &&
          double(std::abs(counted - predicted)) <=
              e.value("within", 1.0) * double(std::max(counted, predicted)))
        return true;
    return false;
  };
  if (!record.contains("counters")) GTEST_SKIP() << "the record holds no counters";
  const auto& counters = record.at("counters");
  ASSERT_EQ(counters.at("names").size(), counter_names.size());
  EXPECT_GT(counters.at("runs").size(), 50u);
  int numbers = 0;
  for (const auto& [key, launches] : counters.at("runs").items()) {
    const auto predicted = predicted_counts(recorded_run(key));
    ASSERT_EQ(predicted.size(), launches.size()) << key;
    for (size_t l = 0; l < predicted.size(); ++l)
      for (size_t k = 0; k < counter_names.size(); ++k) {
        const auto& counted = launches[l][4][k];
        if (counted.is_null()) continue;
        ++numbers;
        if (predicted[l].counts[k] != counted.get<long>() &&
            !is_explained(key, counter_names[k], predicted[l].counts[k], counted.get<long>()))
          ADD_FAILURE() << key << ", launch " << l << ", " << counter_names[k] << ": predicted "
                        << predicted[l].counts[k] << ", counted " << counted.get<long>();
      }
  }
  EXPECT_GT(numbers, 1000);
}

TEST(Recorded, EveryKernelWithAHandWrittenTwinWasTimedBesideIt) {
  std::ifstream in(std::string(BARRIERSCOPE_ROOT) + "/tests/recorded/gpu.json");
  if (!in) GTEST_SKIP() << "no tests/recorded/gpu.json: run tests/gpu/on_gpu.sh on a machine that has a GPU";
  const auto record = nlohmann::json::parse(in);
  const auto& ratios = record.at("untraced_over_raw");
  EXPECT_FALSE(ratios.empty());
  for (const Algorithm* a : catalog()) {
    // mistakes are not to be copied, patterns not to be raced: neither has a twin
    if (a->family() == "mistakes" || a->family() == "patterns") continue;
    if (record.at("format") != "barrierscope.gpu-checks/2") continue;
    bool left_out = false;  // and said so
    for (const auto& sentence : record.at("left_out"))
      left_out |= sentence.get<std::string>().starts_with(a->name + ", beside its twin:");
    EXPECT_TRUE(left_out || ratios.contains(a->name)) << a->name << " was not timed";
  }
  for (const auto& [kernel, ratio] : ratios.items()) {
    EXPECT_LE(ratio.at("min").get<double>(), ratio.at("max").get<double>()) << kernel;
    EXPECT_GT(ratio.at("median").get<double>(), 0.5) << kernel;
    EXPECT_LT(ratio.at("median").get<double>(), 1.5) << kernel;
  }
}

}  // namespace
}  // namespace bscope::tests

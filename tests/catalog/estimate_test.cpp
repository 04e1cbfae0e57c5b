// What a run will take is known before anything of it is made, whatever the length; and the length that a
// refusal names does go.
#include "engine/catalog/estimate.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <new>
#include <random>
#include <regex>

#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/simt/faults.hpp"
#include "engine/simt/problem.hpp"
#include "engine/trace/error.hpp"
#include "tests/sanitized.hpp"

namespace bscope::test {
namespace {

using testing::HasSubstr;

/// A limit for one test.
class Limit {
 public:
  explicit Limit(double bytes) : before_(memory_limit()) { limit_memory(bytes); }
  ~Limit() { limit_memory(before_); }
  Limit(const Limit&) = delete;

 private:
  double before_;
};

/// What a refusal says; empty if the request goes.
std::string refused_estimate(const RunSpec& r) {
  try {
    make_problem(find(r.kernel), r);
    return {};
  } catch (const UsageError& e) { return e.what(); }
}
/// The length that it names; 0: none.
long long named(const std::string& sentence) {
  std::smatch found;
  return std::regex_search(sentence, found, std::regex("use at most --n ([0-9]+),")) ? std::stoll(found[1])
                                                                                     : 0;
}

TEST(Estimate, EveryKernelGoesOrIsRefusedWithALengthThatGoes) {
  const Limit limit(8e6);
  for (const Algorithm* a : catalog())
    for (const int power : test::all_or_part<std::vector<int>>({0, 9, 14, 31, 40, 62}, {0, 14, 62})) {
      SCOPED_TRACE(a->name + " 2^" + std::to_string(power));
      RunSpec r;
      r.kernel = a->name;
      r.n = 1ll << power;
      const std::string sentence = refused_estimate(r);
      if (sentence.empty()) {
        EXPECT_LE(power, 14);
        continue;
      }
      if (power == 0) {
        EXPECT_THAT(sentence, HasSubstr("with one element needs about"));
        break;
      }
      const long long most = named(sentence);
      if (!most) {  // a tile is too large already
        EXPECT_THAT(sentence, HasSubstr("with one element needs about"));
        break;
      }
      EXPECT_LT(most, *r.n);
      r.n = most;
      EXPECT_EQ(refused_estimate(r), "");
    }
}

TEST(Estimate, NothingIsMadeBeforeARefusal) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer takes all addresses for itself";
#else
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
  GTEST_SKIP() << "a sanitizer takes all addresses for itself";
#endif
#endif
  const pid_t child = fork();
  if (child == 0) {
    long pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    // stacks of eight blocks of 1024 threads are mapped, but not taken
    const rlim_t most = rlim_t(pages) * 4096 + (rlim_t(2400) << 20);
    const rlimit bytes{most, most};
    if (setrlimit(RLIMIT_AS, &bytes)) _exit(3);
    try {
      for (const char* kernel :
           {"scan/blelloch", "reduce/grid-stride", "histogram/serial", "scan/look-back"}) {
        RunSpec r;
        r.kernel = kernel;
        r.n = 1ll << 62;
        if (!named(refused_estimate(r))) _exit(1);
      }
    } catch (const std::bad_alloc&) { _exit(2); }
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    _exit(used.ru_maxrss > (pages * 4) + (400 << 10) ? 4 : 0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 0) << "1: not refused, 2: no memory, 4: more than 400 MB were taken";
#endif
}

TEST(Estimate, IsMoreThanARunMakesAndNotMuchMore) {
  std::mt19937 random(20260712);
  const auto pick = [&](const auto& all) { return all[random() % all.size()]; };
  double ratios = 0;
  int judged = 0;
  for (int k = 0; k < 120; ++k) {
    const Algorithm& a = *pick(catalog());
    RunSpec r;
    r.kernel = a.name;
    r.n = 1 + (long long)(random() % (random() % 4 ? 600 : 12000));
    if (random() % 3) r.block = pick(legal_blocks(a));
    r.seed = random();
    const std::vector<std::string> patterns{"ones", "ramp", "random", "sine", "skewed"};
    r.pattern = pick(patterns);
    for (const Parameter& p : a.parameters)
      if (p.values.size() > 1 && p.name != "operator") r.set.emplace_back(p.name, pick(p.values).text);
    SCOPED_TRACE(a.name + " n " + std::to_string(*r.n) + " block " + std::to_string(r.block.value_or(0)) +
                 " " + r.pattern + [&] {
                   std::string s;
                   for (const auto& [name, value] : r.set) s += " " + name + "=" + value;
                   return s;
                 }());
    const std::string refused = refused_estimate(r);
    if (!refused.empty()) {
      EXPECT_TRUE(named(refused)) << refused;
      continue;
    }
    const Problem p = make_problem(a, r);
    const double expected = expected_cost(a, p).events;
    if (expected > 400'000) continue;
    const Trace t = run(a, p, Device::cpu);
    const auto made = double(t.events());
    EXPECT_GE(expected, made);
    if (!t.findings.empty()) continue;  // what waits for ever ends early
    EXPECT_LE(expected, 4 * made + 2000);
    ratios += expected / made;
    ++judged;
  }
  ASSERT_GT(judged, 60);
  EXPECT_LT(ratios / judged, 1.5);
}

TEST(Estimate, ALongRunIsNoFault) {
  // 400,000 keys: one thread, no barrier, nothing but progress, and more events than a launch may make at
  // first
  const Algorithm& a = find("histogram/serial");
  RunSpec r;
  r.kernel = a.name;
  r.n = 40'000;
  const Problem p = make_problem(a, r);
  Schedule s;
  s.kind = Schedule::to_barrier;
  s.most_events = 20'000;
  const Trace t = run(a, p, Device::cpu, s);
  EXPECT_TRUE(t.findings.empty());
  EXPECT_GT(t.events(), 20'000u);
}

TEST(Estimate, NumbersThatAreGivenAreJudgedToo) {
  const Limit limit(4e6);
  RunSpec r;
  r.kernel = "scan/kogge-stone";
  r.block = 32;
  r.values = std::vector<double>(5000, 1.0);
  const long long most = named(refused_estimate(r));
  ASSERT_GT(most, 0);
  r.values->resize(size_t(most));
  EXPECT_EQ(refused_estimate(r), "");
}

TEST(Estimate, SizesAreSaidInUnitsThatFit) {
  EXPECT_EQ(memory_text(1), "1 byte");
  EXPECT_EQ(memory_text(999), "999 bytes");
  EXPECT_EQ(memory_text(1000), "1 KB");
  EXPECT_EQ(memory_text(1.55e6), "1.6 MB");
  EXPECT_EQ(memory_text(2e9), "2 GB");
  EXPECT_EQ(memory_text(9.999e11), "1 TB");
  EXPECT_EQ(memory_text(3e26), "300 YB");
}

}  // namespace
}  // namespace bscope::test

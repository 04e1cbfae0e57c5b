#include "engine/timing/kinds.hpp"

#include <gtest/gtest.h>

namespace bscope {
namespace {

Record record_of(const std::string& kernel, std::map<std::string, std::string> parameters = {},
                 int gpus = 1) {
  Record r;
  r.kernel = kernel;
  r.parameters = std::move(parameters);
  r.gpus = gpus;
  return r;
}

TEST(Kinds, LimitsAndReferencesAreTold) {
  EXPECT_TRUE(is_limit(record_of("copy/scan")) && is_limit(record_of("read/histogram")));
  EXPECT_TRUE(is_reference(record_of("cub/scan")) && is_reference(record_of("thrust/reduce")));
  for (const char* kernel : {"scan/blelloch", "serial/scan", "tbb/reduce"}) {
    EXPECT_FALSE(is_limit(record_of(kernel))) << kernel;
    EXPECT_FALSE(is_reference(record_of(kernel))) << kernel;
  }
  EXPECT_TRUE(is_of_cpu({"A CPU", "8 threads", ""}) && is_of_cpu({"A CPU", "1 thread", ""}));
  EXPECT_FALSE(is_of_cpu({"A GPU", "580.1", ""}));
}

TEST(Kinds, KeysAreNamedByWhatWasAsked) {
  EXPECT_EQ(keys_of(record_of("histogram/racy")), "uniform");
  EXPECT_EQ(keys_of(record_of("scan/blelloch", {{"pattern", "sine"}})), "uniform");
  EXPECT_EQ(keys_of(record_of("histogram/racy", {{"pattern", "entropy"}, {"entropy", "1"}})), "uniform");
  EXPECT_EQ(keys_of(record_of("histogram/racy", {{"pattern", "entropy"}, {"entropy", "0.337"}})),
            "entropy 0.337");
  EXPECT_EQ(keys_of(record_of("histogram/racy", {{"pattern", "entropy"}, {"entropy", "0"}})), "one key");
  EXPECT_EQ(keys_of(record_of("histogram/racy", {{"skew", "0"}})), "uniform");
  EXPECT_EQ(keys_of(record_of("histogram/racy", {{"skew", "0.5"}})), "skew 0.5");
  EXPECT_EQ(keys_of(record_of("histogram/racy", {{"skew", "1"}})), "one key");
  EXPECT_EQ(keys_of(record_of("histogram/racy", {{"pattern", "zipf"}})), "zipf");
  EXPECT_EQ(keys_of(record_of("reduce/shared", {{"pattern", "ones"}})), "uniform") << "a sum has no keys";
}

TEST(Kinds, TheOrderGoesFromUniformToOneKey) {
  const char* order[] = {"uniform", "zipf", "entropy 0.811", "skew 0.5", "entropy 0.201", "one key"};
  for (size_t k = 1; k < std::size(order); ++k)
    EXPECT_LT(unevenness(order[k - 1]), unevenness(order[k])) << order[k];
}

TEST(Kinds, DevicesAreCalledShortly) {
  EXPECT_EQ(short_device("NVIDIA H100 80GB HBM3"), "H100");
  EXPECT_EQ(short_device("NVIDIA H200"), "H200");
  EXPECT_EQ(short_device("NVIDIA A100-SXM4-80GB"), "A100-SXM4-80GB");
}

TEST(Kinds, ACurveOverNIsOfTheUsual) {
  EXPECT_TRUE(is_usual(record_of("scan/blelloch", {{"block", "256"}})));
  EXPECT_FALSE(is_usual(record_of("scan/hierarchical", {}, 2)));
  EXPECT_FALSE(is_usual(record_of("scan/hierarchical", {{"exchange", "nccl"}})))
      << "one GPU of the several's series";
  EXPECT_FALSE(is_usual(record_of("histogram/racy", {{"skew", "0.5"}})));
}

}  // namespace
}  // namespace bscope

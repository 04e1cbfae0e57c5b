// What a launch must keep to, in one list.
#include "engine/cuda/machine/launch_rules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bscope::cuda {
namespace {

using testing::HasSubstr;

struct Case {
  Extent grid, block;
  uint64_t fixed_shared, dynamic_shared, most_dynamic_shared;
  BrokenRule::Error error;
  const char* says;
};

TEST(LaunchRules, NameWhatIsBroken) {
  ir::Function kernel;
  kernel.source_name = "sum";
  kernel.launch_bound = 512;
  using enum BrokenRule::Error;
  constexpr uint64_t kb = 1024, any = UINT64_MAX;
  const Case cases[] = {
      {{1},
       {0},
       0,
       0,
       any,
       invalid_configuration,
       "asks for blocks of 0 threads: each number must be at least 1."},
      {{1, 0},
       {1},
       0,
       0,
       any,
       invalid_configuration,
       "a grid of 1 x 0 blocks: each number must be at least 1."},
      {{1},
       {32, 33},
       0,
       0,
       any,
       invalid_configuration,
       "blocks of 32 x 33 threads: a block has at most 1024."},
      {{1}, {513}, 0, 0, any, invalid_value, "blocks of 513 threads: its __launch_bounds__ allows 512."},
      {{1},
       {1, 1, 65},
       0,
       0,
       any,
       invalid_configuration,
       "1 x 1 x 65 threads: the third number is at most 64."},
      {{1, 65536}, {1}, 0, 0, any, invalid_configuration, "the second and third number are at most 65535."},
      {{1u << 31}, {1}, 0, 0, any, invalid_configuration, "there can be at most 2147483647."},
      {{65535, 65535}, {1}, 0, 0, any, invalid_configuration, "there can be at most 2147483647."},
      {{1}, {1}, 49 * kb, 0, any, not_compiled, "The kernel sum declares 49 KB of shared memory"},
      {{1},
       {1},
       0,
       50 * kb,
       48 * kb,
       invalid_value,
       "asks for 50 KB of dynamic shared memory: 48 KB at most"},
      {{1},
       {1},
       40 * kb,
       200 * kb,
       any,
       invalid_configuration,
       "needs 245760 bytes of shared memory a block, which has 232448."},
  };
  for (const Case& c : cases) {
    const auto rule = broken_rule({.kernel = &kernel,
                                   .grid = c.grid,
                                   .block = c.block,
                                   .dynamic_shared = c.dynamic_shared,
                                   .most_dynamic_shared = c.most_dynamic_shared},
                                  c.fixed_shared);
    ASSERT_TRUE(rule) << c.says;
    EXPECT_EQ(rule->error, c.error) << c.says;
    EXPECT_THAT(rule->message.english(), HasSubstr(c.says));
  }
}

TEST(LaunchRules, HoldCooperativeGridsToWhatFitsAtOnce) {
  ir::Function kernel;
  EXPECT_EQ(resident_blocks(256, 0), 8u);
  EXPECT_EQ(resident_blocks(33, 0), 32u);
  EXPECT_EQ(resident_blocks(32, 40u << 10), 2u);
  LaunchRequest r{.kernel = &kernel, .grid = {16}, .block = {256}, .cooperative = true};
  EXPECT_FALSE(broken_rule(r, 0));
  r.grid.x = 17;
  const auto rule = broken_rule(r, 0);
  ASSERT_TRUE(rule);
  EXPECT_EQ(rule->error, BrokenRule::cooperative_too_large);
  EXPECT_THAT(rule->message.english(), HasSubstr("asks for 17 blocks, and 16 fit at once"));
  EXPECT_FALSE(rule->help.empty());
}

TEST(LaunchRules, LetWhatIsAtTheLimitsRun) {
  ir::Function kernel;
  for (const Extent block : {Extent{1024}, Extent{16, 1, 64}})
    for (const Extent grid : {Extent{INT32_MAX}, Extent{1, 65535, 1}, Extent{1, 1, 65535}})
      EXPECT_FALSE(broken_rule(
          {.kernel = &kernel, .grid = grid, .block = block, .dynamic_shared = 179u << 10}, 48u << 10));
}

}  // namespace
}  // namespace bscope::cuda

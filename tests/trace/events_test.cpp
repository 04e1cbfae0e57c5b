// The table of events: what the predicates answer.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

std::set<std::string> names_of(bool (*predicate)(Op)) {
  std::set<std::string> names;
  for (int k = 0; k < op_count; ++k)
    if (predicate(Op(k))) names.insert(name_of(Op(k)));
  return names;
}

// Numbers are stored in trace files.
TEST(Events, KeepTheirNumbers) {
  EXPECT_EQ(int(Op::load), 0);
  EXPECT_EQ(int(Op::sync), 8);
  EXPECT_EQ(int(Op::constant), 21);
  EXPECT_EQ(int(Op::bulk_read), 42);
  EXPECT_EQ(int(Op::load_volatile), 53);
  EXPECT_EQ(int(Op::sync_grid), 66);
  EXPECT_EQ(int(Op::store_relaxed), 68);
  EXPECT_EQ(int(Op::store_async), 71);
  EXPECT_EQ(op_count, 72);
}

TEST(Events, ThatTouchACellReadOrWriteIt) {
  for (int k = 0; k < op_count; ++k) {
    EXPECT_EQ(touches(Op(k)), reads(Op(k)) || writes(Op(k))) << name_of(Op(k));
    if (is_atomic(Op(k))) EXPECT_TRUE(reads(Op(k))) << name_of(Op(k));
    if (is_atomic(Op(k))) EXPECT_EQ(writes(Op(k)), Op(k) != Op::atomic_cas_failed) << name_of(Op(k));
  }
}

TEST(Events, AreOfTheirGroup) {
  EXPECT_EQ(names_of(is_barrier), (std::set<std::string>{"sync", "sync_grid"}));
  EXPECT_EQ(names_of(is_load), (std::set<std::string>{"load", "load_volatile"}));
  EXPECT_EQ(names_of(is_store), (std::set<std::string>{"store", "store_async", "store_volatile"}));
  EXPECT_EQ(names_of(is_bulk), (std::set<std::string>{"bulk_read", "bulk_write"}));
  EXPECT_EQ(names_of(of_mbarrier), (std::set<std::string>{"arrive", "await", "complete"}));
  EXPECT_EQ(names_of(orders_copies), (std::set<std::string>{"await_bulk", "await_bulk_read", "commit",
                                                            "copy_arrives", "copy_async", "fence_async"}));
  EXPECT_TRUE(makes_a_value(Op::constant));
  EXPECT_TRUE(makes_a_value(Op::shuffle));
  EXPECT_FALSE(makes_a_value(Op::branch));
  EXPECT_FALSE(makes_a_value(Op::bulk_read));
}

// A file may hold any number.
TEST(Events, OfUnknownNumbersAreNothing) {
  for (int k = op_count; k < 256; ++k) {
    EXPECT_FALSE(touches(Op(k)) || is_barrier(Op(k)) || computes(Op(k)) || makes_a_value(Op(k)));
    EXPECT_STREQ(name_of(Op(k)), "unknown");
  }
}

}  // namespace
}  // namespace bscope

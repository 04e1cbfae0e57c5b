// Programs of several files: what one file's device code has, the others' kernels and hosts may name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "engine/cuda/machine/machine.hpp"

namespace bscope::cuda {
namespace {

const std::string kernel =
    "define void @k(ptr %0) {\n"
    "  %2 = load i32, ptr addrspacecast (ptr addrspace(1) @total to ptr), align 4\n"
    "  %3 = call i32 @twice(i32 %2)\n"
    "  store i32 %3, ptr %0, align 4\n"
    "  ret void\n}\n";
const std::string names_it =
    "@total = external addrspace(1) global i32, align 4\ndeclare i32 @twice(i32)\n" + kernel;
const std::string has_it =
    "@total = dso_local addrspace(1) externally_initialized global i32 21, align 4\n"
    "define i32 @twice(i32 %0) {\n  %2 = add i32 %0, %0\n  ret i32 %2\n}\n";
const std::string keeps_its_own =
    "@total = internal addrspace(1) global i32 1, align 4\n"
    "define i32 @twice(i32 %0) {\n  %2 = add i32 %0, %0\n  ret i32 %2\n}\n" +
    kernel;

/// What the kernel of that module writes.
int result_of(Machine& m, int module) {
  const uint64_t out = m.allocate(sizeof(int), Placement::device);
  uint64_t given = out;
  void* arguments[] = {&given};
  const LaunchOutcome o =
      m.launch({.kernel = m.kernel(module, "k"), .grid = {}, .block = {}, .arguments = arguments});
  EXPECT_EQ(o.message.english(), "");
  int value = 0;
  std::memcpy(&value, m.read(*m.at(out).memory, 0, sizeof value).data(), sizeof value);
  return value;
}

TEST(Modules, ShareVariablesAndFunctionsInEitherOrder) {
  for (const bool definition_first : {false, true}) {
    Machine m;
    m.load(definition_first ? has_it : names_it, {});
    m.load(definition_first ? names_it : has_it, {});
    EXPECT_EQ(result_of(m, definition_first ? 1 : 0), 42);
    Memory* const total = m.shared_variable("total");
    ASSERT_NE(total, nullptr);
    EXPECT_EQ(total, m.variable(definition_first ? 0 : 1, "total"));
    const int seven = 7;
    m.write(*total, 0, std::as_bytes(std::span(&seven, 1)), "cudaMemcpyToSymbol");
    EXPECT_EQ(result_of(m, definition_first ? 1 : 0), 14);
  }
}

TEST(Modules, KeepWhatIsTheirOwn) {
  Machine m;
  m.load(has_it, {});
  m.load(keeps_its_own, {});
  EXPECT_EQ(result_of(m, 1), 2);
  m.load(has_it, {});  // nvcc, too, lets each file have one of that name
  EXPECT_NE(m.variable(2, "total"), m.variable(0, "total"));
  EXPECT_EQ(m.shared_variable("total"), m.variable(0, "total"));
}

TEST(Modules, WhatNobodyHasIsToldWhereItIsTouched) {
  Machine m;
  m.load(names_it, {});
  EXPECT_EQ(m.shared_variable("total"), nullptr);
  const uint64_t out = m.allocate(sizeof(int), Placement::device);
  uint64_t given = out;
  void* arguments[] = {&given};
  const LaunchOutcome o =
      m.launch({.kernel = m.kernel(0, "k"), .grid = {}, .block = {}, .arguments = arguments});
  EXPECT_EQ(o.code, LaunchOutcome::fault);
  EXPECT_THAT(o.message.english(), testing::HasSubstr("reads total"));
}

}  // namespace
}  // namespace bscope::cuda

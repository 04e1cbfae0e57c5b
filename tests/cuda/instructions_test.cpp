// The table of instructions: what one row says is what the reader, the interpreter and native code do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>

#include "engine/trace/file.hpp"
#include "tests/cuda/machine_support.hpp"

namespace bscope::cuda {
namespace {

using ir::Form;

constexpr int threads = 64, values = 8;

/// A kernel that applies instructions to the numbers of its thread, and stores each result as 64 bits. It has
/// operands %a32, %b32, %c32 (i32), %a64 (i64), %a8 (i8), %aF (float), %aD (double) and so on.
class KernelText {
 public:
  KernelText() {
    load("32", "i32", 0);
    load("64", "i64", 1);
    load("F", "float", 2);
    load("D", "double", 3);
    for (const std::string operand : {"a", "b", "c"})
      add("%" + operand + "8 = trunc i32 %" + operand + "32 to i8");
    add("%aP = inttoptr i64 %a64 to ptr");
  }
  /// Result and operands in LLVM's text: "%r = add i32 %a32, %b32", without what stands before "=".
  void apply(const std::string& instruction, const std::string& result) {
    const std::string n = std::to_string(instructions_.size());
    instructions_.push_back(instruction);
    add("%r" + n + " = " + instruction);
    std::string value = "%r" + n;
    if (result.starts_with("{")) {
      add("%f" + n + " = extractvalue " + result + " " + value + ", 1");
      value = as_64_bits("%f" + n, "i1", "o" + n);
      add("%v" + n + " = extractvalue " + result + " %r" + n + ", 0");
      const std::string type = result.substr(2, result.find(',') - 2);
      const std::string both = as_64_bits("%v" + n, type, "w" + n);
      add("%s" + n + " = shl i64 " + value + ", 8");
      add("%x" + n + " = xor i64 %s" + n + ", " + both);
      value = "%x" + n;
    } else {
      value = as_64_bits(value, result, "o" + n);
    }
    const int first = int(instructions_.size() - 1) * threads;
    add("%i" + n + " = add i64 %i, " + std::to_string(first));
    add("%p" + n + " = getelementptr i64, ptr %4, i64 %i" + n);
    add("store i64 " + value + ", ptr %p" + n + ", align 8");
  }
  const std::vector<std::string>& instructions() const { return instructions_; }
  std::string text() const {
    return "define void @applies(ptr %0, ptr %1, ptr %2, ptr %3, ptr %4) {\n" + body_ + "  ret void\n}\n";
  }

 private:
  void add(const std::string& line) { body_ += "  " + line + "\n"; }
  void load(const std::string& name, const std::string& type, int array) {
    if (array == 0) {
      add("%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()");
      add("%i = sext i32 %t to i64");
    }
    int first = 0;
    for (const std::string operand : {"a", "b", "c"}) {
      const std::string value = operand + name;
      add("%i" + value + " = add i64 %i, " + std::to_string(first));
      add("%p" + value + " = getelementptr " + type + ", ptr %" + std::to_string(array) + ", i64 %i" + value);
      add("%" + value + " = load " + type + ", ptr %p" + value + ", align 8");
      first += threads;
    }
  }
  std::string as_64_bits(const std::string& value, const std::string& type, const std::string& name) {
    if (type == "i64") return value;
    if (type == "ptr") {
      add("%" + name + " = ptrtoint ptr " + value + " to i64");
    } else if (type == "double") {
      add("%" + name + " = bitcast double " + value + " to i64");
    } else if (type == "float") {
      add("%" + name + "f = bitcast float " + value + " to i32");
      add("%" + name + " = zext i32 %" + name + "f to i64");
    } else {
      add("%" + name + " = zext " + type + " " + value + " to i64");
    }
    return "%" + name;
  }

  std::string body_;
  std::vector<std::string> instructions_;
};

struct OperandType {
  std::string type, suffix;
};
const std::vector<OperandType> integers = {{"i32", "32"}, {"i64", "64"}, {"i8", "8"}};
const std::vector<OperandType> floats = {{"float", "F"}, {"double", "D"}};

/// What a cast is tried with; a cast without such types fails the test.
const std::map<std::string_view, std::pair<OperandType, std::string>> cast_types = {
    {"trunc", {{"i64", "64"}, "i32"}},       {"zext", {{"i8", "8"}, "i64"}},
    {"sext", {{"i32", "32"}, "i64"}},        {"fptrunc", {{"double", "D"}, "float"}},
    {"fpext", {{"float", "F"}, "double"}},   {"fptoui", {{"double", "D"}, "i32"}},
    {"fptosi", {{"float", "F"}, "i64"}},     {"uitofp", {{"i64", "64"}, "float"}},
    {"sitofp", {{"i32", "32"}, "double"}},   {"bitcast", {{"float", "F"}, "i32"}},
    {"inttoptr", {{"i64", "64"}, "ptr"}},    {"ptrtoint", {{"ptr", "P"}, "i64"}},
    {"addrspacecast", {{"ptr", "P"}, "ptr"}}};

void apply_call(KernelText& k, const ir::ComputeInstruction& row, const OperandType& t) {
  const std::string result = row.form == Form::overflow ? "{ " + t.type + ", i1 }" : t.type;
  std::string call = "call " + result + " @" + std::string(row.name) + "." + t.type + "(";
  for (int n = 0; n < operands_of(row.form); ++n)
    call += (n ? ", " : "") + t.type + " %" + std::string(1, "abc"[n]) + t.suffix;
  k.apply(call + ")", result);
}

void apply_row(KernelText& k, const ir::ComputeInstruction& row) {
  const std::string name(row.name);
  if (is_intrinsic(row.form)) {
    for (const OperandType& t : integers) apply_call(k, row, t);
    return;
  }
  if (row.form == Form::cast) {
    const auto types = cast_types.find(row.name);
    ASSERT_NE(types, cast_types.end()) << "the test knows no types for " << name;
    const auto& [from, to] = types->second;
    return k.apply(name + " " + from.type + " %a" + from.suffix + " to " + to, to);
  }
  const bool of_floats =
      row.form == Form::floating || row.form == Form::fcmp || row.kind == ir::EventKind::floating_point;
  for (const OperandType& t : of_floats ? floats : integers) {
    const std::string a = name + " " + t.type + " %a" + t.suffix, b = ", %b" + t.suffix;
    k.apply(row.form == Form::unary ? a : a + b, is_comparison(row.form) ? "i1" : t.type);
  }
}

/// A machine that has run such a kernel, and what the kernel left.
class Applied {
 public:
  enum Execution : uint8_t { shown, unseen, natively };
  Applied(const KernelText& k, Execution how)
      : machine(how == shown ? Limits{} : Limits{.launch_events = 1, .native_after = 0}, Schedule{}) {
    machine.load(k.text(), {});
    if (how == natively) machine.compile_with(compiler_here(asked));
    const std::vector<int32_t> words = {0, 1, -1, INT32_MIN, INT32_MAX, 37, -101, 0x12345678};
    const std::vector<int64_t> longs = {0, 1, -1, INT64_MIN, INT64_MAX, 1234567890123, -7, 1 << 20};
    const std::vector<float> singles = {0,
                                        -0.0f,
                                        1.5f,
                                        -2.25f,
                                        std::numeric_limits<float>::quiet_NaN(),
                                        std::numeric_limits<float>::infinity(),
                                        3e30f,
                                        1e-40f};
    const std::vector<double> doubles = {0,
                                         -0.0,
                                         7.75,
                                         -1e10,
                                         std::numeric_limits<double>::quiet_NaN(),
                                         -std::numeric_limits<double>::infinity(),
                                         3e300,
                                         5e-320};
    const uint64_t a = array(words), b = array(longs), c = array(singles), d = array(doubles);
    const size_t n = k.instructions().size() * threads + 1;  // no allocation is empty
    const uint64_t out = allocate(std::vector<uint64_t>(n));
    uint64_t given[] = {a, b, c, d, out};
    void* arguments[] = {&given[0], &given[1], &given[2], &given[3], &given[4]};
    const LaunchOutcome outcome =
        machine.launch({.kernel = machine.kernel(0, "applies"), .block = {threads}, .arguments = arguments});
    EXPECT_EQ(outcome.message.english(), "");
    results.resize(n);
    const auto bytes = machine.read(*machine.at(out).memory, 0, n * sizeof(uint64_t));
    std::memcpy(results.data(), bytes.data(), bytes.size());
  }
  /// The result of the n-th instruction for the thread that has these values.
  uint64_t result(size_t n, int a, int b) const { return results[n * threads + size_t(b * values + a)]; }

  Machine machine;
  int asked = 0;
  std::vector<uint64_t> results;

 private:
  template <class T>
  uint64_t allocate(const std::vector<T>& content) {
    const uint64_t address = machine.allocate(content.size() * sizeof(T), Placement::device);
    machine.write(*machine.at(address).memory, 0, std::as_bytes(std::span(content)), "cudaMemcpy");
    return address;
  }
  /// The first, second and third operands of all threads: each pair of values, and some third.
  template <class T>
  uint64_t array(const std::vector<T>& of) {
    std::vector<T> all;
    for (int t = 0; t < threads; ++t) all.push_back(of[size_t(t % values)]);
    for (int t = 0; t < threads; ++t) all.push_back(of[size_t(t / values)]);
    for (int t = 0; t < threads; ++t) all.push_back(of[size_t((t * 5 + 3) % values)]);
    return allocate(all);
  }
};

/// A row that is added to the table is tried here, too: nothing but the table names it.
TEST(Instructions, OfEachRowAllDoTheSame) {
  KernelText k;
  for (const ir::ComputeInstruction& row : ir::compute_instructions) apply_row(k, row);
  Applied shown(k, Applied::shown), unseen(k, Applied::unseen), native(k, Applied::natively);
  EXPECT_FALSE(shown.machine.launches().back().natively);
  EXPECT_TRUE(native.machine.launches().back().natively);
  for (size_t n = 0; n < k.instructions().size(); ++n)
    for (int t = 0; t < threads; ++t) {
      const size_t at = n * threads + size_t(t);
      ASSERT_EQ(shown.results[at], unseen.results[at]) << k.instructions()[n] << " of thread " << t;
      ASSERT_EQ(shown.results[at], native.results[at]) << k.instructions()[n] << " of thread " << t;
    }
  Trace trace = shown.machine.trace("test", [](const std::string&) { return Source{}; });
  validate(trace);
  EXPECT_TRUE(replay_trace(trace).snapshots_match);
}

TEST(Instructions, LogTheEventOfTheirRow) {
  for (const ir::ComputeInstruction& row : ir::compute_instructions) {
    if (row.event == ir::no_event || row.kind == ir::EventKind::truncated) continue;
    KernelText without, with;
    apply_row(with, row);
    const auto events_of = [&](const KernelText& k) {
      Applied shown(k, Applied::shown);
      const Trace t = shown.machine.trace("test", [](const std::string&) { return Source{}; });
      return std::ranges::count(t.launches.at(0).blocks.at(0).events, row.event, &Event::op);
    };
    EXPECT_GT(events_of(with), events_of(without)) << row.name;
  }
}

/// An instruction that has nothing but its row: 1 plus the greatest number stays the greatest.
TEST(Instructions, SaturatingSumsStopAtTheEnds) {
  KernelText k;
  k.apply("call i32 @llvm.sadd.sat.i32(i32 %a32, i32 %b32)", "i32");
  k.apply("call i32 @llvm.uadd.sat.i32(i32 %a32, i32 %b32)", "i32");
  k.apply("call i64 @llvm.ssub.sat.i64(i64 %a64, i64 %b64)", "i64");
  k.apply("call i8 @llvm.usub.sat.i8(i8 %a8, i8 %b8)", "i8");
  enum : uint8_t { zero, one, minus_one, least, greatest };
  for (const auto how : {Applied::shown, Applied::unseen, Applied::natively}) {
    const Applied applied(k, how);
    EXPECT_EQ(applied.result(0, greatest, one), uint64_t(INT32_MAX));
    EXPECT_EQ(applied.result(0, least, minus_one), uint64_t(uint32_t(INT32_MIN)));
    EXPECT_EQ(applied.result(0, least, one), uint64_t(uint32_t(INT32_MIN + 1)));
    EXPECT_EQ(applied.result(1, minus_one, one), uint64_t(UINT32_MAX));
    EXPECT_EQ(applied.result(1, greatest, one), uint64_t(1) << 31);
    EXPECT_EQ(applied.result(2, least, one), uint64_t(INT64_MIN));
    EXPECT_EQ(applied.result(2, greatest, minus_one), uint64_t(INT64_MAX));
    EXPECT_EQ(applied.result(3, zero, one), 0u);
    EXPECT_EQ(applied.result(3, minus_one, one), 254u);
  }
}

/// What isnan and its like are: numbers of each class, by the bits of LLVM's FPClassTest.
TEST(Instructions, NumbersAreOfOneClass) {
  const std::vector<int> masks = {3, 4, 8, 16, 32, 64, 128, 256, 512};
  KernelText k;
  for (const auto& [type, operand] : {std::pair("f32(float", "%aF"), std::pair("f64(double", "%aD")})
    for (const int mask : masks)
      k.apply("call i1 @llvm.is.fpclass." + std::string(type) + " " + operand + ", i32 " +
                  std::to_string(mask) + ")",
              "i1");
  const std::vector<int> singles = {64, 32, 256, 8, 3, 512, 256, 128},
                         doubles = {64, 32, 256, 8, 3, 4, 256, 128};
  for (const auto how : {Applied::shown, Applied::unseen, Applied::natively}) {
    const Applied applied(k, how);
    for (size_t m = 0; m < masks.size(); ++m)
      for (size_t v = 0; v < values; ++v) {
        EXPECT_EQ(applied.result(m, int(v), 0), uint64_t(masks[m] == singles[v])) << masks[m] << ' ' << v;
        EXPECT_EQ(applied.result(m + masks.size(), int(v), 0), uint64_t(masks[m] == doubles[v]))
            << masks[m] << ' ' << v;
      }
  }
}

TEST(Instructions, HaveOneRowEach) {
  for (const ir::ComputeInstruction& row : ir::compute_instructions) {
    EXPECT_EQ(std::ranges::count(ir::compute_instructions, row.name, &ir::ComputeInstruction::name), 1)
        << row.name;
    const std::string called = std::string(row.name) + ".i32";
    EXPECT_EQ(is_intrinsic(row.form) ? ir::intrinsic_named(called) : ir::compute_named(row.name), &row);
  }
  EXPECT_EQ(ir::intrinsic_named("llvm.smin"), nullptr);
  EXPECT_EQ(ir::intrinsic_named("llvm.smaller.i32"), nullptr);
}

}  // namespace
}  // namespace bscope::cuda

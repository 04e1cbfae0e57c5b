// The machine behind messages: it does what it does without them, and it answers every request, whatever its
// bytes are.
#include "engine/cuda/remote/machine_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "engine/cuda/remote/changed_pages.hpp"
#include "engine/cuda/remote/messages.hpp"
#include "engine/trace/file.hpp"
#include "tests/cuda/machine_support.hpp"

namespace bscope::cuda {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kernel_file = "device/remote.cu";
constexpr uint64_t own_address = 0x100000;  // of visible memory

struct Given {  // as the kernel has it
  uint64_t to;
  int values[3], unused = 0;
};

Limits small_limits() {
  Limits l;
  l.memory = 16 << 20;
  l.launch_events = 10'000;
  l.launch_steps = 100'000;
  l.loop_turns = 1000;
  return l;
}

/// What a program would be to the server.
class AskingProgram {
 public:
  AskingProgram() : server({.ask_back = [this](ByteSpan request) { return answer(request); }}) {}

  /// Asks, and notes the request.
  Bytes raw(Bytes request) {
    asked.push_back(request);
    return server.answer(request);
  }
  template <class Request>
  typename Request::Answer ask(const Request& request, ByteSpan bytes = {}) {
    const Bytes answer = raw(pack(uint8_t(Request::call), request, bytes));
    const Packet packet = unpacked(answer);
    if (packet.tag) {
      ADD_FAILURE() << packet.fields;
      return {};
    }
    latest.assign(packet.bytes.begin(), packet.bytes.end());
    return read_fields<typename Request::Answer>(packet);
  }
  /// Of a request that must be refused: why it is.
  template <class Request>
  std::string refused(const Request& request, ByteSpan bytes = {}) {
    const Bytes answer = raw(pack(uint8_t(Request::call), request, bytes));
    const Packet packet = unpacked(answer);
    return AnswerKind(packet.tag) == AnswerKind::done ? "it is not"
                                                      : read_fields<ErrorAnswer>(packet).message.english();
  }
  void begin() {
    ask(BeginMachine{small_limits(), "", "to-barrier"});
    ask(Listen{.allocation_sites = true, .callers = true});
    module = ask(LoadModule{}, as_bytes(device_code(kernel_file))).module;
  }
  int kernel(const std::string& start) {
    for (const char* mangled : {"_Z4addsPii", "_Z4saysi", "_Z5takes5Given"})
      if (std::string(mangled).find(start) != std::string::npos)
        return ask(FindKernel{module, mangled}).kernel;
    return -1;
  }
  int memory_at(uint64_t address) { return ask(FindMemory{address}).memory; }

  /// Each kind of call once, and what they leave: the trace's file.
  Bytes story();

  MachineServer server;
  std::vector<Bytes> asked;
  Bytes latest;  ///< bytes of the last answer
  std::string printed;
  int module = -1;
  std::function<Bytes(ByteSpan)> answers_instead;

 private:
  Bytes answer(ByteSpan request) {
    if (answers_instead) return answers_instead(request);
    const Packet packet = unpacked(request);
    const auto done = [](const auto& fields, ByteSpan bytes = {}) {
      return pack(uint8_t(AnswerKind::done), fields, bytes);
    };
    switch (ProgramCall(packet.tag)) {
      case ProgramCall::allocation_site:
        return done(Machine::AllocationSite{.by = "cudaMalloc", .line = 4, .variable = "d_data"});
      case ProgramCall::caller: return done(LibraryUse{});
      case ProgramCall::source_text: return done(SourceText{"kernels.cu"}, as_bytes("one line"));
      default: return done(NoFields{});
    }
  }
};

template <class T>
ByteSpan bytes_of(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

Bytes arguments_of(uint64_t data, int n) {
  Bytes all(12);
  std::memcpy(all.data(), &data, 8);
  std::memcpy(all.data() + 8, &n, 4);
  return all;
}

const std::vector<int> numbers = {5, 6, 7, 8, 9, 10, 11, 12, 13, 14};

Bytes AskingProgram::story() {
  begin();
  const auto content = std::as_bytes(std::span(numbers));
  const uint64_t data = ask(AllocateMemory{content.size()}).address;
  const int memory = memory_at(data);
  ask(AskMemoryFacts{memory});
  ask(WriteMemory{memory, 0, "cudaMemcpy"}, content);
  ask(FindUnset{memory, 0, 8});
  const int shared = ask(AllocateAt{own_address, 5000}).memory;
  ask(ShapeMemory{shared, 1, ElementType::i32, "shared"});
  ask(FillMemory{shared, 4, 16, 3, "cudaMemset"});
  ask(TakeFromHost{{{shared, 4096, 8}}}, content.first(8));
  ask(AskConstantMemory{module});
  const int total = ask(FindVariable{module, "total"}).memory;
  ask(FindSharedVariable{"total"});
  ask(ReadMemory{total, 0, 4, true});
  ask(SetHeapBytes{1 << 16});
  ask(SetPendingChildren{10});
  TextureFields texture{.format = {ChannelKind::with_sign, 4, 1}, .levels = {{data, 10, 1, 1, 40}}};
  const uint64_t object = ask(AddTexture{texture}).number;
  ask(BindTexture{data, texture});
  ask(UnbindTexture{data});
  ask(DestroyTexture{object});
  ask(LaunchKernel{.kernel = kernel("adds"), .grid = {2, 1, 1}, .block = {8, 1, 1}, .wants_use = true},
      arguments_of(data, 10));
  ask(LaunchKernel{.kernel = kernel("adds"), .block = {4, 1, 1}}, arguments_of(own_address, 4));
  ask(LaunchKernel{.kernel = kernel("says"), .block = {2, 1, 1}}, bytes_of(17));
  printed = std::string(as_text(latest));
  ask(BeginLibraryCall{{"cublasSscal", "kernels.cu", 3}});
  ask(WriteMemory{memory, 4, "cublasSscal"}, content.first(12));
  ask(EndLibraryCall{});
  const Given given{data, {100, 200, 300}};
  ask(LaunchKernel{.kernel = kernel("takes"), .block = {4, 1, 1}}, bytes_of(given));
  ask(ReadMemory{memory, 0, content.size(), true});
  const uint64_t other = ask(AllocateMemory{64}).address;
  ask(FreeMemory{other});
  ask(AskRemarks{});
  ask(AskTrace{"kernels", false});
  ask(AskTrace{"kernels", true});
  return latest;
}

// ---- what it does

TEST(MachineServer, MakesTheTraceThatAMachineMakes) {
  AskingProgram program;
  const Bytes file = program.story();
  const Trace trace = read_trace(file);
  EXPECT_EQ(program.printed, "x is 17\n");
  EXPECT_EQ(trace.kernel, "yours/kernels");
  ASSERT_FALSE(trace.sources.empty());
  EXPECT_THAT(trace.sources[0].text, HasSubstr("one line"));

  Machine machine(small_limits(), parse_schedule("to-barrier"));
  machine.print = {};
  machine.load(device_code(kernel_file), {});
  machine.locate_allocations_with(
      [](uint64_t) { return Machine::AllocationSite{.by = "cudaMalloc", .line = 4, .variable = "d_data"}; });
  const auto content = std::as_bytes(std::span(numbers));
  const uint64_t data = machine.allocate(content.size(), Placement::device);
  Memory& memory = *machine.at(data).memory;
  machine.write(memory, 0, content, "cudaMemcpy");
  ASSERT_TRUE(machine.allocate_at(own_address, 5000));
  Memory& shared = *machine.at(own_address).memory;
  machine.shape(shared, ElementType::i32, 1, "shared");
  machine.fill(shared, 4, 16, 3, "cudaMemset");
  machine.take_from_host(shared, 4096, content.first(8));
  machine.read(*machine.variable(0, "total"), 0, 4);
  const auto launch = [&](const char* name, Extent grid, Extent block, std::vector<void*> arguments) {
    EXPECT_EQ(machine
                  .launch({.kernel = machine.kernel(0, name),
                           .grid = grid,
                           .block = block,
                           .arguments = arguments.data()})
                  .code,
              LaunchOutcome::done);
  };
  uint64_t pointer = data, own = own_address;
  int ten = 10, four = 4, x = 17;
  launch("_Z4addsPii", {2}, {8}, {&pointer, &ten});
  launch("_Z4addsPii", {1}, {4}, {&own, &four});
  launch("_Z4saysi", {1}, {2}, {&x});
  machine.begin_library_call({"cublasSscal", "kernels.cu", 3});
  machine.write(memory, 4, content.first(12), "cublasSscal");
  machine.end_library_call();
  Given given{data, {100, 200, 300}};
  launch("_Z5takes5Given", {1}, {4}, {&given});
  machine.read(memory, 0, content.size());
  const Trace expected = machine.last_trace("kernels", [](const std::string&) -> Source {
    return {"kernels.cu", "one line"};
  });
  EXPECT_EQ(write_trace(expected), file);
}

TEST(MachineServer, GivesBackWhatAKernelHasChangedOfVisibleMemory) {
  AskingProgram program;
  program.begin();
  const int memory = program.ask(AllocateAt{own_address, 10'000}).memory;
  program.ask(TakeFromHost{{{memory, 0, 40}}}, std::as_bytes(std::span(numbers)));
  const LaunchKernel launch{.kernel = program.kernel("adds"), .block = {8, 1, 1}};
  const LaunchAnswer first = program.ask(launch, arguments_of(own_address, 8));
  EXPECT_EQ(first.outcome.code, LaunchOutcome::done);
  EXPECT_THAT(first.pieces, ElementsAre(MemoryPiece{memory, 0, page_bytes}));
  ASSERT_EQ(program.latest.size(), page_bytes);
  int now[8];
  std::memcpy(now, program.latest.data(), sizeof now);
  EXPECT_THAT(now, ElementsAre(7, 9, 11, 13, 11, 13, 15, 9));
  const LaunchAnswer last = program.ask(launch, arguments_of(own_address + 9000, 8));
  EXPECT_THAT(last.pieces, ElementsAre(MemoryPiece{memory, 8192, 10'000 - 8192}));
  EXPECT_THAT(program.ask(launch, arguments_of(own_address, 0)).pieces, ElementsAre());
}

TEST(MachineServer, KnowsWhoseAnAddressNearVisibleMemoryIs) {
  AskingProgram program;
  program.begin();
  const int memory = program.ask(AllocateAt{own_address, 100}).memory;
  EXPECT_EQ(program.memory_at(own_address + 99), memory);
  EXPECT_EQ(program.ask(FindMemory{own_address - 8}).offset, -8);
  EXPECT_EQ(program.memory_at(own_address + 100 + gap_of_host - 1), memory);
  EXPECT_EQ(program.memory_at(own_address + 100 + gap_of_host), -1);
  EXPECT_EQ(program.memory_at(own_address - gap_of_host - 1), -1);
  EXPECT_EQ(program.ask(AllocateAt{own_address + 50, 10}).memory, -1) << "it is taken";
  EXPECT_EQ(program.ask(AllocateAt{16, 10}).memory, -1) << "the null pointer's page";
  EXPECT_EQ(program.ask(AllocateAt{uint64_t(1) << 45, 10}).memory, -1) << "the device's";
  EXPECT_EQ(program.ask(FreeMemory{own_address}).how, Machine::Freed::done);
  EXPECT_EQ(program.ask(FreeMemory{own_address}).how, Machine::Freed::already);
  EXPECT_EQ(program.memory_at(own_address), memory) << "messages name freed memory";
  const int next = program.ask(AllocateAt{own_address, 100}).memory;
  EXPECT_NE(next, memory);
  EXPECT_EQ(program.memory_at(own_address), next);
}

TEST(MachineServer, KeepsATraceOnItsSideWhereThePageShowsIt) {
  Bytes kept;
  AskingProgram program;
  MachineServer server(
      {.ask_back = program.answers_instead, .keep_trace = [&](Bytes b) { kept = std::move(b); }});
  program.story();
  for (const Bytes& request : program.asked) program.latest = server.answer(request);
  const Packet packet = unpacked(program.latest);
  EXPECT_EQ(packet.tag, 0);
  EXPECT_TRUE(read_fields<TraceAnswer>(packet).is_kept);
  EXPECT_TRUE(packet.bytes.empty());
  EXPECT_FALSE(read_trace(kept).launches.empty());
}

// ---- what it refuses

TEST(MachineServer, RefusesWhatCannotBeMeant) {
  AskingProgram program;
  EXPECT_THAT(program.refused(AllocateMemory{4}), HasSubstr("the machine begins once"));
  EXPECT_THAT(program.refused(BeginMachine{{}, "no device", "auto"}), HasSubstr("no such device"));
  EXPECT_THAT(program.refused(BeginMachine{{}, "", "sideways"}), HasSubstr("no schedule"));
  program.begin();
  EXPECT_THAT(program.refused(BeginMachine{{}, "", "auto"}), HasSubstr("the machine begins once"));
  const uint64_t data = program.ask(AllocateMemory{40}).address;
  const int memory = program.memory_at(data), kernel = program.kernel("adds");
  constexpr uint64_t huge = std::numeric_limits<uint64_t>::max();
  for (const int number : {-1, 1000, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()}) {
    EXPECT_THAT(program.refused(AskMemoryFacts{number}), HasSubstr("no such memory"));
    EXPECT_THAT(program.refused(FindKernel{number, "x"}), HasSubstr("no such module"));
    EXPECT_THAT(program.refused(AskConstantMemory{number}), HasSubstr("no such module"));
    EXPECT_THAT(program.refused(LaunchKernel{.kernel = number}), HasSubstr("no such kernel"));
  }
  EXPECT_THAT(program.refused(ReadMemory{memory, 36, 5}), HasSubstr("smaller"));
  EXPECT_THAT(program.refused(ReadMemory{memory, huge, 2}), HasSubstr("smaller"));
  EXPECT_THAT(program.refused(FillMemory{memory, 8, huge, 0, "x"}), HasSubstr("smaller"));
  EXPECT_THAT(program.refused(WriteMemory{memory, 40, "x"}, bytes_of(1)), HasSubstr("smaller"));
  EXPECT_THAT(program.refused(FindUnset{memory, 41, 0}), HasSubstr("smaller"));
  EXPECT_THAT(program.refused(TakeFromHost{{{memory, 0, 4}}}, bytes_of(1)), HasSubstr("cannot touch"));
  const int own = program.ask(AllocateAt{own_address, 100}).memory;
  EXPECT_THAT(program.refused(TakeFromHost{{{own, 0, 8}}}, bytes_of(1)), HasSubstr("missing"));
  EXPECT_THAT(program.refused(TakeFromHost{{{own, 0, 4}, {own, 0, huge}}}, bytes_of(1)),
              HasSubstr("smaller"));
  const LaunchKernel launch{.kernel = kernel, .block = {8, 1, 1}};
  EXPECT_THAT(program.refused(launch, bytes_of(data)), HasSubstr("arguments are missing"));
  EXPECT_THAT(program.refused(launch, Bytes(13)), HasSubstr("more arguments"));
  EXPECT_THAT(program.refused(BeginLibraryCall{}), HasSubstr("no name"));
  program.ask(FreeMemory{data});
  EXPECT_THAT(program.refused(WriteMemory{memory, 0, "x"}, bytes_of(1)), HasSubstr("freed"));
  TextureFields texture{.levels = {{data, 1, 1, 1, 4}}};
  EXPECT_THAT(program.refused(AddTexture{texture}), HasSubstr("no memory"));
  EXPECT_THAT(program.refused(AddTexture{{}}), HasSubstr("no texels"));
}

TEST(MachineServer, TakesNothingAfterTheLastTrace) {
  AskingProgram program;
  program.story();
  EXPECT_THAT(program.refused(AllocateMemory{4}), HasSubstr("ended"));
  EXPECT_THAT(program.refused(ReadMemory{0, 0, 4}), HasSubstr("ended"));
  EXPECT_THAT(program.refused(AskTrace{"again", true}), HasSubstr("ended"));
  EXPECT_FALSE(program.ask(AskRemarks{}).launches.empty());
  EXPECT_EQ(program.ask(AskMemoryFacts{0}).bytes, 40u);
}

TEST(MachineServer, IsAskedNothingWhileItAsks) {
  AskingProgram program;
  program.begin();
  const uint64_t data = program.ask(AllocateMemory{40}).address;
  program.ask(AllocateMemory{40});  // whose name no kernel knows
  std::string inside;
  program.answers_instead = [&](ByteSpan) {
    inside = program.refused(AskTrace{"too early", true});
    return Bytes();  // and no answer
  };
  const LaunchKernel launch{.kernel = program.kernel("adds"), .block = {8, 1, 1}};
  EXPECT_EQ(program.ask(launch, arguments_of(data, 8)).outcome.code, LaunchOutcome::done);
  EXPECT_THAT(inside, HasSubstr("waits for an answer"));
}

// ---- whatever the bytes are

class Mutations {
 public:
  explicit Mutations(unsigned seed) : random_(seed) {}
  size_t below(size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random_); }

  Bytes of(Bytes message) {
    for (size_t k = below(3) + 1; k > 0; --k) below(3) ? change_number(message) : change_bytes(message);
    return message;
  }

 private:
  /// Another value for one of the numbers in its fields.
  void change_number(Bytes& message) {
    static const std::vector<std::string> values = {"0",
                                                    "1",
                                                    "-1",
                                                    "2",
                                                    "3",
                                                    "7",
                                                    "40",
                                                    "41",
                                                    "255",
                                                    "4096",
                                                    "65536",
                                                    "2147483647",
                                                    "2147483648",
                                                    "4294967295",
                                                    "-2147483648",
                                                    "9223372036854775807",
                                                    "18446744073709551615",
                                                    "1e308",
                                                    "null",
                                                    "\"\"",
                                                    "[]",
                                                    "{}",
                                                    "true",
                                                    "1052672",
                                                    "52776566521856",
                                                    "52793746391040"};
    std::string text(as_text(message));
    std::vector<size_t> digits;
    const size_t end = std::min(text.find('\0', 1), text.size());
    for (size_t k = 1; k < end; ++k)
      if (std::isdigit(text[k]) && !std::isdigit(text[k - 1])) digits.push_back(k);
    if (digits.empty()) return change_bytes(message);
    const size_t begin = digits[below(digits.size())];
    size_t behind = begin;
    while (behind < end && std::isdigit(text[behind])) ++behind;
    text.replace(begin, behind - begin, values[below(values.size())]);
    message.assign(as_bytes(text).begin(), as_bytes(text).end());
  }
  void change_bytes(Bytes& message) {
    const size_t at = message.empty() ? 0 : below(message.size());
    switch (below(5)) {
      case 0: message.resize(at); break;
      case 1: message.insert(message.begin() + long(at), std::byte(below(256))); break;
      case 2:
        if (!message.empty()) message.erase(message.begin() + long(at));
        break;
      case 3:
        if (!message.empty()) message[0] = std::byte(below(32));
        break;
      default:
        if (!message.empty()) message[at] = std::byte(below(256));
    }
  }
  std::mt19937 random_;
};

/// Whether a machine is right to take minutes for it.
bool is_long(const Bytes& request) {
  try {
    const Packet packet = unpacked(request);
    if (MachineCall(packet.tag) != MachineCall::launch) return false;
    const auto launch = read_fields<LaunchKernel>(packet);
    double threads = 1;
    for (const auto& extent : {launch.grid, launch.block})
      for (const uint32_t n : extent) threads *= n;
    return threads > 10'000;
  } catch (const BadFile&) { return false; }
}

TEST(MachineServer, AnswersTenThousandBrokenRequests) {
  AskingProgram whole;
  whole.story();
  std::vector<Bytes> begin, rest;
  for (const Bytes& request : whole.asked) (begin.size() < 3 ? begin : rest).push_back(request);
  constexpr int programs = 50, requests = 200;
  int refused = 0, done = 0;
  for (int p = 0; p < programs; ++p) {
    Mutations mutations{unsigned(p)};
    AskingProgram program;
    if (p % 2)
      program.answers_instead = [&](ByteSpan) {
        return mutations.of(pack(0, SourceText{"kernels.cu"}, as_bytes("text")));
      };
    for (const Bytes& request : begin) EXPECT_EQ(program.raw(request)[0], std::byte(0));
    for (int k = 0, next = 0; k < requests;) {
      // most of the story goes on, so that there is something to break
      Bytes request = rest[size_t(next) % rest.size()];
      const bool is_last = MachineCall(request[0]) == MachineCall::trace;
      if (mutations.below(3)) {
        ++k;
        request = mutations.of(rest[mutations.below(rest.size())]);
      } else if (!is_last || mutations.below(20) == 0) {
        ++next;
      } else {
        next = 0;
        continue;
      }
      if (is_long(request)) continue;
      SCOPED_TRACE("program " + std::to_string(p) + ": " + std::string(as_text(request)).substr(0, 400));
      const Bytes answer = program.raw(request);
      ASSERT_FALSE(answer.empty());
      ASSERT_LE(int(answer[0]), int(last_of(AnswerKind())));
      ++(answer[0] == std::byte(0) ? done : refused);
    }
  }
  EXPECT_GT(refused, 1000);
  EXPECT_GT(done, 1000);
}

}  // namespace
}  // namespace bscope::cuda

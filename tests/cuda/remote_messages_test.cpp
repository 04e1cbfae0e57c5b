// The messages between a program and its machine: each member is listed, and comes back as it was.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/pfr/core.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>

#include "engine/cuda/remote/messages.hpp"
#include "engine/cuda/remote/packet.hpp"

namespace bscope::cuda {
namespace {

template <class T>
constexpr size_t members = boost::pfr::tuple_size_v<T>;

template <class... T>
void expect_all_listed(MessageList<T...>) {
  (..., [] { EXPECT_EQ(count_fields<T>(), members<T>) << "request " << int(T::call); }());
}
template <class... T>
void expect_in_order(MessageList<T...>, int last) {
  int number = 0;
  (..., [&] { EXPECT_EQ(int(T::call), number++); }());
  EXPECT_EQ(number, last + 1);
}

TEST(RemoteMessages, ListEveryMemberOfRequests) {
  expect_all_listed(MachineRequests());
  expect_all_listed(ProgramRequests());
}

TEST(RemoteMessages, ListEveryMemberOfAnswers) {
  EXPECT_EQ(count_fields<ErrorAnswer>(), members<ErrorAnswer>);
  EXPECT_EQ(count_fields<ModuleNumber>(), members<ModuleNumber>);
  EXPECT_EQ(count_fields<ParameterFacts>(), members<ParameterFacts>);
  EXPECT_EQ(count_fields<KernelFacts>(), members<KernelFacts>);
  EXPECT_EQ(count_fields<MemoryNumber>(), members<MemoryNumber>);
  EXPECT_EQ(count_fields<AllocatedAddress>(), members<AllocatedAddress>);
  EXPECT_EQ(count_fields<FreedMemory>(), members<FreedMemory>);
  EXPECT_EQ(count_fields<MemoryPlace>(), members<MemoryPlace>);
  EXPECT_EQ(count_fields<MemoryPiece>(), members<MemoryPiece>);
  EXPECT_EQ(count_fields<UnsetCells>(), members<UnsetCells>);
  EXPECT_EQ(count_fields<TextureFields>(), members<TextureFields>);
  EXPECT_EQ(count_fields<TextureNumber>(), members<TextureNumber>);
  EXPECT_EQ(count_fields<LaunchAnswer>(), members<LaunchAnswer>);
  EXPECT_EQ(count_fields<MachineRemarks>(), members<MachineRemarks>);
  EXPECT_EQ(count_fields<TraceAnswer>(), members<TraceAnswer>);
  EXPECT_EQ(count_fields<SourceText>(), members<SourceText>);
  EXPECT_EQ(count_fields<CompiledLibrary>(), members<CompiledLibrary>);
}

TEST(RemoteMessages, ListEveryMemberOfTheMachinesStructs) {
  EXPECT_EQ(count_fields<Limits>(), members<Limits> - 1) << "the device goes by its name";
  EXPECT_EQ(count_fields<AddressRange>(), members<AddressRange>);
  EXPECT_EQ(count_fields<MemoryUse>(), members<MemoryUse>);
  EXPECT_EQ(count_fields<LibraryUse>(), members<LibraryUse>);
  EXPECT_EQ(count_fields<LaunchOutcome>(), members<LaunchOutcome>);
  EXPECT_EQ(count_fields<LaunchNote>(), members<LaunchNote> + 4) << "an extent is three numbers";
  EXPECT_EQ(count_fields<KernelRemark>(), members<KernelRemark>);
  EXPECT_EQ(count_fields<OverflowingIndex>(), members<OverflowingIndex>);
  EXPECT_EQ(count_fields<InnerPointer>(), members<InnerPointer>);
  EXPECT_EQ(count_fields<Machine::AllocationSite>(), members<Machine::AllocationSite>);
  EXPECT_EQ(count_fields<Machine::Definition>(), members<Machine::Definition>);
  EXPECT_EQ(count_fields<Machine::ConstantMemory>(), members<Machine::ConstantMemory>);
  EXPECT_EQ(count_fields<Machine::UnsupportedCode>(), members<Machine::UnsupportedCode>);
  EXPECT_EQ(count_fields<MemoryFacts>(), members<MemoryFacts>);
  EXPECT_EQ(count_fields<TexelFormat>(), members<TexelFormat>);
  EXPECT_EQ(count_fields<TextureLevel>(), members<TextureLevel>);
}

TEST(RemoteMessages, AreAllInTheLists) {
  expect_in_order(MachineRequests(), int(last_of(MachineCall())));
  expect_in_order(ProgramRequests(), int(last_of(ProgramCall())));
}

/// Gives each member a value of its own.
template <class V>
void fill(V& v, int& n) {
  if constexpr (std::is_same_v<V, bool>) {
    v = true;
  } else if constexpr (std::is_arithmetic_v<V>) {
    v = V(++n % 16 + 1);
  } else if constexpr (std::is_enum_v<V>) {
    v = V(1);
  } else if constexpr (std::is_same_v<V, std::string>) {
    v = "text " + std::to_string(++n) + "\xc3\xa4\"\n";
  } else if constexpr (std::is_same_v<V, Message>) {
    v = message("there is no memory for {}", std::to_string(++n));
  } else if constexpr (HasFields<V>) {
    for_each_field(v, [&](const char*, auto& member, const Field&) { fill(member, n); });
  } else if constexpr (requires { v.has_value(); }) {
    v.emplace();
    fill(*v, n);
  } else {
    if constexpr (requires { v.resize(2); }) v.resize(2);
    for (auto& one : v) fill(one, n);
  }
}

template <class T>
std::string text_of(const T& t) {
  return json_text(to_fields_json(t));
}
template <class T>
void expect_to_come_back(int& n) {
  T sent{};
  fill(sent, n);
  const std::string bytes("bytes\0and more", 14);
  const Bytes whole = pack(7, sent, as_bytes(bytes));
  const Packet packet = unpacked(whole);
  EXPECT_EQ(packet.tag, 7);
  EXPECT_EQ(as_text(packet.bytes), bytes);
  EXPECT_EQ(text_of(read_fields<T>(packet)), text_of(sent));
  if (count_fields<T>() == 0) return;
  EXPECT_NE(text_of(sent), text_of(T{}));
  EXPECT_EQ(text_of(read_fields<T>(unpacked(pack(0, T{})))), text_of(T{}));
}
template <class... T>
void expect_all_to_come_back(MessageList<T...>) {
  int n = 0;
  (..., [&] {
    expect_to_come_back<T>(n);
    expect_to_come_back<typename T::Answer>(n);
  }());
}

TEST(RemoteMessages, ComeBackAsTheyWere) {
  expect_all_to_come_back(MachineRequests());
  expect_all_to_come_back(ProgramRequests());
}

TEST(RemoteMessages, KeepNumbersOf64BitsAndFloatsThatAreNone) {
  WriteMemory w{.offset = std::numeric_limits<uint64_t>::max()};
  EXPECT_EQ(read_fields<WriteMemory>(unpacked(pack(0, w))).offset, w.offset);
  MemoryPlace p{.offset = std::numeric_limits<int64_t>::min()};
  EXPECT_EQ(read_fields<MemoryPlace>(unpacked(pack(0, p))).offset, p.offset);
  Texture t{.levels = {{.address = 5}}, .most_level = std::numeric_limits<float>::infinity()};
  t.border = {1.5f, -0.f, std::numeric_limits<float>::infinity(), 1e-40f};
  const AddTexture back = read_fields<AddTexture>(unpacked(pack(0, AddTexture{fields_of(t)})));
  const Texture u = texture_of(back.texture);
  EXPECT_EQ(u.most_level, t.most_level);
  EXPECT_EQ(u.border, t.border);
  EXPECT_TRUE(std::signbit(u.border[1]));
}

TEST(RemoteMessages, RefuseWhatIsNone) {
  EXPECT_THROW(unpacked({}), BadFile);
  EXPECT_THROW(unpacked(as_bytes("\1{}")), BadFile) << "its fields have no end";
  const auto read = [](std::string_view fields) {
    return read_fields<ShapeMemory>(unpacked(packed(0, fields, {})));
  };
  EXPECT_EQ(read(R"({"memory": 3, "rows": 2})").memory, 3);
  for (const char* fields :
       {"", "[]", "{", R"({"memory": "3"})", R"({"memory": 3e9})", R"({"memory": 2147483648})",
        R"({"rows": 0})", R"({"kind": 15})", R"({"kind": -1})", R"({"name": 1})", R"({"name": null})"})
    EXPECT_THROW(read(fields), BadFile) << fields;
  EXPECT_THROW(read(R"({"name": ")" + std::string(most_name + 1, 'x') + R"("})"), BadFile);
}

}  // namespace
}  // namespace bscope::cuda

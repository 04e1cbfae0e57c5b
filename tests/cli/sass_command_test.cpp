// The verb `sass`: a kernel's machine code by the line.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/cli/run_support.hpp"

namespace bscope {
namespace {

using test::barrierscope;
using testing::HasSubstr;

TEST(SassCommand, TellsWhatALaunchTakes) {
  const auto r = barrierscope({"sass", "scan/blelloch", "--block", "256", "--n", "512"});
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("launch \"scan tiles\": 1 blocks of 256 threads"));
  EXPECT_THAT(r.out, HasSubstr("2048 bytes of shared memory"));
  EXPECT_THAT(r.out, HasSubstr("holds 8 blocks, 64 of 64 warps (100%)"));
  EXPECT_THAT(r.out, HasSubstr("lanes: not counted"));
  EXPECT_THAT(r.out, HasSubstr("BAR.SYNC"));
}

TEST(SassCommand, JsonHoldsEveryInstructionOnce) {
  const auto r = barrierscope({"sass", "reduce/warp-shuffle", "--set", "type=double", "--json"});
  ASSERT_EQ(r.code, 0) << r.err;
  const auto j = nlohmann::json::parse(r.out);
  for (const auto& l : j.at("launches")) {
    int kinds = 0, instructions = 0, doubles = 0;
    for (const auto& [name, n] : l.at("kinds").items()) kinds += n.get<int>();
    for (const auto& line : l.at("lines")) {
      instructions += int(line.at("instructions").size());
      for (const auto& i : line.at("instructions"))
        doubles += i.at("text").get<std::string>().find("DADD") != std::string::npos;
    }
    EXPECT_EQ(kinds, instructions);
    EXPECT_GT(doubles, 0) << "it is the form for doubles";
    EXPECT_EQ(l.at("blocks"), l.at("limits").at(l.at("limit").get<std::string>()));
  }
}

TEST(SassCommand, TakesOtherCodeForOtherParameters) {
  const auto one = barrierscope({"sass", "scan/blelloch", "--json"}),
             other = barrierscope({"sass", "scan/blelloch", "--json", "--set", "operator=max"});
  EXPECT_EQ(other.code, 0) << other.err;
  EXPECT_NE(one.out, other.out);
  EXPECT_EQ(barrierscope({"sass", "scan/bleloch"}).code, 2);
}

}  // namespace
}  // namespace bscope

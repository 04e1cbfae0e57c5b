#include "engine/trace/json_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/trace/read_file.hpp"

namespace bscope {
namespace {

using testing::HasSubstr;

std::string nested(int levels) { return std::string(size_t(levels), '[') + std::string(size_t(levels), ']'); }

std::string object_of(int members) {
  std::string text = "{";
  for (int k = 0; k < members; ++k)
    text += (k ? ",\"" : "\"") + std::to_string(k) + "\":\"" + R"(:[{\"\\)" + "\"";
  return text + "}";
}

TEST(JsonText, IsReadAndWritten) {
  const std::string text = R"({"b":[1,-2,2.5,null,true],"a":{"text":"[\"\\"}})";
  const auto all = try_parse_json(text);
  ASSERT_TRUE(all);
  EXPECT_EQ(json_text(*all), text);
  EXPECT_EQ(json_text(parse_json(text, "x.json")), text);
}

TEST(JsonText, IsWrittenOfAnyBytes) { EXPECT_EQ(json_text("a\xff\xc3\xa4"), "\"a\xef\xbf\xbd\xc3\xa4\""); }

TEST(JsonText, SaysWhereItIsNone) {
  for (const char* text : {"", "{", "[1,]", "nonsense", "[1] 2", "\"\xff\"", "[1e999]", "]", "{\"a\"}"})
    EXPECT_FALSE(try_parse_json(text)) << text;
  size_t at = 0;
  EXPECT_FALSE(try_parse_json("{\n\"a\": 1\n\"b\": 2}", &at));
  EXPECT_EQ(line_at("{\n\"a\": 1\n\"b\": 2}", at), 3);
  try {
    parse_json("{\n\"a\": 1\n\"b\": 2}", "x.json");
    FAIL();
  } catch (const BadFile& e) { EXPECT_THAT(e.what(), HasSubstr("x.json:3: this is no JSON")); }
}

TEST(JsonText, NestsAndIsAsWideAsFilesOfOursAre) {
  EXPECT_TRUE(try_parse_json(nested(64)));
  EXPECT_FALSE(try_parse_json(nested(65)));
  EXPECT_FALSE(try_parse_json(std::string(1'000'000, '[')));
  EXPECT_TRUE(try_parse_json(object_of(4096)));
  size_t at = 0;
  EXPECT_FALSE(try_parse_json(object_of(4097), &at));
  EXPECT_GT(at, 4096u);
  EXPECT_TRUE(try_parse_json("[" + object_of(3000) + "," + object_of(3000) + "]"));
}

}  // namespace
}  // namespace bscope

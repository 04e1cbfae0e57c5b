#include "engine/trace/message.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/trace/english_message.hpp"
#include "engine/trace/file.hpp"
#include "engine/trace/json_fields.hpp"
#include "tests/trace/hand_made.hpp"

namespace bscope {
namespace {

TEST(Message, PrintsNoControlCharacterOfWhatItWasGiven) {
  const std::string name("a\0b\x1b[2Jc", 8);
  const Message m = message("There is no kernel \"{}\".", name);
  EXPECT_EQ(m.english(), "There is no kernel \"a b [2Jc\".");
  EXPECT_EQ(m.arguments()[0].pattern(), name);
}

TEST(Messages, AreEnglishByThemselves) {
  const Message who = message("thread {} of block {}", 3, 1);
  EXPECT_EQ(message("{} reads {} in line {}", who, "s[2]", 7).english(),
            "thread 3 of block 1 reads s[2] in line 7");
  EXPECT_EQ(message("{} and {}", "{}", "b").english(), "{} and b") << "braces of an argument are text";
  EXPECT_EQ(followed_by({}, message("A.")).english(), "A.");
  EXPECT_EQ(followed_by(message("A."), message("B.")).english(), "A. B.");
  EXPECT_EQ(comma_list({message("a"), message("b"), message("c")}).english(), "a, b, c");
  EXPECT_EQ(name_list(std::vector<std::string>{"a", "b", "c"}), "a, b, c");
  EXPECT_EQ(or_list({"a", "b", "c"}).english(), "a, b or c");
}

TEST(Messages, ComeBackFromText) {
  for (const Message& m : {Message(), message("none"), Message::verbatim("s[\"1\"]"),
                           message("{} of {}", message("x {}", 1), "y")})
    EXPECT_EQ(Message::parse(m.serialized()), m) << m.serialized();
}

TEST(Messages, OfPublicFilesAreTheirEnglishText) {
  const EnglishMessage made = message("{} is left out: {}", "scan/a", message("it is too large"));
  EXPECT_EQ(json_text(to_fields_json(made)), "\"scan/a is left out: it is too large\"");
  EnglishMessage read;
  from_fields_json(read, to_fields_json(made), "notes");
  EXPECT_TRUE(read.arguments().empty());
  EXPECT_EQ(read, made);
  EXPECT_NE(read, EnglishMessage("scan/b is left out: it is too large"));
  EXPECT_THROW(from_fields_json(read, 3, "notes"), BadFile);
}

TEST(Messages, FromBrokenTextAreRefused) {
  std::string deep = "\"a\"";
  for (int k = 0; k < 1000; ++k) deep = "[\"{}\"," + deep + "]";
  for (const std::string& text : {std::string(), std::string("7"), std::string("{}"), std::string("[]"),
                                  std::string("[1]"), std::string("[\"{}\", 1]"), std::string("[\"a"), deep})
    EXPECT_THROW(Message::parse(text), BadFile) << text.substr(0, 40);
  EXPECT_EQ(Message::parse("[\"{} and {}\",\"a\"]").english(), "a and {}") << "an argument too few";
}

TEST(Messages, OfFindingsComeBackFromTraces) {
  const Trace t = test::hand_made();
  EXPECT_EQ(read_trace(write_trace(t)).findings, t.findings);
}

}  // namespace
}  // namespace bscope

#include "engine/trace/json_fields.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bscope {
namespace {

using testing::ElementsAre;

enum class Fruit : uint8_t { apple, pear };
const char* name_of(Fruit f) { return f == Fruit::pear ? "pear" : "apple"; }

struct Part {
  std::string name;
  int count = 1;
  template <class Self, class Visit>
  static void fields(Self& p, Visit&& visit) {
    visit("name", p.name, Field{.required = true});
    visit("count", p.count);
  }
};

struct Thing {
  std::string text = "as it was";
  std::string size = "small";
  Fruit fruit = Fruit::apple;
  int n = 5;
  double seconds = 0, share = 1;
  std::vector<double> samples = {};
  std::vector<std::string> notes = {};
  std::array<uint64_t, 3> grid{1, 1, 1};
  std::map<int, std::string> names = {};
  std::optional<double> limit = {};
  std::vector<Part> parts = {};
  template <class Self, class Visit>
  static void fields(Self& t, Visit&& visit) {
    visit("text", t.text, Field{.at_most = 12});
    visit("size", t.size, Field{.among = {"small", "large"}});
    visit("fruit", t.fruit, Field{.among = names_up_to(Fruit::pear)});
    visit("n", t.n, Field{.least = 1, .most = 10});
    visit("seconds", t.seconds, Field{.least = 0, .digits = 3, .zero_is_null = true});
    visit("share", t.share);
    visit("samples", t.samples, Field{.least = 0, .digits = 3});
    visit("notes", t.notes, Field{.at_most = 2});
    visit("grid", t.grid, Field{.least = 1});
    visit("names", t.names);
    visit("limit", t.limit, Field{.omit_empty = true, .most = 1});
    visit("parts", t.parts);
    double twice = 2 * t.n;
    visit("twice", twice, Field{.derived = true});
  }
};

std::string written(const Thing& t) { return json_text(to_fields_json(t)); }

Thing read(const std::string& text, Reading reading = Reading::strict) {
  Thing t;
  from_fields_json(t, parse_json(text, "x.json"), {}, reading);
  return t;
}

std::string why(const std::string& text) {
  try {
    read(text);
  } catch (const BadFile& e) { return e.what(); }
  return "taken";
}

TEST(JsonFields, AreWrittenByTheirRules) {
  Thing t;
  EXPECT_EQ(written(t),
            R"({"text":"as it was","size":"small","fruit":"apple","n":5,"seconds":null,"share":1.0,)"
            R"("samples":[],"notes":[],"grid":[1,1,1],"names":{},"parts":[],"twice":10.0})");
  t.fruit = Fruit::pear;
  t.seconds = 0.123456;
  t.samples = {1.23456e-5, 0};
  t.names = {{7, "seven"}};
  t.limit = 0.5;
  t.parts = {{"a", 2}};
  EXPECT_EQ(written(t),
            R"({"text":"as it was","size":"small","fruit":"pear","n":5,"seconds":0.123,"share":1.0,)"
            R"("samples":[1.23e-05,0.0],"notes":[],"grid":[1,1,1],"names":{"7":"seven"},"limit":0.5,)"
            R"("parts":[{"name":"a","count":2}],"twice":10.0})");
  EXPECT_EQ(written(read(written(t))), written(t));
}

TEST(JsonFields, ThatBreakARuleAreRefusedInASentence) {
  EXPECT_EQ(why("{}"), "taken");
  EXPECT_EQ(why(R"({"unknown":1,"twice":"x","seconds":null,"limit":null})"), "taken");
  EXPECT_EQ(why("[]"), "\"\" is no object");
  EXPECT_EQ(why(R"({"text":"more than twelve"})"), "\"text\" is a text of more bytes than 12");
  EXPECT_EQ(why(R"({"size":"huge"})"), "\"size\" is none of these: small, large");
  EXPECT_EQ(why(R"({"fruit":"plum"})"), "\"fruit\" is none of these: apple, pear");
  EXPECT_EQ(why(R"({"fruit":1})"), "\"fruit\" is no text");
  EXPECT_EQ(why(R"({"n":11})"), "\"n\" is not a number from 1 to 10");
  EXPECT_EQ(why(R"({"n":1.5})"), "\"n\" is no whole number");
  EXPECT_EQ(why(R"({"n":null})"), "\"n\" is no whole number");
  EXPECT_EQ(why(R"({"seconds":-1})"), "\"seconds\" is not a number from 0 up");
  EXPECT_EQ(why(R"({"samples":[1,-1]})"), "\"samples\" is not a number from 0 up");
  EXPECT_EQ(why(R"({"notes":["a","b","c"]})"), "\"notes\" is a list of more than 2");
  EXPECT_EQ(why(R"({"grid":[1,2]})"), "\"grid\" is no list of 3");
  EXPECT_EQ(why(R"({"grid":[1,2,0]})"), "\"grid\" is not a number from 1 up");
  EXPECT_EQ(why(R"({"names":{"seven":"7"}})"), "\"names.seven\" is no whole number");
  EXPECT_EQ(why(R"({"parts":[{"name":"a"},{"count":2}]})"), "\"parts.1.name\" is missing");
}

TEST(JsonFields, AreReadExactlyWhereTheyAreWrittenByHand) {
  EXPECT_EQ(read(R"({"n":3,"parts":[{"name":"a"}]})", Reading::exact).n, 3);
  const std::pair<const char*, std::pair<const char*, const char*>> wrong[] = {
      {R"({"m":3})",
       {"m",
        "\"m\" is not known here: it may be text, size, fruit, n, seconds, share, samples, notes, grid, "
        "names, "
        "limit, parts"}},
      {R"({"twice":1})", {"twice", "\"twice\" is not known here"}},
      {R"({"parts":[{"name":"a"},{"name":"b","size":1}]})",
       {"parts.1.size", "\"size\" is not known here: it may be name, count"}},
      {R"({"parts":[{"name":"a","count":"x"}]})", {"parts.0.count", "\"parts.0.count\" is no whole number"}},
      {R"({"notes":["a","b","c"]})", {"notes", "\"notes\" is a list of more than 2"}},
      {R"({"grid":[1,2]})", {"grid", "\"grid\" is no list of 3"}}};
  for (const auto& [text, told] : wrong) {
    try {
      read(text, Reading::exact);
      ADD_FAILURE() << text;
    } catch (const BadMember& e) {
      EXPECT_EQ(e.where, told.first) << text;
      EXPECT_THAT(e.what(), testing::StartsWith(told.second)) << text;
    }
  }
}

TEST(JsonFields, AreReadLeniently) {
  const Thing t = read(R"({"text":"more than twelve","size":7,"fruit":"plum","n":11,"seconds":-1,"share":[],
    "samples":[1,-1,"x",2],"notes":["a",1,"c"],"grid":[4],"parts":[{"name":"a","count":[]},{"count":2},3]})",
                       Reading::lenient);
  EXPECT_EQ(t.text, "more than tw");
  EXPECT_EQ(t.size, "small");
  EXPECT_EQ(t.fruit, Fruit::apple);
  EXPECT_EQ(t.n, 5);
  EXPECT_EQ(t.seconds, 0);
  EXPECT_EQ(t.share, 1);
  EXPECT_THAT(t.samples, ElementsAre(1, 2));
  EXPECT_THAT(t.notes, ElementsAre("a"));
  EXPECT_THAT(t.grid, ElementsAre(4, 1, 1));
  ASSERT_EQ(t.parts.size(), 1u);
  EXPECT_EQ(t.parts[0].name, "a");
  EXPECT_EQ(t.parts[0].count, 1);
}

}  // namespace
}  // namespace bscope

// A member of a request is one line: sessions, links, the command line, sweeps and lessons follow from it.
#include <gtest/gtest.h>

#include <boost/pfr/core.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "app/lessons/settings.hpp"
#include "app/links/link.hpp"
#include "app/run/request_text.hpp"
#include "app/session/session_file.hpp"
#include "engine/trace/json_fields.hpp"

namespace bscope {
namespace {

/// A value that the member does not begin with.
void change(std::string& member, const Field& field) {
  member = field.among.empty() ? "x" : field.among.back();
}
void change(uint32_t& member, const Field&) { member += 41; }
void change(std::optional<long long>& member, const Field&) { member = 8; }
void change(std::optional<double>& member, const Field&) { member = 0.544; }
void change(std::optional<std::vector<double>>& member, const Field&) { member = std::vector<double>{3, -1}; }
void change(std::optional<GreyImage>& member, const Field&) { member = GreyImage{2, 1, {7, 255}, 4, 2}; }
void change(std::vector<std::pair<std::string, std::string>>& member, const Field&) {
  member = {{"unroll", "4"}, {"a", "b"}};
}

/// Requests that differ from a plain one in one member each, with the member's name and field.
std::vector<std::tuple<std::string, Field, RunSpec>> changed_requests() {
  std::vector<std::tuple<std::string, Field, RunSpec>> all;
  RunSpec names;
  for_each_field(names, [&](const std::string& of, const auto&, const Field& field) {
    RunSpec r;
    for_each_field(r, [&](const std::string& name, auto& member, const Field& its) {
      if (name == of) change(member, its);
    });
    all.emplace_back(of, field, r);
  });
  return all;
}

TEST(RequestFields, ListEveryMember) {
  EXPECT_EQ(count_fields<RunSpec>(), boost::pfr::tuple_size_v<RunSpec>);
  std::set<std::string> names;
  for (const auto& [name, field, request] : changed_requests()) {
    EXPECT_NE(request, RunSpec{}) << name;
    EXPECT_TRUE(names.insert(name).second) << name << " is listed twice";
  }
}

TEST(RequestFields, AreInSessions) {
  for (const auto& [name, field, request] : changed_requests()) {
    const auto json = nlohmann::ordered_json::parse(json_text(to_fields_json(request)));
    ASSERT_TRUE(json.contains(name));
    RunSpec read;
    from_fields_json(read, json, {});
    EXPECT_EQ(read, request) << name;
    if (field.omit_empty) EXPECT_FALSE(to_fields_json(RunSpec{}).contains(name)) << name;
  }
}

TEST(RequestFields, ThatAreTypedAreKeysOfLinksAndSettingsOfLessons) {
  std::set<std::string> keys;
  for (const auto& key : link_keys()) keys.insert(key.names.begin(), key.names.end());
  RunSpec typed;
  int n = 0;
  for_each_typed_field(typed, [&](const std::string& name, const auto&, const Field& field) {
    EXPECT_EQ(keys.contains(name), field.linked) << name;
    EXPECT_EQ(find_setting(name) != nullptr, field.linked) << name;
    ++n;
  });
  EXPECT_GE(n, 10);
}

TEST(RequestFields, AreReadFromText) {
  RunSpec r;
  EXPECT_TRUE(read_field(r, "entropy", "--entropy", "0.544"));
  EXPECT_TRUE(read_field(r, "n", "--n", "2^20"));
  EXPECT_TRUE(read_field(r, "set", "--set", "unroll=4"));
  EXPECT_FALSE(read_field(r, "image", "--image", "x"));
  EXPECT_EQ(r.entropy, 0.544);
  EXPECT_EQ(r.n, 1 << 20);
  EXPECT_EQ(r.set, (std::vector<std::pair<std::string, std::string>>{{"unroll", "4"}}));
  EXPECT_THROW(read_field(r, "pattern", "--pattern", "zigzag"), UsageError);
  EXPECT_THROW(read_field(r, "preset", "--preset", ""), UsageError);
}

TEST(RequestFields, OfTheInputAreHandedOnTogether) {
  for (const auto& [name, field, request] : changed_requests()) {
    EXPECT_EQ(same_input(request, {}), !field.input) << name;
    EXPECT_EQ(with_input_of({}, request) == request, field.input) << name;
  }
}

}  // namespace
}  // namespace bscope

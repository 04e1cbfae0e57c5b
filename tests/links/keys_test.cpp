// docs/links.md against what options say of themselves.
#include <gtest/gtest.h>

#include "app/links/link.hpp"
#include "tests/cli/run_support.hpp"

namespace bscope {
namespace {

std::string escaped(std::string text) {
  for (size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2))
    text.insert(at, "\\");
  return text;
}

TEST(LinkKeys, StandInTheDocumentation) {
  const std::string page = test::read_file(std::filesystem::path(BARRIERSCOPE_ROOT) / "docs" / "links.md");
  std::string table = "| key | value | |\n|---|---|---|\n";
  for (const Options::LinkKey& key : link_keys()) {
    std::string names;
    for (const std::string& name : key.names) names += (names.empty() ? "`" : " or `") + name + "`";
    table += "| " + names + " | " + (key.type.empty() ? "" : "`" + escaped(key.type) + "` ") + "| " +
             escaped(key.help) + " |\n";
  }
  EXPECT_NE(page.find(table + "\n"), std::string::npos) << "the table should be\n" << table;
}

}  // namespace
}  // namespace bscope

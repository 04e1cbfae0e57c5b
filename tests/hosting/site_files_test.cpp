#include "app/hosting/site_files.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "engine/trace/whole_file.hpp"

namespace bscope {
namespace {

namespace fs = std::filesystem;

class SiteFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(site / "own");
    fs::create_directories(site / ".git");
    for (const char* name :
         {"index.html", "app.html", "app.html.br", "app.html.gz", "own/a b.wasm", ".git/config"})
      write_scratch(site / name, name);
    write_scratch(site.parent_path() / "beside.txt", "not the page's");
  }
  void TearDown() override { fs::remove_all(site.parent_path()); }

  const fs::path site = fs::path(testing::TempDir()) / ("site-" + std::to_string(getpid())) / "page";
};

TEST_F(SiteFiles, AddressesAreFilesOfTheFolder) {
  EXPECT_EQ(site_file(site, "/app.html?kernel=scan/blelloch#x", "").path, site / "app.html");
  EXPECT_EQ(site_file(site, "/", "").path, site / "index.html");
  EXPECT_EQ(site_file(site, "/own/a%20b.wasm", "").path, site / "own/a b.wasm");
  EXPECT_EQ(site_file(site, "/own/a%20b.wasm", "").type, "application/wasm");
  EXPECT_TRUE(site_file(site, "/none.html", "").path.empty());
}

TEST_F(SiteFiles, NothingOutsideOfItIsFound) {
  for (const char* address :
       {"/../beside.txt", "/%2e%2e/beside.txt", "/own/../../beside.txt", "//beside.txt/../../beside.txt",
        "/.git/config", "beside.txt", "/app.html%00.png", "/%zz", "/%", "/own/%2e%2e/%2e%2e/beside.txt"})
    EXPECT_TRUE(site_file(site, address, "").path.empty()) << address;
}

TEST_F(SiteFiles, CompressedFormsGoToThoseThatTakeThem) {
  EXPECT_EQ(site_file(site, "/app.html", "gzip, deflate, br").coding, "br");
  EXPECT_EQ(site_file(site, "/app.html", "gzip;q=1.0").coding, "gzip");
  EXPECT_EQ(site_file(site, "/app.html", "brother, zip").coding, "");
  EXPECT_EQ(site_file(site, "/app.html", "br").type, "text/html; charset=utf-8");
  EXPECT_NE(site_file(site, "/app.html", "br").mark, site_file(site, "/app.html", "").mark);
}

}  // namespace
}  // namespace bscope

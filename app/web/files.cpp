#include "app/web/files.hpp"

#include <filesystem>

#include "app/shell/files.hpp"
#include "app/shell/palette.hpp"
#include "app/web/browser.hpp"

namespace bscope {
namespace {

struct Picking : FileDialog {
  std::optional<std::string> chosen() override {
    char* path = page_picked();
    if (!path) return {};
    return taken(path);
  }
};

struct Download : FileDialog {
  std::string path;
  explicit Download(std::string to) : path(std::move(to)) {}
  std::optional<std::string> chosen() override { return path; }
};

}  // namespace

std::unique_ptr<FileDialog> page_dialog(Asks asks, const std::string& suggestion) {
  if (asks == Asks::save) {
    const std::string name = std::filesystem::path(suggestion).filename().string();
    return std::make_unique<Download>(std::string(downloads) + "/" + name);
  }
  page_pick();
  return std::make_unique<Picking>();
}

}  // namespace bscope

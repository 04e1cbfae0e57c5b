#include "app/window/dialogs.hpp"

#include <portable_file_dialogs/portable_file_dialogs.h>

#include <vector>

#include "app/words/words.hpp"

namespace bscope {
namespace {

const std::vector<std::string>& endings(bool all) {
  static const std::vector<std::string> sessions{"Barrierscope", "*.bscope"},
      inputs{"Barrierscope", "*.bscope *.json *.txt *.csv *.png *.jpg *.jpeg", "*", "*"};
  return all ? inputs : sessions;
}

struct Opens : FileDialog {
  pfd::open_file dialog{std::string(say("Open a session, a trace, numbers or an image")), "", endings(true)};
  std::optional<std::string> chosen() override {
    if (!dialog.ready(0)) return {};
    const auto paths = dialog.result();
    return paths.empty() ? std::string() : paths.front();
  }
};

struct Saves : FileDialog {
  pfd::save_file dialog;
  explicit Saves(const std::string& suggestion)
      : dialog(std::string(say("Save this session")), suggestion, endings(false)) {}
  std::optional<std::string> chosen() override {
    if (!dialog.ready(0)) return {};
    return dialog.result();
  }
};

}  // namespace

std::unique_ptr<FileDialog> desktop_dialog(Asks asks, const std::string& suggestion) {
  if (!pfd::settings::available()) return nullptr;
  if (asks == Asks::save) return std::make_unique<Saves>(suggestion);
  return std::make_unique<Opens>();
}

}  // namespace bscope

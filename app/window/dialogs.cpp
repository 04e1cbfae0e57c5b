#include "app/window/dialogs.hpp"

#include <portable_file_dialogs/portable_file_dialogs.h>

#include <vector>

#include "app/shell/files.hpp"
#include "app/shell/palette.hpp"
#include "app/words/words.hpp"

namespace bscope {
namespace {

const std::vector<std::string>& endings(bool all) {
  static const std::vector<std::string> sessions{"Barrierscope", "*.bscope"},
      inputs{"Barrierscope", "*.bscope *.json *.txt *.csv *.png *.jpg *.jpeg", "*", "*"};
  return all ? inputs : sessions;
}

std::string path_of(pfd::open_file& dialog) {
  const auto paths = dialog.result();
  return paths.empty() ? std::string() : paths.front();
}
std::string path_of(pfd::save_file& dialog) { return dialog.result(); }

template <class Dialog>
struct Desktop : FileDialog {
  Dialog dialog;
  template <class... Words>
  explicit Desktop(const Words&... words) : dialog(words...) {}
  // one that is still open goes with the app: its destructor would wait for the user
  ~Desktop() override {
    if (!dialog.ready(0)) dialog.kill();
  }
  std::optional<std::string> chosen() override {
    if (!dialog.ready(0)) return {};
    return path_of(dialog);
  }
};

}  // namespace

std::unique_ptr<FileDialog> desktop_dialog(Asks asks, const std::string& suggestion) {
  if (!pfd::settings::available()) pfd::settings::rescan();  // one may have been installed meanwhile
  if (!pfd::settings::available()) return nullptr;
  if (asks == Asks::save)
    return std::make_unique<Desktop<pfd::save_file>>(tr("Save this session"), suggestion, endings(false));
  return std::make_unique<Desktop<pfd::open_file>>(tr("Open a session, a trace, numbers or an image"),
                                                   std::string(), endings(true));
}

}  // namespace bscope

#include "app/session/examples.hpp"

#include <algorithm>
#include <filesystem>

#include "app/run/assets.hpp"
#include "app/words/words.hpp"

namespace bscope {
namespace fs = std::filesystem;

std::vector<Example> examples() {
  const fs::path assets = assets_folder();
  std::vector<Example> all;
  for (const char* folder : {"examples", "inputs", "recorded"}) {
    std::vector<fs::path> files;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(assets / folder, none))
      if (entry.is_regular_file(none)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
      const std::string ending = file.extension().string();
      const char* what =
          ending == ".bscope"                     ? tr_noop("A session or a trace.")
          : ending == ".json" || ending == ".csv" ? tr_noop("Times that were recorded on a GPU.")
          : ending == ".txt"                      ? tr_noop("Numbers, as input.")
          : ending == ".png" || ending == ".jpg"  ? tr_noop("An image: a histogram counts its grey levels.")
                                                  : nullptr;
      if (what) all.push_back({file.string(), what});
    }
  }
  return all;
}

}  // namespace bscope

// The settings, and the file that keeps them between starts.
#pragma once

#include <string>

#include "app/session/settings.hpp"

namespace bscope {

struct SettingsFile {
  Settings settings;
  std::string path;  ///< empty: nothing is kept between starts
  Settings written;  ///< what the file holds
};

}  // namespace bscope

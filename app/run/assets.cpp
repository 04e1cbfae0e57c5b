#include "app/run/assets.hpp"

#include "engine/timing/recording.hpp"

namespace bscope {

std::filesystem::path assets_folder() {
  const std::filesystem::path recorded = recordings_folder();
  if (!recorded.empty()) return recorded.parent_path();
#ifdef BARRIERSCOPE_ASSETS
  return BARRIERSCOPE_ASSETS;
#else
  return {};
#endif
}

AssetState offered_assets() {
  return fetch_asset ? fetch_asset(assets_folder() / "lessons") : AssetState::here;
}

}  // namespace bscope

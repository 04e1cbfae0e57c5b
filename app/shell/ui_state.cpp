#include "app/shell/ui_state.hpp"

#include "app/run/run_store.hpp"

namespace bscope {

UiState::UiState() : runs(services.of<RunStore>()), dispatcher(runs) {}

bool CachedPicture::same(const CachedPicture& o) const {
  return run == o.run && cursor == o.cursor && theme_name == o.theme_name && language == o.language &&
         extra == o.extra && area.w == o.area.w && area.h == o.area.h;
}

}  // namespace bscope

#include "app/export/export.hpp"
#include "app/words/words.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/trace/error.hpp"

namespace bscope {

void check_size(const Export& e) {
  if (e.width < 320 || e.height < 180 || e.width > 16384 || e.height > 16384)
    throw UsageError(message("a picture of {}x{} cannot be drawn: choose a size from 320x180 to 16384x16384",
                             e.width, e.height));
}

void Exporter::start(Export e, std::function<void()> changed) {
  if (status().running) return;
  worker_.join();
  stop_ = false;
  {
    std::scoped_lock lock(mutex_);
    status_ = {};
    status_.running = true;
    status_.file = e.file;
  }
  worker_.start([this, e = std::move(e), changed = std::move(changed)] {
    Message error;
    bool whole = false;
    try {
      whole = export_now(e, [&](int done, int all) {
        {
          std::scoped_lock lock(mutex_);
          status_.done = done;
          status_.all = all;
        }
        if (changed) changed();
        return !stop_;
      });
    } catch (const std::exception& x) { error = message_of(x); }
    {
      std::scoped_lock lock(mutex_);
      status_.running = false;
      status_.error = error;
      status_.stopped = !whole && error.empty();
    }
    if (changed) changed();
  });
}

void Exporter::stop() {
  stop_ = true;
  worker_.join();
}

Exporter::Status Exporter::status() const {
  std::scoped_lock lock(mutex_);
  return status_;
}

}  // namespace bscope

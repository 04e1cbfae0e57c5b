#include <algorithm>

#include "app/cli/lines.hpp"
#include "app/cli/text.hpp"
#include "engine/catalog/catalog.hpp"

namespace bscope {

std::string list_text(Ink ink, int width) {
  int name = 0, title = 0;
  for (const Algorithm* a : catalog())
    name = std::max(name, int(a->name.size())), title = std::max(title, int(a->title.size()));
  std::string out, family;
  for (const Algorithm* a : catalog()) {
    if (a->family() != family)
      out += (family.empty() ? "" : "\n") + ink(Role::title, family = a->family()) + "\n";
    const int indent = name + title + 6;
    const std::string lesson = wrapped(a->lesson, width, std::string(size_t(indent), ' '));
    out += "  " + ink(Role::thread, pad_right(a->name, name)) + "  " + pad_right(a->title, title) + "  " +
           lesson.substr(size_t(indent));
    std::string more;
    for (const Parameter& p : a->parameters) {
      more += (more.empty() ? "--set " : "  ") + p.name + "=";
      for (size_t i = 0; i < p.values.size(); ++i) more += (i ? "|" : "") + p.values[i].text;
      if (p.values.empty()) more += "N";
    }
    for (const Preset& p : a->presets) more += (more.empty() ? "" : "  ") + ("--preset " + p.name);
    if (!more.empty()) out += ink(Role::idle, wrapped(more, width, "    "));
    if (!a->fix.empty()) out += wrapped("fix: " + a->fix, width, "    ");
  }
  return out;
}

}  // namespace bscope

#include <fmt/core.h>

#include <ostream>

#include "app/cli/json.hpp"
#include "app/cli/run_options.hpp"
#include "app/cli/text.hpp"
#include "app/cli/verb.hpp"
#include "app/lessons/shelf.hpp"

namespace bscope {
namespace {

struct ListArguments {
  bool json = false;
};

void list_lessons(Console& c) {
  LessonShelf shelf;
  shelf.refresh();
  if (!shelf.ids().empty()) c.out << "\n" + c.ink()(Role::title, "lessons") + "\n";
  for (const std::string& id : shelf.ids())
    if (const Lesson* l = shelf.find(id, Language::en))
      c.out << fmt::format("  {:<22}  {} ({} steps): barrierscope --lesson {}\n", id, l->title,
                           l->steps.size(), id);
}

const RegisterVerb list{{
    .name = "list",
    .what = "The kernels, their parameters and presets",
    .place = 1,
    .takes = [](Options& o) -> Action {
      const auto a = std::make_shared<ListArguments>();
      json_option(o, a->json);
      return [a](Console& c, const Window&) {
        if (a->json) return list_json(c.out), 0;
        c.out << list_text(c.ink(), c.width);
        list_lessons(c);
        return 0;
      };
    },
}};

}  // namespace
}  // namespace bscope

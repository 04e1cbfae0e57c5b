#include <tuple>

#include "app/cli/command.hpp"
#include "app/cli/course_folder.hpp"
#include "app/cli/run_options.hpp"
#include "app/cli/start.hpp"
#include "app/cli/verb.hpp"
#include "app/export/export.hpp"
#include "app/options/options.hpp"
#include "app/options/run_options.hpp"
#include "app/run/numbers.hpp"
#include "app/session/state.hpp"
#include "app/session/tab.hpp"
#include "app/words/words.hpp"
#include "engine/timing/meter.hpp"
#include "engine/trace/error.hpp"

namespace bscope {
namespace {

struct RenderArguments {
  std::vector<std::string> words;
  RunOptions run;
  ViewOptions look;
  RenderOptions render;
};

/// A..B
std::pair<int, int> steps(const std::string& name, const std::string& typed) {
  if (typed.find("..") == std::string::npos)
    throw UsageError(message("--steps {} is no range: write --steps A..B", typed));
  const auto [first, last] = two_numbers(name, typed, "..", "A..B");
  if (last < first)
    throw UsageError(message("--steps {} goes backwards: write the smaller step first", typed));
  if (first < 0) throw UsageError(message("--step counts from 0"));
  return {first, last};
}

std::pair<int, int> size(const std::string& name, const std::string& typed) {
  if (typed.find('x') == std::string::npos)
    throw UsageError(message("--size {} is no size: write for example 1600x900", typed));
  const auto [w, h] = two_numbers(name, typed, "x", "WIDTHxHEIGHT");
  if (w < 320 || h < 180 || w > 16384 || h > 16384)
    throw UsageError(message("--size {} is out of range: from 320x180 to 16384x16384", typed));
  return {w, h};
}

int render_picture(const RenderArguments& a, const Options& given, const Window& window) {
  RenderOptions o = a.render;
  static_cast<ViewOptions&>(o) = a.look;
  o.beside = given.by_link("lesson") && given.by_link("kernel");
  if (given.given("--step") && given.given("--steps"))
    throw UsageError(message("--step and --steps exclude each other"));
  const Tab* const tab = tab_named(o.view);
  if (o.predict && tab && tab->name != main_tab)
    throw UsageError(message("--predict is for --view watch and run: leave out one of them"));
  if (o.out.empty()) throw UsageError(message("`render` needs a picture to write: add -o FILE.png"));
  o.language = name_of(spoken());
  std::vector<std::string> words = a.words;
  if (!take_course(o, a.run, words).empty() && o.lesson == "all")
    throw UsageError(message("{} is a course: name one of its lessons, --lesson NAME", a.words.front()));
  const auto lessons = lessons_target(o, a.run, words);
  o.targets = {lessons ? *lessons : target_of(a.run, words, "render")};
  const size_t files = std::max<size_t>(1, o.targets[0].program.files.size());  // a program may have several
  if (words.size() > files) o.targets.push_back(target_of(a.run, words[files]));
  if (o.targets.size() > 1 && (!tab || !tab->compares))
    throw UsageError(message("two runs in one picture are for --view compare"));
  if (!o.recorded.empty() && (!tab || !tab->shows_recordings || !o.targets[0].is_program()))
    throw UsageError(message("--recorded is for --view time of your own .cu file"));
  for (const Target& t : o.targets) need_affordable(t);
  const bool pixels = o.out.ends_with(".png") && !o.plain && o.last_step < 0;
  if (!o.embed.empty() && !pixels)
    throw UsageError(message("--embed is for one PNG, as a window draws it: use --view for a figure"));
  const auto& draw = pixels && window.render ? window.render : window.figure;
  if (!draw)
    throw NoDevice(
        message("this program was built without the window and its pictures: build the release preset"));
  draw(export_of(o));
  return 0;
}

const RegisterVerb render{{
    .name = "render",
    .what = "A picture of a step",
    .place = 6,
    .takes = [](Options& o) -> Action {
      const auto a = std::make_shared<RenderArguments>();
      RenderOptions& r = a->render;
      run_words(o, "Name of a kernel, a .bscope file, your own .cu file, or a link; two for --view compare",
                2, a->words);
      place_options(o, a->look);
      o.option("--steps", "A..B", "Several: a video (.mp4, .webp), or a picture each (step-%d.svg)",
               [&r, a = a.get()](const auto& name, const auto& typed) {
                 std::tie(a->look.step, r.last_step) = steps(name, typed);
               });
      o.option("--recorded", "FILE.json", "What `time` measured of your own .cu file, for --view time",
               r.recorded, some_word(tr_noop("--recorded needs the name of a file")));
      o.option("--size", "WxH", "Pixels (default 1600x900)", [&r](const auto& name, const auto& typed) {
        std::tie(r.width, r.height) = size(name, typed);
      });
      o.flag("--plain", "A PNG without the window's controls, as in SVG and PDF", r.plain);
      o.option("-o,--output", "F.png|svg|pdf|mp4|webp", "The picture to write", r.out,
               file_to_write(o, {".png", ".svg", ".pdf", ".mp4", ".webp"}));
      look_options(o, a->look);
      embed_option(o, a->look);
      trace_options(o, a->run);
      return [a, &o](Console&, const Window& window) { return render_picture(*a, o, window); };
    },
}};

}  // namespace
}  // namespace bscope

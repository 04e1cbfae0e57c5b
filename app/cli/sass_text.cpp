#include "app/cli/sass_text.hpp"

#include <fmt/format.h>

#include <array>
#include <map>
#include <ostream>
#include <utility>

#include "app/cli/json_writer.hpp"
#include "app/run/machine_code.hpp"
#include "engine/analysis/line_lanes.hpp"
#include "engine/trace/source_line.hpp"

namespace bscope {
namespace {

std::array<int, machine_kinds> kinds_of(const MachineCode& code) {
  std::array<int, machine_kinds> n{};
  for (const MachineInstruction& i : code.instructions) ++n[size_t(i.kind())];
  return n;
}

constexpr const char* name_of_kind[] = {"memory", "exchange", "arithmetic", "barrier", "control"};
constexpr const char* name_of_limit[] = {"registers", "shared memory", "warps", "blocks"};

std::string counted(const std::map<int, LineLanes>& all, int line) {
  const auto it = all.find(line);
  if (it == all.end()) return "not counted";
  const LineLanes& l = it->second;
  std::string text;
  for (const auto& [count, what] : {std::pair{l.read, "read"},
                                    {l.wrote, "wrote"},
                                    {l.updated, "updated"},
                                    {l.exchanged, "exchanged"},
                                    {l.computed, "computed"},
                                    {l.met, "at a barrier"}})
    if (count) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
  return text;
}

void text_of_launch(std::ostream& out, const Launch& l, const LaunchedCode& found, const std::string& source,
                    const Ink& ink) {
  const MachineCode& c = *found.code;
  const Occupancy& o = found.occupancy;
  out << ink(Role::title, fmt::format("launch \"{}\": {} blocks of {} threads", l.name, l.grid, l.block))
      << "\n"
      << fmt::format("  {} for {}, by nvcc {}\n", c.kernel, c.architecture, c.nvcc)
      << fmt::format("  a thread           {} registers, {} bytes of stack, {} bytes of local memory\n",
                     c.registers, c.stack, c.local)
      << fmt::format("  a block            {} bytes of shared memory\n", found.shared_bytes)
      << fmt::format(
             "  a multiprocessor   holds {} blocks, {} of {} warps ({:.0f}%); what keeps it from more: {}\n",
             o.blocks, o.warps, o.of_warps, 100 * o.share(), name_of_limit[o.limit()])
      << "  blocks by          ";
  for (size_t k = 0; k < o.limits.size(); ++k)
    out << fmt::format("{}{} {}", k ? ", " : "", name_of_limit[o.limits[k].what], o.limits[k].blocks);
  const auto kinds = kinds_of(c);
  out << fmt::format("\n  instructions       {}:", c.instructions.size());
  for (int k = 0; k < machine_kinds; ++k)
    out << fmt::format("{} {} {}", k ? "," : "", kinds[size_t(k)], name_of_kind[k]);
  out << "\n";
  const auto lanes = line_lanes(l);
  for (const auto& [line, all] : c.by_line()) {
    if (line)
      out << "\n"
          << ink(Role::title, fmt::format("{:>5}  {}", line, line_of(source, line))) << "\n"
          << "       lanes: " << counted(lanes, line) << "\n";
    else
      out << "\n       of no line\n";
    for (const MachineInstruction* i : all) out << fmt::format("       {:04x}  {}\n", i->address, i->text);
  }
}

}  // namespace

int sass_text(std::ostream& out, const Trace& t, const CodeOfLaunch& code_of, const Ink& ink) {
  int code = 0;
  for (size_t k = 0; k < t.launches.size(); ++k) {
    const Launch& l = t.launches[k];
    if (k) out << "\n";
    const LaunchedCode found = code_of(k);
    if (!found.code) {
      out << fmt::format("launch \"{}\": {}\n", l.name, why_no_code(found.why));
      code = 1;
    } else {
      text_of_launch(
          out, l, found,
          l.source >= 0 && size_t(l.source) < t.sources.size() ? t.sources[size_t(l.source)].text : "", ink);
    }
  }
  return code;
}

int sass_json(std::ostream& out, const Trace& t, const CodeOfLaunch& code_of) {
  int code = 0;
  {
    JsonWriter j(out);
    j.object([&] {
      j.member("kernel", t.kernel);
      size_t number = 0;
      j.name("launches").array(t.launches, [&](const Launch& l) {
        const LaunchedCode found = code_of(number++);
        j.object([&] {
          j.member("launch", l.name);
          j.member("block", l.block);
          if (!found.code) {
            code = 1;
            j.member("why_none", why_no_code(found.why));
            return;
          }
          const MachineCode& c = *found.code;
          j.member("source", c.source);
          j.member("function", c.kernel);
          j.member("architecture", c.architecture);
          j.member("nvcc", c.nvcc);
          j.member("registers", c.registers);
          j.member("stack", c.stack);
          j.member("local", c.local);
          j.member("shared_bytes", found.shared_bytes);
          j.member("blocks", found.occupancy.blocks);
          j.member("warps", found.occupancy.warps);
          j.member("of_warps", found.occupancy.of_warps);
          j.name("limits").object([&] {
            for (const auto& limit : found.occupancy.limits)
              j.member(name_of_limit[limit.what], limit.blocks);
          });
          j.member("limit", name_of_limit[found.occupancy.limit()]);
          j.name("kinds").object([&, n = kinds_of(c)] {
            for (int k = 0; k < machine_kinds; ++k) j.member(name_of_kind[k], n[size_t(k)]);
          });
          const auto lanes = line_lanes(l);
          j.name("lines").array(c.by_line(), [&](const auto& one) {
            j.line(1).object([&] {
              j.member("line", one.first);
              if (const auto it = lanes.find(one.first); it != lanes.end())
                j.name("lanes").object([&, n = it->second] {
                  j.member("read", n.read);
                  j.member("wrote", n.wrote);
                  j.member("updated", n.updated);
                  j.member("exchanged", n.exchanged);
                  j.member("computed", n.computed);
                  j.member("at_barrier", n.met);
                });
              else
                j.member("lanes", nullptr);
              j.name("instructions").array(one.second, [&](const MachineInstruction* i) {
                j.object([&] {
                  j.member("address", i->address);
                  j.member("kind", name_of_kind[i->kind()]);
                  j.member("text", i->text);
                });
              });
            });
          });
        });
      });
    });
  }
  out << "\n";
  return code;
}

}  // namespace bscope

#include "app/tabs/watch/source/machine_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "app/draw/layout.hpp"
#include "app/measure/own_code_bench.hpp"
#include "app/run/cuda_text.hpp"
#include "app/run/machine_code.hpp"
#include "app/run/own_code.hpp"
#include "app/run/own_program.hpp"
#include "app/session/tab_services.hpp"
#include "app/tabs/watch/steps.hpp"
#include "app/tabs/watch/watch_state.hpp"
#include "app/words/counting.hpp"
#include "app/words/words.hpp"
#include "engine/analysis/run_queries.hpp"
#include "engine/catalog/catalog.hpp"

namespace bscope {
namespace {

/// Letters that a column of instructions has at least where there are two: ISETP.GT.AND
constexpr size_t least_column = 14;

Colour of_kind(MachineInstruction::Category kind, std::string_view opcode, const Theme& t) {
  switch (kind) {
    case MachineInstruction::memory:
      return opcode.starts_with("ATOM") || opcode.starts_with("RED") ? t.atomic
             : opcode.starts_with("ST")                              ? t.write
                                                                     : t.read;
    case MachineInstruction::exchange: return t.thread;
    case MachineInstruction::barrier: return t.barrier;
    case MachineInstruction::control: return t.ink2;
    case MachineInstruction::arithmetic: break;
  }
  return t.ink;
}

/// "lanes: 16 read, 8 wrote", and the same without its first word.
std::vector<std::string> done_by(const MachineLines& all, int line) {
  const auto it = all.lanes.find(line);
  if (it == all.lanes.end() || it->second.none()) return {tr("lanes: not counted")};
  const LineLanes& l = it->second;
  std::string words;
  const auto add = [&](long n, const char* what) {
    if (n) words += (words.empty() ? "" : tr(", ")) + tr(what, n);
  };
  add(l.read, tr_noop("{} read"));
  add(l.wrote, tr_noop("{} wrote"));
  add(l.updated, tr_noop("{} updated"));
  add(l.exchanged, tr_noop("{} exchanged"));
  add(l.computed, tr_noop("{} computed"));
  add(l.met, tr_noop("{} met"));
  return {tr("lanes: {}", words), words};
}

std::vector<std::string> made_of(const std::vector<const MachineInstruction*>& all) {
  std::array<int, machine_kinds> n{};
  for (const MachineInstruction* i : all) ++n[size_t(i->kind())];
  const std::string many = tr_count(int(all.size()), "{} instruction", "{} instructions");
  std::string kinds;
  for (int k = 0; k < machine_kinds; ++k)
    if (n[size_t(k)])
      kinds += (kinds.empty() ? "" : tr(", ")) +
               fmt::format("{} {}", n[size_t(k)], words_of(MachineInstruction::Category(k)));
  return {many + ": " + kinds, many};
}

/// By the lines that the source panel shows.
std::map<int, std::vector<const MachineInstruction*>> lines_of(const MachineCode& code, const Trace& trace) {
  auto by_line = code.by_line();
  const CudaText* const text = trace.dialect == Dialect::ours_in_cuda ? cuda_text_of(trace.kernel) : nullptr;
  if (!text) return by_line;
  std::map<int, std::vector<const MachineInstruction*>> shown;
  for (const auto& [line, all] : by_line) {
    auto& there = shown[text->line_of(code.source, line)];
    there.insert(there.end(), all.begin(), all.end());
  }
  shown.erase(0);
  return shown;
}

}  // namespace

const MachineLines& machine_lines(const RunQueries& model, int launch,
                                  const std::shared_ptr<const OwnCode>& own) {
  /// What is kept of an own program holds what it was made from, so that no other comes to lie there.
  struct Kept {
    MachineLines lines;
    std::shared_ptr<const OwnCode> own;
  };
  std::shared_ptr<const void>& kept = model.kept("machine-code:" + std::to_string(launch));
  const auto* have = static_cast<const Kept*>(kept.get());
  if (!have || have->own != own) {
    auto made = std::make_shared<Kept>();
    made->own = own;
    MachineLines& m = made->lines;
    if (!own)
      m.found = launched_code(model.trace(), size_t(launch), machine_code_folder());
    else if (own->why_none.empty())
      m.found = own->of(model.trace(), size_t(launch));
    if (m.found.code) {
      m.by_line = lines_of(*m.found.code, model.trace());
      m.lanes = line_lanes(model.trace().launches[size_t(launch)]);
    } else {
      m.why_none = own && !own->why_none.empty() ? own->why_none : why_no_code(m.found.why);
    }
    kept = std::move(made);
  }
  return static_cast<const Kept*>(kept.get())->lines;
}

std::shared_ptr<const OwnCode> own_code_shown(const LoadedState& s, TabServices& services) {
  if (!s.of<WatchState>().machine_code || !s.target.is_program() || !s.program || !s.run) return nullptr;
  return services.of<OwnCodeBench>().of({s.run, s.program}, s.target, services.wake);
}

uint64_t own_code_version(TabServices& services) { return services.of<OwnCodeBench>().version(); }

LayoutNode machine_figures(const MachineLines& m, const Theme& t, bool brief) {
  const float size = t.px(t.size_label);
  if (!m.found.code) return text({{m.why_none, t.ink2}}, {.size = size});
  const Occupancy& o = m.found.occupancy;
  const LineLook look{.size = size, .colour = t.ink2};
  const std::string registers = tr("{} registers", m.found.code->registers),
                    shared = tr("{} B shared", grouped(m.found.shared_bytes)),
                    warps = tr("{} of {} warps", o.warps, o.of_warps), limit = words_of(o.limit());
  const LayoutNode bar =
      drawing(t.px(64, 110), size * 0.7f, [share = float(o.share())](const DrawContext& p, Box b) {
        p.pen.rect(b, mix(p.t.idle, p.t.panel, 0.35f));
        p.pen.rect({b.x, b.y, b.w * share, b.h}, p.t.thread);
      });
  const LayoutNode filled = row(
      t.gap(),
      {bar, line({tr("{}; limited by {}", warps, limit), tr("{}; {}", warps, limit), warps}, look).grows()});
  const LayoutNode in_one = row(t.gap(), {bar, line({tr("{}; {}", registers, warps), warps}, look).grows()});
  return pressed(
      brief ? in_one
            : column(t.px(3, 2), {line({tr("{} a thread, {} a block", registers, shared),
                                        tr("{}, {}", registers, shared), registers},
                                       look),
                                  filled}),
      {.what = HitRegion::other,
       .box = {},
       .tip = tr("As nvcc {0} compiled it for {1}: {2} registers a thread, {3} bytes of shared memory a "
                 "block, so {4} "
                 "blocks of these on a multiprocessor at a time. What keeps it from more: {5}.",
                 m.found.code->nvcc, m.found.code->architecture, m.found.code->registers,
                 m.found.shared_bytes, o.blocks, limit),
       .name = "source:occupancy"});
}

namespace {

/// Predicate, opcode and operands; in brief as much of it as has room, the opcode at least: the tip has all.
LayoutNode form_of(const MachineInstruction& i, const Theme& t, const MachineLook& look, bool address) {
  const float letter = look.size * 0.6f;
  const std::string_view opcode = opcode_of(i.text);
  const Colour c = of_kind(i.kind(), opcode, t);
  const bool clear = contrast(c, look.ground) >= 4.5f;
  const size_t begin = i.text.starts_with('@') ? std::min(i.text.find(' ') + 1, i.text.size()) : 0;
  const size_t space_at = std::min(i.text.find(' ', begin), i.text.size());
  const std::string name = i.text.substr(0, space_at),
                    operands = space_at < i.text.size() ? i.text.substr(space_at + 1) : "";
  const LineLook bold{.size = look.size, .colour = clear ? c : t.ink, .font = Font::mono_bold, .cut = true};
  const LayoutNode named = line({name}, bold);
  const LineLook quiet{.size = look.size, .colour = t.ink2, .font = Font::mono, .cut = true};
  std::vector<LayoutNode> parts;
  parts.push_back(drawing(t.px(3, 5), look.row * 0.7f,
                          [c, plain = i.kind() == MachineInstruction::arithmetic ||
                                      i.kind() == MachineInstruction::control](const DrawContext& p, Box b) {
                            if (!plain) p.pen.rect(b, c);
                          }));
  if (address)
    parts.push_back(
        line({fmt::format("{:04x}", i.address)}, {.size = look.size, .colour = t.ink3, .font = Font::mono}));
  if (!look.brief) {
    parts.push_back(named);
    parts.push_back(operands.empty() ? LayoutNode(space(0)).grows()
                                     : line({operands}, quiet).grows().gives(1));
  } else {
    const std::string predicate = i.text.substr(0, begin);
    std::vector<LayoutNode> ways;
    if (!operands.empty()) ways.push_back(row(letter, {named, line({operands}, quiet)}));
    for (const std::string& shorter : {name, predicate + std::string(opcode), std::string(opcode)})
      ways.push_back(line({shorter}, bold));
    parts.push_back(widest_that_fits(std::move(ways)).grows());
  }
  LayoutNode f = pressed(row(letter, std::move(parts)),
                         {.what = HitRegion::other,
                          .box = {},
                          .tip = tr("At {0:#06x}: {1} ({2})", i.address, i.text, words_of(i.kind())),
                          .name = "source:code:" + std::to_string(i.address)});
  f.height = [high = look.row](const DrawContext&, float) { return high; };
  return f;
}

}  // namespace

std::vector<LayoutNode> machine_rows(const MachineLines& m, int line_number, int first, int most,
                                     const Theme& t, const MachineLook& look) {
  std::vector<LayoutNode> out;
  const auto it = m.by_line.find(line_number);
  if (it == m.by_line.end()) return out;
  const auto& all = it->second;
  const auto tall = [&](LayoutNode f) {
    f.height = [high = look.row](const DrawContext&, float) { return high; };
    return f;
  };
  const LineLook quiet{.size = look.size, .colour = t.ink2, .cut = true};
  const std::vector<std::string> made = made_of(all), lanes = done_by(m, line_number);
  if (look.brief) {
    std::vector<std::string> spellings{lanes.front() + tr("; ") + made.back()};
    spellings.insert(spellings.end(), lanes.begin(), lanes.end());
    out.push_back(tall(line(std::move(spellings), quiet)));
  } else {
    out.push_back(tall(line(lanes, quiet)));
    out.push_back(tall(line(made, quiet)));
  }
  const int count = int(all.size()), from = first < count ? std::max(0, first) : 0;
  const int columns = look.brief && count > most && look.letters >= 2 * least_column ? 2 : 1;
  const bool several = count > columns * most;
  const int rows = several ? std::max(1, most - 1) : columns == 1 ? count : (count + 1) / 2;
  const int end = std::min(count, from + columns * rows);
  const auto instruction = [&](int k) { return form_of(*all[size_t(k)], t, look, look.letters >= 44); };
  for (int k = from; k < std::min(end, from + rows); ++k)  // down the first column, then down the second
    out.push_back(columns == 1 ? instruction(k)
                               : tall(shares(look.size * 0.6f,
                                             {{1, instruction(k)},
                                              {1, k + rows < end ? instruction(k + rows) : LayoutNode{}}})));
  if (several) {
    const int rest = count - end;
    out.push_back(
        tall(pressed(line({rest ? tr("{} to {} of {}: show more", from + 1, end, count)
                                : tr("{} to {} of {}: show the first", from + 1, end, count)},
                          {.size = quiet.size,
                           .colour = contrast(t.thread, look.ground) >= 4.5f ? t.thread : t.ink,
                           .cut = true}),
                     {.what = HitRegion::button,
                      .box = {},
                      .tip = tr("The line's further instructions; after the last ones the first again."),
                      .name = "source:code:more",
                      .press = [next = rest ? end : 0](LoadedState& s, float) {
                        s = show_code_from(std::move(s), next);
                      }})));
  }
  return out;
}

}  // namespace bscope

#include <algorithm>
#include <map>
#include <utility>

#include "app/tabs/watch/array_parts.hpp"
#include "app/tabs/watch/terms.hpp"
#include "app/words/counting.hpp"
#include "app/words/words.hpp"

namespace bscope {

std::shared_ptr<const Chosen> choose_moves(const Scene& v) {
  std::shared_ptr<const void>& kept = v.model.kept("array view");
  const auto same = [](const ArrayRange& a, const ArrayRange& b) {
    return a.array == b.array && a.first == b.first && a.size == b.size;
  };
  if (auto old = std::static_pointer_cast<const Chosen>(kept);
      old && old->step == &v.step && old->substep == (v.sub ? v.sub->number : -1) &&
      old->followed == v.followed && same(old->from, v.from) && same(old->to, v.to))
    return old;
  const auto made = std::make_shared<Chosen>();
  made->step = &v.step;
  made->substep = v.sub ? v.sub->number : -1;
  made->from = v.from;
  made->to = v.to;
  made->followed = v.followed;
  std::vector<Drawn>& moves = made->moves;
  std::map<int, size_t> first_to_cell;
  for (const Move& m : v.sub ? v.sub->moves : v.step.moves()) {
    Drawn d{&m, -1, m.arrow.thread % v.threads == v.followed, 1};
    if (m.held) {
      if (v.in_part(m.arrow.to, v.to))
        d.to = m.arrow.to.index - v.to.first;
      else if (v.in_part(m.arrow.from[0], v.from) && v.one_row())
        d.to = m.arrow.from[0].index - v.from.first;
      else
        continue;
    } else if (!v.in_part(m.arrow.to, v.to)) {
      const auto known = std::find_if(made->elsewhere.begin(), made->elsewhere.end(), [&](const auto& e) {
        return e.first->arrow.to.array == m.arrow.to.array;
      });
      if (known == made->elsewhere.end())
        made->elsewhere.emplace_back(&m, 1);
      else
        ++known->second;
      continue;
    } else {
      d.to = m.arrow.to.index - v.to.first;
      // Many threads on one cell (atomics, races): one pill stands for them, the followed one's if it is
      // among them.
      if (const auto* w = v.writes_of(m.arrow.to); w && w->times > 2) {
        const auto [it, fresh] = first_to_cell.try_emplace(d.to, moves.size());
        if (!fresh) {
          Drawn& shown = moves[it->second];
          d.times = shown.times + 1;
          if (d.focus && !shown.focus)
            shown = d;
          else
            shown.times = d.times;
          continue;
        }
      }
    }
    if (d.to >= 0 && d.to < v.to.size) moves.push_back(d);
  }
  for (const Drawn& d : moves) {
    made->focus += d.focus;
    made->held += d.move->held;
    made->writes += d.times > 1 ? d.times : 0;
    if (!made->registers)
      made->registers = std::any_of(d.move->arrow.from.begin(), d.move->arrow.from.end(),
                                    [&](CellRef p) { return !read_now(v, *d.move, p); });
    made->lanes = made->lanes || !d.move->arrow.lanes.empty();
    if (made->meanwhile || d.times > 1) continue;
    for (size_t k = 0; k < d.move->arrow.loads.size() && !made->meanwhile; ++k)
      if (!written_meanwhile(v, *d.move, k).empty()) made->meanwhile = d.move, made->meanwhile_load = k;
  }
  kept = made;
  return made;
}

// A value loaded before the barrier arrives in a register, not from the cell.
bool read_now(const Scene& v, const Move& m, CellRef p) {
  for (size_t k = 0; k < m.arrow.from.size() && k < m.arrow.loads.size(); ++k)
    if (m.arrow.from[k] == p) {
      const Node& n = v.model.flow().nodes[size_t(m.arrow.loads[k])];
      // one request writes what others read before it: an atomic alone reads by itself
      if (v.sub && !m.held) return m.arrow.loads[k] == m.arrow.node;
      return n.launch == v.step.interval->launch && n.interval == v.step.interval->index;
    }
  return true;
}

std::string value_written(const Scene& v, const Move& m) {
  const Node& n = v.model.flow().nodes[size_t(m.arrow.node)];
  return v.value(written_bits(v.model.flow(), n, v.model.found(v.sub, m.arrow.node)), n.kind);
}

std::string written_meanwhile(const Scene& v, const Move& m, size_t load) {
  const CellRef p = m.arrow.from[load];
  const int id = m.arrow.loads[load];
  if (p.array != v.from.array || !read_now(v, m, p)) return {};
  const Node& n = v.model.flow().nodes[size_t(id)];
  const bool known = p.index >= v.before->first && p.index < v.before->size() && v.before->is_known(p.index);
  if (known && v.before->bits_of(p.index) == v.model.found(v.sub, id)) return {};
  if (n.a < 0) return {};
  const Node& writer = v.model.flow().nodes[size_t(n.a)];
  const int block = writer.thread / v.threads;
  return block == v.block.block ? "t" + std::to_string(writer.thread % v.threads)
                                : "b" + std::to_string(block);
}

std::string meanwhile_words(const Scene& v, const Move& m, size_t load) {
  const int id = m.arrow.loads[load];
  return written_meanwhile(v, m, load) + ": " +
         v.value(v.model.found(v.sub, id), v.model.flow().nodes[size_t(id)].kind);
}

std::vector<Input> inputs_of(const Scene& v, const CellRow& row, const Drawn& d) {
  const Move& m = *d.move;
  const auto& nodes = v.model.flow().nodes;
  const auto& words = v.model.run().report.words();
  const auto made_here = [&](int load) {  // whether this step itself wrote what the load saw
    const int writer = nodes[size_t(load)].a;
    return writer >= 0 && nodes[size_t(writer)].launch == v.step.interval->launch &&
           nodes[size_t(writer)].interval == v.step.interval->index;
  };
  const auto value = [&](size_t k) -> std::string {
    if (k >= m.arrow.loads.size()) return {};
    const int load = m.arrow.loads[k];
    if (v.hides() && made_here(load)) return "?";
    if (v.words_before) {
      const Word w = size_t(load) < words.size() ? words[size_t(load)] : Word{};
      return w.known ? word_text(w, false) : "?";
    }
    return v.value(v.model.found(v.sub, load), nodes[size_t(load)].kind);
  };
  std::vector<Input> out;
  std::vector<size_t> others;
  for (size_t k = 0; k < m.arrow.from.size(); ++k) {
    const CellRef p = m.arrow.from[k];
    const int cell = p.index - v.from.first;
    const bool in_picture = p.array == v.from.array && row.has(cell);
    const bool now = read_now(v, m, p);
    if (!in_picture || !now) {
      // its own former value stands in the row after already
      if (!now || p != m.arrow.to) others.push_back(k);
      continue;
    }
    Input in{p, {}, cell, false, false};
    if (d.times > 1 && p == m.arrow.to) {
      // the first of many found what the row before shows; the others what those before them made of it
      if (v.before->is_known(p.index))
        in.words = Content{v.before.get(), v.words_before.get()}.text(p.index, false);
    } else if (k < m.arrow.loads.size() && !written_meanwhile(v, m, k).empty()) {
      in.meanwhile = true;
      in.writer = nodes[size_t(m.arrow.loads[k])].a;
      in.words = v.hides() ? "?" : meanwhile_words(v, m, k);
    } else {
      in.words = value(k);
    }
    out.push_back(std::move(in));
  }
  if (others.empty()) return out;
  const auto now = [&](size_t k) { return read_now(v, m, m.arrow.from[k]); };
  if (others.size() == 1 && m.arrow.lanes.empty()) {
    out.push_back({m.arrow.from[others[0]], value(others[0]), -1, !now(others[0]), false});
    return out;
  }
  // several values from elsewhere stand together, as the sentence that explains them has them
  Input all{{}, {}, -1, std::none_of(others.begin(), others.end(), now), false};
  const size_t most = d.focus ? 6 : 4;
  const bool secret = v.hides() && std::any_of(m.arrow.loads.begin(), m.arrow.loads.end(), made_here);
  if (secret) {
    all.words = "?";
  } else if (!out.empty() || m.held) {
    std::vector<Why> parts(others.size());
    std::vector<const Why*> values;
    for (size_t k = 0; k < others.size(); ++k) {
      parts[k].value = value(others[k]);
      values.push_back(&parts[k]);
    }
    all.words = terms_text(values, m.arrow.op, most);
  } else if (!v.words_before) {
    const Why w = made_of(v.model.trace(), v.model.flow(), words, m.arrow.node);
    const std::vector<const Why*> values = terms(w);
    all.words = terms_text(values, w.op, most);
    const bool cells =
        std::any_of(values.begin(), values.end(), [](const Why* t) { return t->place.array >= 0; });
    if (!cells) all.in_register = true;  // lanes put it together
  }
  out.push_back(std::move(all));
  return out;
}

std::string joined(const std::vector<std::string>& clauses, const std::string& between) {
  std::string all;
  for (const std::string& c : clauses) all += (all.empty() ? "" : between) + c;
  return all;
}

Scene::Marks wanted_marks(const Scene& v) {
  Scene::Marks out;
  out.boxed = v.chosen->registers;
  if (v.chosen->meanwhile && v.chosen->moves.size() <= 16) {
    out.words = meanwhile_words(v, *v.chosen->meanwhile, v.chosen->meanwhile_load);
    out.by = written_meanwhile(v, *v.chosen->meanwhile, v.chosen->meanwhile_load);
  }
  return out;
}

// What the picture leaves out is said in words.
std::vector<std::string> captions(const Scene& v, const CellRow& row, const Scene::Marks& marks) {
  if (v.hides() && v.theme.printed) return {tr("Unchanged cells stay filled in.")};
  if (v.hides())
    return {std::string(
        tr("Type a value, Tab moves to the next box, Enter reveals. Unchanged cells stay filled in."))};
  std::vector<std::string> out;
  const auto add = [&](std::string s) { out.push_back(std::move(s)); };
  const int held = v.chosen->held, writes = v.chosen->writes, all = int(v.chosen->moves.size());
  // cells that the step wrote and the row leaves out
  int outside = int(v.written_in(v.to.array, v.to.first, v.to.size).size());
  for (const int cell : row.cells)
    outside -= cell < v.to.size && v.writes_of({v.to.array, v.to.first + cell});
  if (outside > 0)
    add(tr_count(outside, "{} more cell written, outside the lens",
                 "{} more cells written, outside the lens"));
  if (writes > 0 && v.selected)
    if (const auto* w = v.writes_of(*v.selected); w && w->times > 1) {
      const Node& last = v.model.flow().nodes[size_t(w->node)];
      const bool atomic = is_atomic(last.op);
      const int lost = v.model.lost(v.step, *v.selected);
      const std::string cell = v.name(*v.selected);
      std::string words = atomic ? tr("{} atomics queue for {}", w->times, cell)
                          : lost ? tr("{} writes to {}, {} of them lost", w->times, cell, lost)
                                 : tr("{} writes to {}", w->times, cell);
      if (atomic && last.op == Op::atomic_add && last.b >= 0) {
        const uint64_t old = v.model.found(v.sub, w->node);
        words += tr(", the last by t{0} ({1} + {2} = {3})", last.thread % v.threads, v.value(old, last.kind),
                    v.value(v.model.flow().nodes[size_t(last.b)].bits, last.kind),
                    v.value(written_bits(v.model.flow(), last, old), last.kind));
      } else {
        words += tr(", the last by t{}", last.thread % v.threads);
      }
      add(words);
    }
  if (v.selected && (!v.lit_before.empty() || !v.lit_after.empty()))
    if (const std::string words = words_of(v.relatives, v.name(*v.selected)); !words.empty()) add(words);
  if (!marks.words.empty()) add(tr("{0}: read after {1} had written it in this step", marks.words, marks.by));
  if (marks.picked) add(tr("arrow from below: read after it was written in this step"));
  if (marks.boxed)
    add(std::string(v.sub ? tr("boxed values wait in registers")
                    : v.chosen->lanes
                        ? tr("boxed values came in registers, from lanes or from before the barrier")
                        : tr("boxed values were read before the barrier and kept in registers")));
  if (all > 0 && held == all && !v.sub)
    add(tr("only reads here: the values wait in registers for the barrier"));
  for (const auto& [m, same] : v.chosen->elsewhere) {
    const std::string cell = v.name(m->arrow.to), value = value_written(v, *m);
    add(same > 1 ? tr("also {} = {} and {} more there", cell, value, same - 1)
                 : tr("also {} = {}", cell, value));
  }
  return out;
}

}  // namespace bscope

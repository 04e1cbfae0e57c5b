#include <algorithm>
#include <map>

#include "app/view/watch/array_parts.hpp"
#include "app/words/words.hpp"

namespace bscope {

std::shared_ptr<const Chosen> choose_moves(const Scene& v) {
  std::shared_ptr<const void>& kept = v.model.kept("array view");
  const auto same = [](const Part& a, const Part& b) {
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
      if (m.arrow.to.array == v.to.array)
        d.to = m.arrow.to.index - v.to.first;
      else if (m.arrow.from[0].array == v.from.array && v.from.array == v.to.array)
        d.to = m.arrow.from[0].index - v.from.first;
      else
        continue;
    } else if (m.arrow.to.array != v.to.array) {
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
                                    [&](Place p) { return !read_now(v, *d.move, p); });
  }
  kept = made;
  return made;
}

// A value loaded before the barrier arrives in a register, not from the cell.
bool read_now(const Scene& v, const Move& m, Place p) {
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
  return v.value(written_bits(v.model.flow(), n), n.kind);
}

// What the picture leaves out is said in words.
std::string captions(const Scene& v, int drawn) {
  if (v.hides())
    return std::string(
        say("Type a value, Tab moves to the next box, Enter reveals. Unchanged cells stay filled in."));
  std::string out;
  const auto add = [&](const std::string& s) { out += (out.empty() ? "" : std::string(say("; "))) + s; };
  const int focus = v.chosen->focus, held = v.chosen->held, writes = v.chosen->writes;
  const int all = int(v.chosen->moves.size());
  if (drawn < all && focus)
    add(all > 16 ? say("{} more like it", all - drawn) : say("{} more outside the lens", all - drawn));
  if (v.selected && (!v.lit_before.empty() || !v.lit_after.empty()))
    if (const std::string words = words_of(v.relatives, v.name(*v.selected)); !words.empty()) add(words);
  if (v.chosen->registers)
    add(std::string(v.sub ? say("boxed values wait in registers")
                          : say("boxed values were read before the barrier and kept in registers")));
  if (all > 0 && held == all && !v.sub)
    add(std::string(say("only reads here: the values wait in registers for the barrier")));
  if (writes > 0 && v.selected)
    if (const auto* w = v.writes_of(*v.selected); w && w->times > 1) {
      const bool atomic = is_atomic(v.model.flow().nodes[size_t(w->node)].op);
      const int lost = v.model.lost(v.step, *v.selected);
      const std::string cell = v.name(*v.selected);
      add(atomic ? say("{} atomics queue for {}", w->times, cell)
          : lost ? say("{} writes to {}, {} of them lost", w->times, cell, lost)
                 : say("{} writes to {}", w->times, cell));
    }
  for (const auto& [m, same] : v.chosen->elsewhere) {
    const std::string cell = v.name(m->arrow.to), value = value_written(v, *m);
    add(same > 1 ? say("also {} = {} and {} more there", cell, value, same - 1)
                 : say("also {} = {}", cell, value));
  }
  return out;
}

}  // namespace bscope

#include "engine/analysis/replay_copies.hpp"

namespace bscope::replay {

bool CopyEngine::step(int t, const Event& e, int32_t& id) {
  ReplayBlock& block = s_.its_block(t);
  if (!block.started) memory_.start(block);
  s_.flow.finer_order[size_t(s_.number)] = true;
  const ReplayThread& me = s_.threads[size_t(t)];
  switch (e.op) {
    case Op::bulk_read: return true;  // with the bulk_write that follows
    case Op::bulk_write:
      if (me.pos && me.log[me.pos - 1].op == Op::bulk_read) id = copy(t, me.log[me.pos - 1], e);
      return true;
    case Op::arrive: id = tell(t, e, e.array, e.a, int32_t(e.bits)); return true;
    default: return await(t, e, id);
  }
}

Node CopyEngine::access(int t, const Event& e, const ArrayView& array, int number, uint32_t cell,
                        uint64_t bits) const {
  Node n = s_.node(t, e, bits);
  n.kind = uint8_t(array.kind);
  n.place = {number, int(cell)};
  return n;
}

int CopyEngine::copy(int t, const Event& from, const Event& to) {
  ReplayBlock& block = s_.its_block(t);
  if (from.bits && (!memory_.has(from.array, uint64_t(from.a) + from.bits) ||
                    !memory_.has(to.array, uint64_t(to.a) + from.bits))) {
    s_.fault(t, to, message("{} copies outside of an array in line {}", s_.who(t), to.line));
    return -1;
  }
  const ArrayView source = memory_.cells(block, from.array), target = memory_.cells(block, to.array);
  bool unwritten = false;
  for (uint32_t k = 0; k < from.bits; ++k) {
    const uint64_t bits = ReplayMemory::read(source, from.a + k);
    Node read = access(t, from, source, from.array, from.a + k, bits);
    read.a = source.node[from.a + k];
    unwritten = unwritten || (source.shared && read.a < 0);
    Node write = access(t, to, target, to.array, to.a + k, bits);
    write.a = s_.add_access(t, read);
    memory_.write(block, target, to.a + k, bits, s_.add_access(t, write));
  }
  if (unwritten)
    s_.fault(t, from,
             message("the bulk copy in line {} reads cells of {} that were never written", from.line,
                     s_.trace.array(*s_.launch, from.array).name));
  if (from.b && !from.bits) return -1;
  if (from.b)
    return tell(t, to, int(from.b >> 24), (from.b & 0xffffff) - 1,
                -int32_t(from.bits * uint32_t(source.width)), Op::complete);
  Node end = s_.node(t, to, 0);
  end.op = Op::commit;
  return s_.add(end);
}

int CopyEngine::tell(int t, const Event& e, int array, uint32_t index, int32_t bytes, Op op) {
  ReplayBlock& block = s_.its_block(t);
  if (array < first_shared || !memory_.has(array, uint64_t(index) + 1) ||
      memory_.cells(block, array).width != sizeof(uint64_t)) {
    s_.fault(t, e, message("{} names an mbarrier that does not exist, in line {}", s_.who(t), e.line));
    return -1;
  }
  const ArrayView barriers = memory_.cells(block, array);
  const uint64_t now = Mbarrier::of(ReplayMemory::read(barriers, index)).after(bytes).word();
  Node n = access(t, e, barriers, array, index, now);
  n.op = op;
  const int id = s_.add_access(t, n);
  memory_.write(block, barriers, index, now, id);
  return id;
}

bool CopyEngine::await(int t, const Event& e, int32_t& id) {
  if (e.array < first_shared || !memory_.has(e.array, uint64_t(e.a) + 1)) {
    s_.fault(t, e, message("{} awaits an mbarrier that does not exist, in line {}", s_.who(t), e.line));
    return true;
  }
  const ArrayView barriers = memory_.cells(s_.its_block(t), e.array);
  const uint64_t now = ReplayMemory::read(barriers, e.a);
  if (!Mbarrier::of(now).complete(e.bits)) {
    if (!s_.anything_goes()) return false;
    const CellRef cell{e.array, int(e.a)};
    s_.fault(t, {.line = e.line,
                 .message = message("{} passes {} in line {} before its phase is complete", s_.who(t),
                                    cell_name(s_.trace, s_.number, cell), e.line),
                 .cells = {cell}});
  }
  Node n = access(t, e, barriers, e.array, e.a, now);
  n.a = barriers.node[e.a];
  id = s_.add_access(t, n);
  return true;
}

}  // namespace bscope::replay

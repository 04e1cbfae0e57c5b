#include "engine/analysis/run_serialization.hpp"

#include <array>
#include <cstring>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/analysis/content.hpp"
#include "engine/analysis/dataflow_graph.hpp"
#include "engine/analysis/lost.hpp"
#include "engine/analysis/run.hpp"
#include "engine/trace/finding.hpp"
#include "engine/trace/message.hpp"
#include "engine/trace/trace.hpp"

namespace bscope {
namespace {

/// Joins many small writes into few large ones.
class BufferedWriter {
 public:
  explicit BufferedWriter(const PutBytes& put) : put_(put) {}
  ~BufferedWriter() { flush(); }
  void operator()(const void* from, size_t n) {
    if (n > room - used_) flush();
    if (n > room) return put_({static_cast<const std::byte*>(from), n});
    if (n) std::memcpy(bytes_.data() + used_, from, n);
    used_ += n;
  }

 private:
  static constexpr size_t room = 1 << 16;
  void flush() {
    if (used_) put_({bytes_.data(), used_});
    used_ = 0;
  }
  const PutBytes& put_;
  std::vector<std::byte> bytes_ = std::vector<std::byte>(room);
  size_t used_ = 0;
};

}  // namespace

/// Goes through all members, in one order for both ways, and either reads or writes each.
template <bool reads>
class MemberVisitor {
 public:
  using Stream = std::conditional_t<reads, const GetBytes, BufferedWriter>;
  MemberVisitor(Stream& stream, const Trace& trace) : stream_(stream), trace_(trace) {}

  static constexpr int parts = 5;  // each takes about as long
  void flow(DataflowGraph& f, int part) {
    switch (part) {
      case 0: return all(f.plus, f.nodes);
      case 1:
        return list(f.own_memory, [&](auto& memory) { shared(memory, [&](auto& bytes) { one(bytes); }); });
      case 2: return list(f.intervals, [&](Interval& v) { interval(v, f); });
      case 3:
        list(f.last, [&](auto& launch) { list(launch, [&](auto& array) { one(array); }); });
        list(f.hazards, [&](Hazard& h) {
          all(h.launch, h.block, h.place, h.array, h.lines, h.threads, h.writes, h.message, h.help,
              h.cure.kind, h.cure.places, h.cure.line, h.cure.other_line, h.cure.scope, h.cure.between_blocks,
              h.cure.is_volatile, h.cure.outside_if, h.cure.every_round, h.alike, h.first_block,
              h.last_block);
        });
        all(f.hazards_found);
        list(f.faults, [&](Finding& x) {
          all(x.launch, x.block, x.thread, x.line, x.message, x.kind, x.cells, x.help, x.more);
        });
        return all(f.snapshots_match, f.snapshots, f.order_matters, f.sequence);
      default:
        all(f.global_writes, f.writes_of.first_cell, f.writes_of.first, f.writes_of.nodes);
        list(f.vectors, [&](auto& v) { all(v.first, v.second); });
        all(f.finer_order, f.blocks_meet);
    }
  }
  void words(WordTable& w) {
    one(w.all_);
    list(w.others_, [&](Word& o) {
      all(o.known, o.power);
      size_t n = o.runs.size();
      one(n);
      for (size_t k = 0; k < n; ++k) {
        Runs::InputRange r = reads ? Runs::InputRange() : o.runs[k];
        all(r.first, r.second);
        if (reads) o.runs.push_back(r);
      }
    });
  }
  void lost(Lost& l) { all(l.performed, l.present, l.lost, l.updates, l.cells); }

 private:
  void raw(void* at, size_t n) {
    if constexpr (reads)
      stream_({static_cast<std::byte*>(at), n});
    else
      stream_(at, n);
  }
  template <class T>
  void one(T& v) {
    static_assert(std::is_trivially_copyable_v<T>);
    raw(&v, sizeof v);
  }
  template <class T, class A>
  void one(std::vector<T, A>& v) {
    static_assert(std::is_trivially_copyable_v<T>);
    sized(v);
    raw(v.data(), v.size() * sizeof(T));
  }
  void one(std::string& s) {
    sized(s);
    raw(s.data(), s.size());
  }
  void one(Message& m) {
    std::string text = reads ? std::string() : m.serialized();
    one(text);
    if (reads) m = Message::parse(text);
  }
  void one(std::vector<bool>& v) {
    std::vector<uint8_t> bytes(v.begin(), v.end());
    one(bytes);
    if (reads) v.assign(bytes.begin(), bytes.end());
  }
  template <class... T>
  void all(T&... each) {
    (one(each), ...);
  }
  template <class L>
  void sized(L& l) {
    size_t n = l.size();
    one(n);
    if (reads) l.resize(n);
  }
  template <class L, class F>
  void list(L& l, F each) {
    sized(l);
    for (auto& e : l) each(e);
  }
  /// What several hold is written once, and held by several again.
  template <class T, class F>
  void shared(std::shared_ptr<const T>& p, F content) {
    auto& seen = seen_of<T>();
    size_t number = 0;  // of those that were met; 0: none is held
    if (!reads && p) number = numbers_.try_emplace(p.get(), seen.size() + 1).first->second;
    one(number);
    if (!number) return;
    if (number > seen.size()) {
      const auto made = reads ? std::make_shared<T>() : std::const_pointer_cast<T>(p);
      content(*made);
      seen.push_back(made);
    }
    p = seen[number - 1];
  }
  template <class T>
  auto& seen_of() {
    if constexpr (std::is_same_v<T, std::vector<bool>>)
      return written_;
    else
      return memory_;
  }

  void interval(Interval& v, DataflowGraph& f) {
    all(v.launch, v.block, v.index, v.line, v.of_grid, v.phase, v.nodes, v.copies, v.work, v.kept_holders);
    shared(v.written, [&](std::vector<bool>& w) { one(w); });
    // its memory is a piece of the trace's snapshots, or of the replay's own
    size_t own = 0, from = 0, size = v.shared.size();
    const auto& snapshots = trace_.launches[size_t(v.launch)].blocks[size_t(v.block)].snapshots;
    if (!reads && size) {
      while (own < f.own_memory.size() && f.own_memory[own]->data() != v.shared.data()) ++own;
      if (own == f.own_memory.size()) from = size_t(v.shared.data() - snapshots.data());
    }
    all(own, from, size);
    if (!reads || !size) return;
    v.shared = own < f.own_memory.size() ? std::span<const std::byte>(*f.own_memory[own])
                                         : std::span(snapshots).subspan(from, size);
  }

  Stream& stream_;
  const Trace& trace_;
  std::unordered_map<const void*, size_t> numbers_;
  std::vector<std::shared_ptr<const std::vector<bool>>> written_;
  std::vector<std::shared_ptr<const std::vector<std::byte>>> memory_;
};

void serialize_run(const Run& run, const PutBytes& put) {
  BufferedWriter writer(put);
  MemberVisitor<false> out(writer, run.trace);
  // one way through the members serves both: writing changes none of them
  for (int part = 0; part < MemberVisitor<false>::parts; ++part)
    out.flow(const_cast<DataflowGraph&>(run.report.flow), part);
  out.words(const_cast<WordTable&>(run.report.words()));
  out.lost(const_cast<Lost&>(run.report.lost()));
}

struct RunDeserializer::Reader {
  Reader(Trace&& trace, GetBytes from) : get(std::move(from)), in(get, run->trace) {
    run->trace = std::move(trace);
  }
  std::shared_ptr<Run> run = std::make_shared<Run>();
  GetBytes get;
  MemberVisitor<true> in;
  DataflowGraph flow;
  WordTable words;
  Lost lost;
  int done = 0;
};

RunDeserializer::RunDeserializer(Trace&& trace, GetBytes get)
    : impl_(std::make_unique<Reader>(std::move(trace), std::move(get))) {}
RunDeserializer::~RunDeserializer() = default;

bool RunDeserializer::next() {
  Reader& r = *impl_;
  const int part = r.done++ - MemberVisitor<true>::parts;
  if (part < 0) {
    r.in.flow(r.flow, part + MemberVisitor<true>::parts);
  } else if (part == 0) {
    r.in.words(r.words);
  } else if (part == 1) {
    r.in.lost(r.lost);
    r.run->report = analyse(r.run->trace, std::move(r.flow));
    r.run->report.store(std::move(r.words), std::move(r.lost));
  }
  return part <= 1;
}

std::shared_ptr<const Run> RunDeserializer::take() { return std::move(impl_->run); }

std::shared_ptr<const Run> deserialize_run(Trace&& trace, const GetBytes& get) {
  RunDeserializer run(std::move(trace), get);
  while (run.next()) {}
  return run.take();
}

}  // namespace bscope

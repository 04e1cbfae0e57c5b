#include "engine/cuda/native/emitter.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "engine/cuda/native/function_emitter.hpp"

namespace bscope::cuda {
namespace {

using std::to_string;
constexpr uint64_t most_stack = 128 << 10;  // of a fiber's
constexpr size_t most_steps = 40'000;       // that a compiler is asked to look at
constexpr size_t most_copied_sites = 128;   // by each call; beyond that, copying them takes long

/// A kernel and what it calls, the called before the callers.
class UnitEmitter {
 public:
  UnitEmitter(const BytecodeProgram& program, int file) : unit_{program, file, made_, {}, {}} {}

  std::optional<NativeText> emit(const BytecodeFunction& kernel) {
    if (!can_be(kernel)) return {};
    const StackUse all = visit(kernel, true);
    const std::string entry = entry_of(kernel, all);
    if (all.stack + 2 * frame_ > most_stack) return {};
    made_.left.function = kernel.function;
    made_.text = std::string(native_text("thread.h"));
    made_.text += "enum { FRAME = " + to_string(frame_) + ", NOTES = " + to_string(notes_) +
                  " };\n#define LOCAL_BASE " + to_string(ir::local_base) + "ull\n#define COPIES_SITES " +
                  to_string(int(copies_sites())) + "\n";
    for (const char* text : {"small_floats.h", "semantics.h", "instructions.def", "prelude.c"})
      made_.text += native_text(text);
    for (const int n : results_)
      made_.text += "struct results" + to_string(n) + " { uint64_t v[" + to_string(n) + "]; };\n";
    made_.text += functions_ + entry;
    return std::move(made_);
  }

 private:
  /// What a call takes at most, with all that it calls.
  struct StackUse {
    uint64_t local, stack;
  };

  /// No recursion, no call through a pointer, no launch of a child, not too long.
  bool can_be(const BytecodeFunction& code) {
    if (under_way_.contains(&code)) return false;
    if (!looked_at_.insert(&code).second) return true;
    if ((steps_ += code.steps.size()) > most_steps) return false;
    under_way_.insert(&code);
    const bool all = std::ranges::all_of(code.steps, [&](const BytecodeInstruction& s) {
      if (s.op != BytecodeOp::call) return true;
      const Call& c = code.calls[s.index];
      const BytecodeFunction* const callee = callee_of(unit_.program, c);
      return callee ? !callee->function->is_child_kernel && can_be(*callee) : !c.name.empty();
    });
    under_way_.erase(&code);
    return all;
  }

  /// Forgets what the emission of a function has added, but its text.
  void forget_from(size_t steps, size_t calls, size_t sentences, size_t sites) {
    made_.left.steps.resize(steps);
    made_.left.calls.resize(calls);
    made_.left.sentences.resize(sentences);
    made_.sites.resize(sites);
  }

  StackUse visit(const BytecodeFunction& code, bool is_kernel = false) {
    if (const auto known = costs_.find(&code); known != costs_.end()) return known->second;
    StackUse inside{0, 0};
    for (const BytecodeInstruction& s : code.steps) {
      if (s.op != BytecodeOp::call) continue;
      const BytecodeFunction* const callee = callee_of(unit_.program, code.calls[s.index]);
      if (!callee) continue;
      const StackUse c = visit(*callee);
      inside = {std::max(inside.local, c.local), std::max(inside.stack, c.stack)};
    }
    const int number = int(unit_.numbers.size());
    const BytecodeFunction& left = made_.left;
    const size_t steps = left.steps.size(), calls = left.calls.size(), sentences = left.sentences.size(),
                 sites = made_.sites.size();
    using Emitter = FunctionEmitter;
    Emitter f(unit_, code, is_kernel ? Emitter::kernel : Emitter::called);
    std::string text = f.definition(number);
    StackUse use{inside.local + f.local_bytes(), inside.stack + f.stack_bytes()};
    if (is_kernel && f.barriers() && !made_.meets) {
      forget_from(steps, calls, sentences, sites);
      made_.resumable = true;
      Emitter again(unit_, code, Emitter::resumable);
      functions_ += again.definition(number);
      take_in(again, number);
    } else {
      made_.meets = made_.meets || f.barriers();
      functions_ += text;
      if (is_kernel) take_in(f, number);
    }
    unit_.numbers.emplace(&code, number);
    if (may_wait(unit_, code)) unit_.waited_for.insert(&code);
    if (const int n = results_of(code)) results_.insert(n);
    return costs_[&code] = use;
  }

  /// What is known of the kernel, which was defined last.
  void take_in(FunctionEmitter& kernel, int number) {
    made_.kept_words = kernel.kept_words();
    element_sites_ = kernel.element_sites();
    made_.same_words = kernel.same_words();
    array_words_ = kernel.array_words();
    if (kernel.local_bytes() || made_.meets || !copies_sites()) return;
    segments_ = kernel.segments();
    if (segments_.empty()) return;
    shared_sites_ = kernel.shared_sites();
    notes_ = kernel.notes();
    for (const uint32_t from : segments_) functions_ += kernel.segment_definition(number, from);
  }

  bool copies_sites() const { return made_.sites.size() <= most_copied_sites; }

  /// The kernel's arguments, and how structs among them come to lie in a thread's local memory.
  struct Arguments {
    std::string values, taken, copies;
    std::vector<std::string> each;  ///< value
    uint64_t used = 0;
  };
  static Arguments arguments_of(const BytecodeFunction& kernel) {
    Arguments all;
    int k = 0;
    for (const ir::FunctionParameter& p : kernel.function->parameters)
      for (int slot = 0, n = p.by_value ? 1 : std::max(1, int(p.type->slots)); slot < n; ++slot, ++k) {
        if (k >= kernel.registers) break;
        const std::string given = "given" + to_string(k) + "_";
        all.taken += "const uint64_t " + given + " = given[" + to_string(k) + "];\n";
        if (!p.by_value) {
          all.values += ", " + given;
          all.each.push_back(given);
          continue;
        }
        const uint64_t begin = (all.used + 16 + 15) / 16 * 16;
        all.used = begin + p.by_value->size;
        const std::string at = to_string(begin), bytes = to_string(p.by_value->size);
        all.copies +=
            "__builtin_memcpy(local + " + at + ", (const void*)(uintptr_t)" + given + ", " + bytes + ");\n";
        all.copies += "__builtin_memset(valid + " + at + ", 1, " + bytes + ");\n";
        all.each.push_back("LOCAL_BASE + " + at);
        all.values += ", " + all.each.back();
      }
    return all;
  }

  /// The kernel for callers from outside: loops over threads. Structs that it is given lie first in a
  /// thread's local memory.
  std::string entry_of(const BytecodeFunction& kernel, const StackUse& all) {
    const Arguments given = arguments_of(kernel);
    frame_ = given.used + all.local;
    if (frame_) segments_.clear();
    const uint64_t array_bytes = 8 * array_words_, frame_words = (2 * (frame_ + 1) + 7) / 8;
    const std::string name = function_name(unit_.numbers.at(&kernel)) + "(";
    std::string text =
        "uint32_t bscope_kernel(thread* t, const uint64_t* given, struct bscope_threads* all_) {\n"
        "struct found sites[" +
        to_string(copies_sites() ? made_.sites.size() + 1 : 1) + "];\n";
    text += given.taken + sites_known(given);
    text += "uint32_t place[14];\n__builtin_memcpy(place, t->place, sizeof place);\n";
    std::string call = name + "t, place, sites, local, valid, " + to_string(given.used) + ", 0, EXACT, 0, 0",
                clear = "__builtin_memset(valid, 0, FRAME + 1);\n" + given.copies;
    if (made_.resumable) {
      text +=
          "uint32_t *const states_ = all_->states;\nuint64_t *const kept_ = all_->kept, count_ = "
          "all_->count;\nuint8_t* const arrays_ = (uint8_t*)(kept_ + count_ * " +
          to_string(made_.kept_words) + "ull);\ndo {\nuint32_t some_ = 0, every_ = ~0u;\n";
      call =
          "const uint32_t slot_ = at_ + k_ - all_->first;\nuint32_t* const state_ = states_ + slot_;\n"
          "if (*state_ == bscope_ended) {\nsome_ |= bscope_ended, every_ &= bscope_ended;\ncontinue;\n}\n"
          "uint8_t *const mine_ = arrays_ + slot_ * " +
          to_string(8 * (array_words_ + frame_words)) + "ull, *const local = mine_ + " +
          to_string(array_bytes) +
          ", *const valid = local + FRAME + 1;\nif (*state_ == 0) {\nt->turns = 0;\n" + clear +
          "}\n*state_ = " + call + ", *state_" + given.values +
          ", kept_ + slot_, count_, all_->same, all_->next_same, mine_);\n"
          "some_ |= *state_, every_ &= *state_;\n";
    } else {
      call = "uint8_t local[FRAME + 1], valid[FRAME + 1];\n" + clear + "t->turns = 0;\n" + call +
             given.values + ");\n";
    }
    if (!segments_.empty()) text += before_segments();
    text += "EACH_ROW {\nn_ = stand(place, at_, end_);\nconst uint32_t x_ = place[0];\nuint32_t k_ = 0;\n";
    if (!segments_.empty()) text += segments_of_row(name, given.values);
    text += "for (; k_ < n_; ++k_) {\nSTAND(k_);\n" + call + "}\n}\n";
    if (made_.resumable)
      text += "all_->some_states = some_, all_->all_states = every_;\n} while (goes_on(all_));\n";
    made_.kept_words += made_.resumable ? array_words_ + frame_words : 0;
    return text + "return 0;\n}\n";
  }

  /// What the kernel's copies of the sites begin with.
  std::string sites_known(const Arguments& given) const {
    std::vector<const ElementSite*> elements(made_.sites.size());
    for (const ElementSite& e : element_sites_) elements[size_t(e.site)] = &e;
    std::string text;
    for (size_t k = 0; copies_sites() && k < elements.size(); ++k) {
      const ElementSite* const e = elements[k];
      text += !e ? call_text("KNOW", {to_string(k)})
                 : call_text("KNOW_ELEMENTS",
                             {to_string(k), e->origin < 0 ? e->literal : given.each[size_t(e->origin)],
                              to_string(e->bytes)});
      text += ";\n";
    }
    return text;
  }

  /// What segments know of memory: `fixed_` in variables of their own, `seen_` for probes.
  std::string before_segments() const {
    std::string text =
        "struct found fixed_[sizeof sites / sizeof *sites], seen_[sizeof sites / sizeof *sites];\n"
        "struct probe probes_[4];\nuint32_t unlike_ = 0;\n__builtin_memcpy(fixed_, sites, sizeof sites);\n"
        "{\nstruct found* const sites = fixed_;\n" +
        shared_sites_ + "}\n__builtin_memcpy(seen_, fixed_, sizeof seen_);\n";
    if (!made_.resumable) return text + "const uint32_t from_ = all_->together && !unlike_ ? 0 : ~0u;\n";
    return text + "uint64_t same_[" + to_string(made_.same_words + 1) +
           "];\n__builtin_memcpy(same_, all_->same, " + to_string(8 * made_.same_words) +
           ");\nconst uint32_t from_ = all_->together && !unlike_ ? states_[0] : ~0u;\n";
  }

  /// Segments of a row, as far as there are some, before its other threads run one by one.
  std::string segments_of_row(const std::string& name, const std::string& given) const {
    const std::string array = to_string(8 * (array_words_ + 1)) + "ull";
    std::string text =
        "probes_[3].good = 0;\nwhile (n_ >= LEAST_ROW && k_ < n_) {\nuint32_t m_ = 0, first_[14], now_ = "
        "0;\nSTAND(k_);\n"
        "__builtin_memcpy(first_, place, sizeof place);\nswitch (from_) {\n";
    for (const uint32_t from : segments_) {
      const std::string number = to_string(from);
      text +=
          "case " + number + ":\nm_ = find_segment_" + number + "(n_ - k_, probes_, first_, seen_" + given;
      if (made_.resumable)
        text += ", kept_ + at_ + k_, count_, all_->same, all_->next_same, arrays_ + (at_ + k_) * " + array;
      text +=
          ");\nif (m_) {\nconst uint64_t way_ = probes_[0].way;\nfor (uint32_t j_ = 0; j_ < m_; ++j_) {\n"
          "STAND(k_ + j_);\n";
      if (made_.resumable) text += "const uint64_t slot_ = at_ + k_ + j_;\nnow_ = ";
      text += name + "0, place, fixed_, 0, 0, 0, 0, SEGMENT, 0, way_";
      if (made_.resumable) text += ", " + number;
      text += given;
      if (made_.resumable) text += ", kept_ + slot_, count_, same_, 0, arrays_ + slot_ * " + array;
      text += ");\n}\n}\nbreak;\n";
    }
    text += "}\nif (!m_) break;\n";
    if (made_.resumable)
      text +=
          "for (uint32_t j_ = 0; j_ < m_; ++j_) states_[at_ + k_ + j_] = now_;\nsome_ |= now_, every_ &= "
          "now_;\n";
    return text + "k_ += m_;\n}\n";
  }

  NativeText made_;
  NativeUnit unit_;
  std::string functions_;
  std::map<const BytecodeFunction*, StackUse> costs_;
  std::set<const BytecodeFunction*> under_way_, looked_at_;
  std::set<int> results_;
  std::string shared_sites_;
  size_t steps_ = 0;
  uint64_t frame_ = 0, array_words_ = 0;
  std::vector<uint32_t> segments_;  ///< of the kernel
  std::vector<ElementSite> element_sites_;
  int notes_ = 0;
};

}  // namespace

std::optional<NativeText> native_text_of(const BytecodeProgram& program, const BytecodeFunction& kernel,
                                         int file) {
  return UnitEmitter(program, file).emit(kernel);
}

}  // namespace bscope::cuda

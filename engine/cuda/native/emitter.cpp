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
  UnitEmitter(const BytecodeProgram& program, int file) : unit_{program, file, made_, {}, {}, {}} {}

  std::optional<NativeText> emit(const BytecodeFunction& kernel) {
    if (!can_be(kernel)) return {};
    const StackUse all = visit(kernel, true);
    const std::string entry = entry_of(kernel, all);
    if (all.stack + 2 * frame_ > most_stack) return {};
    made_.left.function = kernel.function;
    made_.text = std::string(native_text("thread.h"));
    made_.text += "enum { FRAME = " + to_string(frame_) + " };\n#define LOCAL_BASE " +
                  to_string(ir::local_base) + "ull\n#define COPIES_SITES " + to_string(int(copies_sites())) +
                  "\n";
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
    FunctionEmitter f(unit_, code);
    const std::string text = f.definition(number);
    StackUse use{inside.local + f.local_bytes(), inside.stack + f.stack_bytes()};
    if (is_kernel && f.barriers() && !made_.meets) {
      forget_from(steps, calls, sentences, sites);
      made_.resumable = true;
      FunctionEmitter again(unit_, code, true);
      functions_ += again.definition(number);
      add_quick_forms(code, again, number);
    } else {
      made_.meets = made_.meets || f.barriers();
      functions_ += text;
      add_quick_forms(code, f, number);
    }
    unit_.numbers.emplace(&code, number);
    if (may_wait(unit_, code)) unit_.waited_for.insert(&code);
    if (const int n = results_of(code)) results_.insert(n);
    return costs_[&code] = use;
  }

  /// What was defined last, from its beginning and from each barrier on, where it can be.
  void add_quick_forms(const BytecodeFunction& code, FunctionEmitter& f, int number) {
    made_.kept_words = f.kept_words();
    made_.same_words = f.same_words();
    array_words_ = f.array_words();
    shared_sites_ = f.shared_sites();
    made_.quick.clear();
    for (int from = 0; from <= (made_.resumable ? f.barriers() : 0); ++from)
      if (const std::string text = f.quick_definition(number, from); !text.empty()) {
        functions_ += text;
        made_.quick.push_back(uint32_t(from));
      }
    if (!made_.quick.empty() && made_.quick[0] == 0) unit_.quick.insert(&code);
  }

  bool copies_sites() const { return made_.sites.size() <= most_copied_sites; }

  /// The kernel's arguments, and how structs among them come to lie in a thread's local memory.
  struct Arguments {
    std::string values, taken, copies;
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
        all.values += ", ";
        if (!p.by_value) {
          all.values += given;
          continue;
        }
        const uint64_t begin = (all.used + 16 + 15) / 16 * 16;
        all.used = begin + p.by_value->size;
        const std::string at = to_string(begin), bytes = to_string(p.by_value->size);
        all.copies +=
            "__builtin_memcpy(local + " + at + ", (const void*)(uintptr_t)" + given + ", " + bytes + ");\n";
        all.copies += "__builtin_memset(valid + " + at + ", 1, " + bytes + ");\n";
        all.values += "LOCAL_BASE + " + at;
      }
    return all;
  }

  /// The kernel for callers from outside: loops over threads. Structs that it is given lie first in a
  /// thread's local memory.
  std::string entry_of(const BytecodeFunction& kernel, const StackUse& all) {
    const Arguments given = arguments_of(kernel);
    frame_ = given.used + all.local;
    if (frame_ || !copies_sites()) made_.quick.clear();
    std::string text =
        "uint32_t bscope_kernel(thread* t, const uint64_t* given, struct bscope_threads* all_) {\nuint32_t "
        "some_ = 0, every_ = ~0u;\n";
    text += "struct found sites[" + to_string(copies_sites() ? made_.sites.size() + 1 : 1) + "];\n";
    for (size_t k = 0; copies_sites() && k < made_.sites.size(); ++k) text += "KNOW(" + to_string(k) + ");\n";
    text += "uint32_t place[14];\n__builtin_memcpy(place, t->place, sizeof place);\n" + given.taken;
    if (!made_.quick.empty()) text += quick_loops(kernel, given);
    const std::string call = function_name(unit_.numbers.at(&kernel)) + "(t, place, sites, local, valid, " +
                             to_string(given.used) + ", 0",
                      clear = "__builtin_memset(valid, 0, FRAME + 1);\n" + given.copies;
    text += "EACH_ROW {\nEACH_COLUMN {\nSTAND;\n";
    if (!made_.resumable)
      return text + "uint8_t local[FRAME + 1], valid[FRAME + 1];\n" + clear + "t->turns = 0;\n" + call +
             given.values + ");\n}\n}\nreturn 0;\n}\n";
    const uint64_t array_bytes = 8 * array_words_, frame_words = (2 * (frame_ + 1) + 7) / 8;
    text +=
        "const uint32_t slot_ = at_ + k_ - all_->first;\nuint32_t* const state_ = all_->states + slot_;\n"
        "if (*state_ == bscope_ended) {\nsome_ |= bscope_ended, every_ &= bscope_ended;\ncontinue;\n}\n";
    text += "uint8_t *const arrays_ = (uint8_t*)(all_->kept + all_->count * " + to_string(made_.kept_words) +
            "ull + slot_ * " + to_string(array_words_ + frame_words) + "ull), *const local = arrays_ + " +
            to_string(array_bytes) + ", *const valid = local + FRAME + 1;\n";
    text += "if (*state_ == 0) {\nt->turns = 0;\n" + clear + "}\n";
    text += "*state_ = " + call + ", *state_" + given.values +
            ", all_->kept + slot_, all_->count, all_->same, all_->next_same, arrays_);\n"
            "some_ |= *state_, every_ &= *state_;\n}\n}\n"
            "all_->some_states = some_, all_->all_states = every_;\nreturn 0;\n}\n";
    made_.kept_words += array_words_ + frame_words;
    return text;
  }

  /// The same loops over the quick forms: of the kernel, or of an interval that all threads begin together.
  /// What is the same in all threads at the next barrier is taken of the first.
  std::string quick_loops(const BytecodeFunction& kernel, const Arguments& given) {
    std::string text = "if (all_->quick) {\nuint32_t failed_ = 0, unlike_ = 0;\n" + shared_sites_;
    const int number = unit_.numbers.at(&kernel);
    const std::string loop = std::string(made_.resumable ? "EACH_OTHER_ROW" : "EACH_ROW") +
                             " {\nEACH_COLUMN {\nSTAND;\nuint32_t bad_ = 0;\n",
                      end = "failed_ |= bad_;\n}\n}\n", arguments = "(place, sites, &bad_" + given.values;
    if (!made_.resumable)
      return text + loop + quick_name(number) + arguments + ");\n" + end + "return failed_;\n}\n";
    const std::string words = to_string(made_.same_words + 1), bytes = to_string(8 * made_.same_words);
    text +=
        "uint32_t* const states_ = all_->states;\nuint64_t* const kept_ = all_->kept;\n"
        "const uint64_t count_ = all_->count;\nuint64_t same_[" +
        words + "], unused_[" + words +
        "];\n"
        "__builtin_memcpy(same_, all_->same, " +
        bytes + ");\nswitch (states_[0]) {\n";
    for (const uint32_t from : made_.quick) {
      const std::string thread = "const uint32_t now_ = " + quick_name(number, int(from)) + arguments +
                                 ", kept_ + k, count_, same_, next_, (uint8_t*)(kept_ + count_ * " +
                                 to_string(made_.kept_words) + "ull + k * " + to_string(array_words_ + 1) +
                                 "ull));\nstates_[k] = now_, some_ |= now_, every_ &= now_;\n";
      text += "case " + to_string(from) +
              ":\nFIRST {\nuint32_t bad_ = 0, k = 0;\nuint64_t* const next_ = all_->next_same;\n" + thread +
              "failed_ |= bad_;\n}\n" + loop +
              "const uint32_t k = at_ + k_;\nuint64_t* const next_ = unused_;\n" + thread + end + "break;\n";
    }
    return text + "}\nall_->some_states = some_, all_->all_states = every_;\nreturn failed_;\n}\n";
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
};

}  // namespace

std::optional<NativeText> native_text_of(const BytecodeProgram& program, const BytecodeFunction& kernel,
                                         int file) {
  return UnitEmitter(program, file).emit(kernel);
}

}  // namespace bscope::cuda

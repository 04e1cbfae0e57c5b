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
    made_.text += "enum { FRAME = " + to_string(frame_) + " };\n#define LOCAL_BASE " +
                  to_string(ir::local_base) + "ull\n";
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
    std::string text = f.definition(number);
    if (is_kernel && f.barriers() && !made_.meets) {
      forget_from(steps, calls, sentences, sites);
      FunctionEmitter again(unit_, code, true);
      text = again.definition(number);
      made_.resumable = true;
      made_.kept_words = again.kept_words();
    } else if (f.barriers()) {
      made_.meets = true;
    }
    functions_ += text;
    unit_.numbers.emplace(&code, number);
    if (may_wait(unit_, code)) unit_.waited_for.insert(&code);
    if (const int n = results_of(code)) results_.insert(n);
    return costs_[&code] = {inside.local + f.local_bytes(), inside.stack + f.stack_bytes()};
  }

  /// The kernel for callers from outside: structs that it is given lie first in its local memory.
  std::string entry_of(const BytecodeFunction& kernel, const StackUse& all) {
    std::string arguments, copies;
    uint64_t used = 0;
    int k = 0;
    for (const ir::FunctionParameter& p : kernel.function->parameters)
      for (int slot = 0, n = p.by_value ? 1 : std::max(1, int(p.type->slots)); slot < n; ++slot, ++k) {
        if (k >= kernel.registers) break;
        const std::string given = "given[" + to_string(k) + "]";
        arguments += ", ";
        if (!p.by_value) {
          arguments += given;
          continue;
        }
        const uint64_t begin = (used + 16 + 15) / 16 * 16;
        used = begin + p.by_value->size;
        const std::string at = to_string(begin), bytes = to_string(p.by_value->size);
        copies += "__builtin_memcpy(local + " + at + ", (const void*)" + given + ", " + bytes + ");\n";
        copies += "__builtin_memset(valid + " + at + ", 1, " + bytes + ");\n";
        arguments += "LOCAL_BASE + " + at;
      }
    frame_ = used + all.local;
    const std::string
        begin =
            "uint32_t bscope_kernel(thread* t, const uint64_t* given, uint32_t state, uint64_t* kept) {\n",
        call = function_name(unit_.numbers.at(&kernel)) + "(t, local, valid, " + to_string(used) + ", 0" +
               arguments,
        clear = "__builtin_memset(valid, 0, FRAME + 1);\n" + copies;
    if (!made_.resumable)
      return begin + "uint8_t local[FRAME + 1], valid[FRAME + 1];\n" + clear + call + ");\nreturn 0;\n}\n";
    const std::string words = to_string(made_.kept_words);
    made_.kept_words += (2 * (frame_ + 1) + 7) / 8;
    return begin + "uint8_t *const local = (uint8_t*)(kept + " + words +
           "), *const valid = local + FRAME + 1;\n" + "if (!state) {\n" + clear + "}\nreturn " + call +
           ", state, kept);\n}\n";
  }

  NativeText made_;
  NativeUnit unit_;
  std::string functions_;
  std::map<const BytecodeFunction*, StackUse> costs_;
  std::set<const BytecodeFunction*> under_way_, looked_at_;
  std::set<int> results_;
  size_t steps_ = 0;
  uint64_t frame_ = 0;
};

}  // namespace

std::optional<NativeText> native_text_of(const BytecodeProgram& program, const BytecodeFunction& kernel,
                                         int file) {
  return UnitEmitter(program, file).emit(kernel);
}

}  // namespace bscope::cuda

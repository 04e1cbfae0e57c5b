// What kernels say: printf, assert, __trap; and what Barrierscope cannot do for them.
#include <array>
#include <cstdio>
#include <string>

#include "engine/cuda/machine/interpreter.hpp"

namespace bscope::cuda {
namespace {

using std::to_string;

/// One %-directive of a format: "%-8.3f".
struct Directive {
  std::string flags;  ///< all between % and the letter that counts, without lengths
  bool is_long = false;
  char letter = 0;
};

/// Writes what printf would, with the arguments as clang lays them out: one behind the other, aligned.
class Printer {
 public:
  Printer(Interpreter& w, uint64_t arguments, uint32_t line) : interpreter_(w), at_(arguments), line_(line) {}

  /// Arguments that were printed.
  uint64_t taken() const { return taken_; }

  std::string print(std::string_view format) {
    std::string out;
    for (size_t k = 0; k < format.size(); ++k) {
      if (format[k] != '%') {
        out += format[k];
      } else if (k + 1 < format.size() && format[k + 1] == '%') {
        out += '%';
        ++k;
      } else {
        out += written(directive(format, ++k));
      }
    }
    return out;
  }

 private:
  Directive directive(std::string_view format, size_t& k) {
    Directive d;
    for (; k < format.size(); ++k) {
      const char c = format[k];
      if (c == 'l' || c == 'z' || c == 'j' || c == 't')
        d.is_long = true;
      else if (c == '*')
        d.flags += to_string(std::clamp(int(take(4)), -999, 999));
      else if (std::string_view("-+ #.0123456789").find(c) != std::string_view::npos)
        d.flags += d.flags.size() < 12 ? std::string(1, c) : std::string();
      else if (c != 'h') {
        d.letter = c;
        return d;
      }
    }
    return d;
  }

  std::string written(const Directive& d) {
    if (std::string_view("feEgGaAF").find(d.letter) != std::string_view::npos)
      return formatted(d.flags + d.letter, as<double>(take(8)));
    if (std::string_view("diuxXoc").find(d.letter) != std::string_view::npos) {
      const bool wide = d.is_long && d.letter != 'c';
      const uint64_t bits = take(wide ? 8 : 4);
      const bool with_sign = d.letter == 'd' || d.letter == 'i' || d.letter == 'c';
      if (d.letter == 'c') return formatted(d.flags + 'c', int(bits));
      const auto value = with_sign && !wide ? (long long)(int32_t(bits)) : (long long)(bits);
      return formatted(d.flags + "ll" + d.letter, value);
    }
    if (d.letter == 's') {
      const uint64_t text = take(8);
      return formatted(d.flags + 's', text ? interpreter_.text_at(text, line_).c_str() : "(null)");
    }
    if (d.letter == 'p') {
      void* const address = reinterpret_cast<void*>(take(8));  // NOLINT(performance-no-int-to-ptr)
      return formatted(d.flags + 'p', address);
    }
    return "%" + d.flags + (d.letter ? std::string(1, d.letter) : "");
  }

  template <class T>
  static std::string formatted(const std::string& directive, T value) {
    const std::string format = "%" + directive;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    const int n = std::snprintf(nullptr, 0, format.c_str(), value);
    std::string out(size_t(std::max(n, 0)) + 1, '\0');
    std::snprintf(out.data(), out.size(), format.c_str(), value);
#pragma GCC diagnostic pop
    out.pop_back();
    return out;
  }

  uint64_t take(int bytes) {
    at_ = (at_ + uint64_t(bytes) - 1) / uint64_t(bytes) * uint64_t(bytes);
    if (!interpreter_.is_local_variable(at_, uint64_t(bytes)))
      interpreter_.fail(
          LaunchOutcome::address, line_,
          message("{} calls printf in line {} with fewer arguments than its format asks for: {}.",
                  interpreter_.who(), line_, taken_),
          message("Give printf one argument for each % of its format; %% prints a percent sign."));
    const uint64_t bits = interpreter_.peek(at_, bytes, line_);
    interpreter_.note_use(at_, bytes);
    at_ += uint64_t(bytes);
    ++taken_;
    return bits;
  }

  Interpreter& interpreter_;
  uint64_t at_, taken_ = 0;
  uint32_t line_;
};

Value print(Interpreter& w, const BuiltinCall& c) {
  w.note_effect();
  w.launch().has_effects = true;
  Printer printer(w, c[1].bits, c.line);
  w.launch().printed += printer.print(w.text_at(c[0].bits, c.line));
  return {printer.taken(), 0, no_kind};
}

Value stop_by_trap(Interpreter& w, const BuiltinCall& c) {
  w.fail(LaunchOutcome::trap, c.line, message("{} stops itself with __trap() in line {}.", w.who(), c.line));
}

/// clang ends so a function that should return a value and does not.
Value no_return(Interpreter& w, const BuiltinCall& c) {
  w.fail(
      LaunchOutcome::trap, c.line,
      message("{} comes to the end of a function that should return a value, in line {}.", w.who(), c.line),
      message("Return a value on every path of the function."));
}

Value assertion(Interpreter& w, const BuiltinCall& c) {
  w.fail(LaunchOutcome::assertion, c.line,
         message("{}: assert({}) does not hold in line {}.", w.who(), w.text_at(c[0].bits, c.line), c.line));
}

Value unsupported(Interpreter& w, const BuiltinCall& c) {
  w.refuse(c.line, message("Barrierscope cannot run what stands in line {}: {}.", c.line,
                           w.text_at(c[0].bits, c.line)));
}

/// What nvcc takes, and what then gives wrong results.
Value wrong_on_gpus(Interpreter& w, const BuiltinCall& c) {
  w.fail(c.line,
         message("{} calls {} in line {}: nvcc compiles that, but on a GPU its result is wrong.", w.who(),
                 w.text_at(c[0].bits, c.line), c.line),
         message("Write {}.", w.text_at(c[1].bits, c.line)));
}

Value sleep(Interpreter& w, const BuiltinCall& c) {
  w.thread().yield(c.line, Op::acquire);
  return {};
}

}  // namespace

void add_messages(Builtins& all) {
  all.add("vprintf", {print, ElementType::i32, 0, 2});
  for (const std::string name : {"__bscope_assert_fail", "__assertfail", "__assert_fail"})
    all.add(name, {assertion, ElementType::i32, 0, 4});
  all.add("llvm.trap", {no_return, ElementType::i32, 0, 0});
  for (const std::string name : {"__bscope_trap", "llvm.debugtrap", "abort"})
    all.add(name, {stop_by_trap, ElementType::i32, 0, 0});
  all.add("__bscope_unsupported", {unsupported, ElementType::i32, 0, 1});
  all.add("__bscope_wrong_on_gpus", {wrong_on_gpus, ElementType::i32, 0, 2});
  all.add("__bscope_nanosleep", {sleep, ElementType::i32, 0, 1});
}

}  // namespace bscope::cuda

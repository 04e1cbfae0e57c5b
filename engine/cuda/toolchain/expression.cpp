#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>

#include "engine/cuda/toolchain/constants.hpp"
#include "engine/trace/cpp_tokens.hpp"

namespace bscope::cuda {
namespace {

/// A number while an expression is worked out.
struct Number {
  double value = 0;
  bool whole = true;
};

/// Reads an expression by precedence.
class Evaluation {
 public:
  Evaluation(std::string_view text, const std::vector<Constant>& known, int depth)
      : text_(text), words_(code_tokens(text)), known_(known), depth_(depth) {}

  std::optional<Number> value() {
    const auto v = binary(0);
    return at_ == words_.size() ? v : std::nullopt;
  }

 private:
  struct Operator {
    std::string_view sign;
    int precedence;
  };
  static constexpr Operator operators[] = {{"<<", 1}, {">>", 1}, {"+", 2}, {"-", 2},
                                           {"*", 3},  {"/", 3},  {"%", 3}};

  std::string_view word(size_t k) const {
    return k < words_.size() ? text_.substr(words_[k].begin, words_[k].end - words_[k].begin)
                             : std::string_view();
  }
  const Operator* ahead() const {
    for (const Operator& o : operators) {
      const bool comes = o.sign.size() == 1
                             ? word(at_) == o.sign
                             : word(at_) == o.sign.substr(0, 1) && word(at_ + 1) == o.sign.substr(0, 1);
      if (comes) return &o;
    }
    return nullptr;
  }

  std::optional<Number> binary(int least) {
    auto left = unary();
    while (left) {
      const Operator* o = ahead();
      if (!o || o->precedence < least) return left;
      at_ += o->sign.size();
      const auto right = binary(o->precedence + 1);
      if (!right) return {};
      left = applied(o->sign, *left, *right);
    }
    return left;
  }

  static std::optional<Number> applied(std::string_view sign, Number a, Number b) {
    const bool whole = a.whole && b.whole;
    const auto integer = [&](double v) { return Number{whole ? std::trunc(v) : v, whole}; };
    switch (sign[0]) {
      case '+': return Number{a.value + b.value, whole};
      case '-': return Number{a.value - b.value, whole};
      case '*': return Number{a.value * b.value, whole};
      case '/': return b.value == 0 ? std::nullopt : std::optional(integer(a.value / b.value));
      case '%':
        return b.value == 0 || !whole ? std::nullopt : std::optional(Number{std::fmod(a.value, b.value)});
      default: break;
    }
    if (!whole || b.value < 0 || b.value > 63) return {};
    return Number{std::floor(std::ldexp(a.value, int(sign == "<<" ? b.value : -b.value)))};
  }

  std::optional<Number> unary() {
    if (++nested_ > 200) return {};
    const std::string_view w = word(at_);
    if (w == "-" || w == "+") {
      ++at_;
      auto v = unary();
      if (v && w == "-") v->value = -v->value;
      return v;
    }
    if (w == "(") return bracket();
    if (at_ >= words_.size()) return {};
    const Token& t = words_[at_++];
    if (t.kind == Token::number) return literal(w);
    if (t.kind != Token::name) return {};
    if (w == "sizeof") return size_of();
    return word(at_) == "(" ? function(w) : named(w);
  }

  /// log2(n), ceil_div(a, b), min(a, b), max(a, b); the opening bracket comes next.
  std::optional<Number> function(std::string_view name) {
    ++at_;
    const auto a = binary(0);
    const bool two = a && word(at_) == ",";
    if (two) ++at_;
    const auto b = two ? binary(0) : a;
    if (!a || !b || word(at_) != ")") return {};
    ++at_;
    const bool whole = a->whole && b->whole;
    if (!two && name == "log2" && a->value > 0)
      return Number{whole ? std::floor(std::log2(a->value)) : std::log2(a->value), whole};
    if (!two) return {};
    if (name == "ceil_div" && b->value != 0) return Number{std::ceil(a->value / b->value)};
    if (name == "min") return Number{std::min(a->value, b->value), whole};
    if (name == "max") return Number{std::max(a->value, b->value), whole};
    return {};
  }

  /// (expression), or (type) before a value.
  std::optional<Number> bracket() {
    const size_t begin = ++at_;
    while (type_bytes(word(at_)) || word(at_) == "unsigned" || word(at_) == "const") ++at_;
    if (at_ > begin && word(at_) == ")") {
      const bool real = word(at_ - 1) == "float" || word(at_ - 1) == "double";
      ++at_;
      auto v = unary();
      if (v) v = Number{real ? v->value : std::trunc(v->value), !real};
      return v;
    }
    at_ = begin;
    const auto v = binary(0);
    if (word(at_) != ")") return {};
    ++at_;
    return v;
  }

  static int type_bytes(std::string_view type) {
    static constexpr std::pair<std::string_view, int> all[] = {
        {"char", 1},    {"short", 2},    {"int", 4},      {"unsigned", 4}, {"float", 4},   {"long", 8},
        {"double", 8},  {"size_t", 8},   {"int8_t", 1},   {"uint8_t", 1},  {"int16_t", 2}, {"uint16_t", 2},
        {"int32_t", 4}, {"uint32_t", 4}, {"int64_t", 8},  {"uint64_t", 8}, {"uint", 4},    {"uchar", 1},
        {"float2", 8},  {"float4", 16},  {"double2", 16}, {"int2", 8},     {"int4", 16}};
    for (const auto& [name, bytes] : all)
      if (name == type) return bytes;
    return 0;
  }
  std::optional<Number> size_of() {
    if (word(at_) != "(") return {};
    int bytes = 0;
    for (++at_; at_ < words_.size() && word(at_) != ")"; ++at_) {
      const int one = word(at_) == "*" ? 8 : type_bytes(word(at_));
      if (!one) return {};
      bytes = one;
    }
    ++at_;
    return bytes ? std::optional(Number{double(bytes)}) : std::nullopt;
  }

  static std::optional<Number> literal(std::string_view typed) {
    std::string digits(typed);
    std::erase(digits, '\'');
    const bool hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
    const bool real = !hexadecimal && digits.find_first_of(".eE") != std::string_view::npos;
    const size_t end = digits.find_last_not_of(real ? "fFlL" : "uUlLzZ");
    digits.resize(end + 1);
    const char *first = digits.data() + (hexadecimal ? 2 : 0), *last = digits.data() + digits.size();
    double v = 0;
    if (real) {
      const auto [stop, error] = std::from_chars(first, last, v);
      if (error != std::errc() || stop != last) return {};
      return Number{v, false};
    }
    const bool octal = !hexadecimal && digits.size() > 1 && digits[0] == '0';
    unsigned long long n = 0;
    const auto [stop, error] = std::from_chars(first, last, n, hexadecimal ? 16 : octal ? 8 : 10);
    if (error != std::errc() || stop != last) return {};
    return Number{double(n)};
  }

  std::optional<Number> named(std::string_view name) const {
    if (depth_ > 16) return {};
    for (const Constant& c : known_)
      if (c.name == name) return Evaluation(c.value, known_, depth_ + 1).value();
    return {};
  }

  std::string_view text_;
  std::vector<Token> words_;
  const std::vector<Constant>& known_;
  int depth_, nested_ = 0;
  size_t at_ = 0;
};

}  // namespace

std::optional<double> worked_out(std::string_view expression, const std::vector<Constant>& known) {
  const auto v = Evaluation(expression, known, 0).value();
  return v ? std::optional(v->value) : std::nullopt;
}

}  // namespace bscope::cuda

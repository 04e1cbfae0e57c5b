#include "engine/cuda/toolchain/expectation.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <iterator>
#include <optional>
#include <span>
#include <type_traits>

#include "engine/trace/cpp_tokens.hpp"
#include "engine/trace/small_float.hpp"

namespace bscope::cuda {
namespace {

constexpr std::string_view mark = "barrierscope", verb = "expect";

struct Refused {
  Message why;
};
struct NoSuchArray : Refused {};

/// What an array held, as numbers of one type: the sums are the type's own.
template <class T>
using Values = std::vector<T>;

struct Sizes {
  std::span<const double> all;
  size_t operator[](size_t k) const { return size_t(all[k]); }
};

template <class T>
T plus(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return a + b;
  else
    return T(std::make_unsigned_t<T>(a) + std::make_unsigned_t<T>(b));
}
template <class T>
T times(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return a * b;
  else
    return T(uint64_t(a) * uint64_t(b));
}

template <class T>
Values<T> scanned(const Values<T>& in, bool inclusive) {
  Values<T> out;
  T sum = 0;
  for (const T& x : in) {
    if (!inclusive) out.push_back(sum);
    sum = plus(sum, x);
    if (inclusive) out.push_back(sum);
  }
  return out;
}

void need_size(size_t has, size_t needs, const Message& what) {
  if (has < needs) throw Refused{message("{} has {} elements, and {} are needed", what, has, needs)};
}

template <class T>
Values<T> inclusive_scan(const std::vector<Values<T>>& in, Sizes, size_t) {
  return scanned(in[0], true);
}
template <class T>
Values<T> exclusive_scan(const std::vector<Values<T>>& in, Sizes, size_t) {
  return scanned(in[0], false);
}
template <class T>
Values<T> sum(const std::vector<Values<T>>& in, Sizes, size_t) {
  T total = 0;
  for (const T& x : in[0]) total = plus(total, x);
  return {total};
}
template <class T>
Values<T> sorted(const std::vector<Values<T>>& in, Sizes, size_t) {
  Values<T> out = in[0];
  std::ranges::stable_sort(out);
  return out;
}
template <class T>
Values<T> copied(const std::vector<Values<T>>& in, Sizes, size_t) {
  return in[0];
}
template <class T>
Values<T> histogram(const std::vector<Values<T>>& in, Sizes, size_t bins) {
  Values<T> out(bins);
  for (const T& key : in[0])
    if (double(key) >= 0 && double(key) < double(bins)) out[size_t(key)] = T(out[size_t(key)] + 1);
  return out;
}
template <class T>
Values<T> transposed(const std::vector<Values<T>>& in, Sizes size, size_t) {
  const size_t rows = size[0], columns = size[1];
  need_size(in[0].size(), rows * columns, message("the input"));
  Values<T> out(rows * columns);
  for (size_t r = 0; r < rows; ++r)
    for (size_t c = 0; c < columns; ++c) out[c * rows + r] = in[0][r * columns + c];
  return out;
}
/// n x k times k x m.
template <class T>
Values<T> multiplied(const std::vector<Values<T>>& in, Sizes size, size_t) {
  const size_t n = size[0], k = size[1], m = size[2];
  need_size(in[0].size(), n * k, message("the first matrix"));
  need_size(in[1].size(), k * m, message("the second matrix"));
  if (double(n) * double(k) * double(m) > 1e9)
    throw Refused{message("a product of this size takes too long to work out")};
  Values<T> out(n * m);
  for (size_t r = 0; r < n; ++r)
    for (size_t i = 0; i < k; ++i)
      for (size_t c = 0; c < m; ++c)
        out[r * m + c] = plus(out[r * m + c], times(in[0][r * k + i], in[1][i * m + c]));
  return out;
}

template <class T>
using Maker = Values<T> (*)(const std::vector<Values<T>>&, Sizes, size_t bins);

/// What can stand behind the equals sign.
struct Computation {
  const char* name;
  size_t inputs, sizes;
  Property property;
  bool other_kinds;  ///< the output may be of another kind than the input: counts of keys
};
constexpr Computation computations[] = {{"inclusive_scan", 1, 0, Property::inclusive_scan, false},
                                        {"exclusive_scan", 1, 0, Property::exclusive_scan, false},
                                        {"sum", 1, 0, Property::reduction, false},
                                        {"histogram", 1, 0, Property::histogram, true},
                                        {"sort", 1, 0, Property::none, false},
                                        {"transpose", 1, 2, Property::none, false},
                                        {"matmul", 2, 3, Property::none, false},
                                        {"copy", 1, 0, Property::none, false}};
template <class T>
constexpr Maker<T> makers[] = {inclusive_scan<T>, exclusive_scan<T>, sum<T>,        histogram<T>,
                               sorted<T>,         transposed<T>,     multiplied<T>, copied<T>};
static_assert(std::size(computations) == std::size(makers<int>));

const Computation* computation(std::string_view name) {
  for (const Computation& c : computations)
    if (c.name == name) return &c;
  return nullptr;
}

/// What can stand behind the equals sign, for errors.
Message computation_names() {
  std::vector<const char*> names;
  for (const Computation& c : computations) names.push_back(c.name);
  return message("another array, {}", name_list(names));
}

/// The words of one comment behind the mark.
class CommentScanner {
 public:
  CommentScanner(std::string_view text, const std::vector<Constant>& known)
      : text_(text), words_(code_tokens(text)), known_(known) {}

  /// expect out = ...
  Expectation read() {
    if (word() != verb) refuse(message("only \"expect\" is known"));
    ++at_;
    return equation();
  }

  /// out = ...
  Expectation equation() {
    Expectation e;
    e.output = name();
    if (word() != "=") refuse(message("an equals sign should stand behind {}", e.output));
    ++at_;
    std::string first = name();
    if (at_ == words_.size()) {
      e.inputs = {first};
      return e;
    }
    e.of = std::move(first);
    arguments(e);
    return e;
  }

 private:
  [[noreturn]] static void refuse(const Message& why) {
    throw Refused{message("{}: write for example // barrierscope: expect out = inclusive_scan(in)", why)};
  }
  std::string_view word() const {
    return at_ < words_.size() ? text_.substr(words_[at_].begin, words_[at_].end - words_[at_].begin)
                               : std::string_view();
  }
  std::string name() {
    if (at_ >= words_.size() || words_[at_].kind != Token::name)
      refuse(message("the name of an array should stand here"));
    const std::string n(word());
    ++at_;
    return n;
  }

  void arguments(Expectation& e) {
    const Computation* c = computation(e.of);
    if (!c) refuse(message("\"{}\" is not known; it may be {}", e.of, computation_names()));
    if (word() != "(" || words_.back().end != text_.size() || text_[words_.back().begin] != ')')
      refuse(message("the inputs of {} should stand in brackets", e.of));
    ++at_;
    for (size_t k = 0; k < c->inputs; ++k) {
      if (k) comma(e, *c);
      e.inputs.push_back(name());
    }
    for (size_t k = 0; k < c->sizes; ++k) {
      comma(e, *c);
      e.sizes.push_back(size());
    }
    if (at_ + 1 != words_.size()) refuse(wants(*c));
  }
  static Message wants(const Computation& c) {
    const Message arrays = c.inputs == 1 ? message("one array") : message("two arrays");
    return c.sizes ? message("{} takes {} and {} sizes", c.name, arrays, c.sizes)
                   : message("{} takes {}", c.name, arrays);
  }
  void comma(const Expectation&, const Computation& c) {
    if (word() != ",") refuse(wants(c));
    ++at_;
  }
  double size() {
    const size_t begin = at_;
    int depth = 0;
    for (; at_ + 1 < words_.size() && (depth > 0 || word() != ","); ++at_)
      depth += word() == "(" ? 1 : word() == ")" ? -1 : 0;
    if (begin == at_) refuse(message("a size should stand here"));
    const std::string_view typed =
        text_.substr(words_[begin].begin, words_[at_ - 1].end - words_[begin].begin);
    const auto v = worked_out(typed, known_);
    if (!v || *v < 1 || *v > 1e9 || *v != std::floor(*v))
      refuse(message("{} is no size that is known here", typed));
    return *v;
  }

  std::string_view text_;
  std::vector<Token> words_;
  const std::vector<Constant>& known_;
  size_t at_ = 0;
};

/// Whether it is called that, or that and a number, as later arrays of a name are (out_2).
bool is_called(const std::string& array, const std::string& name) {
  if (!array.starts_with(name)) return false;
  const std::string_view more = std::string_view(array).substr(name.size());
  return more.empty() || (more.size() > 1 && more[0] == '_' &&
                          more.find_first_not_of("0123456789", 1) == std::string_view::npos);
}

/// The array that a name means: of that name, or of the host's for the same (out, d_out). `last`: of
/// several the one that the host took last.
int array_of(const Trace& t, const std::string& name, bool last = false) {
  const std::string others[] = {name, "d_" + name, "dev_" + name, name + "_d",
                                name.starts_with("d_") ? name.substr(2) : name};
  for (const std::string& n : others)
    if (last && size_t(t.output) < t.arrays.size() && is_called(t.arrays[size_t(t.output)].name, n))
      return t.output;
  for (const std::string& n : others)
    for (size_t k = 0; k < t.arrays.size(); ++k)
      if (t.arrays[k].name == n) return int(k);
  std::vector<std::string> all;
  for (size_t k = 0; k < std::min<size_t>(t.arrays.size(), 12); ++k) all.push_back(t.arrays[k].name);
  const Message there = all.empty() ? message("none") : Message::verbatim(name_list(all));
  throw NoSuchArray{{message("no kernel touches an array {}; those that kernels touch: {}", name, there)}};
}

Message not_judged(const ArrayInfo& a) {
  return message(
      "The trace holds the first {} of {} cells of {}, so the result is not judged: make the array "
      "smaller, with --const for example.",
      a.size, a.whole, a.name);
}

template <class T>
Values<T> values_of(std::span<const std::byte> bytes, ElementType kind) {
  Values<T> all;
  const auto width = size_t(bytes_of(kind));
  for (size_t at = 0; width && at + width <= bytes.size(); at += width) {
    T v{};
    if (sizeof(T) == width && is_float(kind) == std::is_floating_point_v<T>)
      std::memcpy(&v, bytes.data() + at, width);
    else
      v = T(number(kind, bytes.data() + at));
    all.push_back(v);
  }
  return all;
}

std::span<const std::byte> final_content(const Trace& t, int array) {
  const bool ran = !t.launches.empty() && size_t(array) < t.launches.back().after.size();
  return ran ? std::span<const std::byte>(t.launches.back().after[size_t(array)])
             : std::span<const std::byte>(t.arrays[size_t(array)].initial);
}

template <class T>
std::vector<std::byte> made(const Trace& t, const Expectation& e, const std::vector<int>& inputs,
                            int output) {
  const auto which = size_t(computation(e.of) - computations);
  std::vector<Values<T>> in;
  for (const int id : inputs)
    in.push_back(values_of<T>(t.arrays[size_t(id)].initial, t.arrays[size_t(id)].kind));
  const auto room = size_t(t.arrays[size_t(output)].size);
  const Values<T> out = makers<T>[which](in, Sizes{e.sizes}, room);
  std::vector<std::byte> bytes(out.size() * sizeof(T));
  std::memcpy(bytes.data(), out.data(), bytes.size());
  return bytes;
}

/// Floats as half precision or bfloat16.
std::vector<std::byte> as_small_floats(const std::vector<std::byte>& floats, ElementType kind) {
  std::vector<std::byte> bytes;
  for (const float v : values_of<float>(floats, ElementType::f32)) {
    const auto bits = uint16_t(bscope_small_of(v, fraction_bits(kind), bscope_to_nearest));
    bytes.push_back(std::byte(bits & 0xff));
    bytes.push_back(std::byte(bits >> 8));
  }
  return bytes;
}

std::vector<std::byte> expected_bytes(const Trace& t, const Expectation& e, const std::vector<int>& in,
                                      int out) {
  const ElementType kind = t.arrays[size_t(out)].kind;
  const Computation& c = *computation(e.of);
  for (const int id : in)
    if (t.arrays[size_t(id)].kind != kind && !c.other_kinds)
      throw Refused{message("{} holds {} and {} holds {}: they should be of one type",
                            t.arrays[size_t(id)].name, name_of(t.arrays[size_t(id)].kind),
                            t.arrays[size_t(out)].name, name_of(kind))};
  switch (kind) {
    case ElementType::i8: return made<int8_t>(t, e, in, out);
    case ElementType::u8: return made<uint8_t>(t, e, in, out);
    case ElementType::i16: return made<int16_t>(t, e, in, out);
    case ElementType::u16: return made<uint16_t>(t, e, in, out);
    case ElementType::i32: return made<int32_t>(t, e, in, out);
    case ElementType::u32: return made<uint32_t>(t, e, in, out);
    case ElementType::i64: return made<int64_t>(t, e, in, out);
    case ElementType::u64: return made<uint64_t>(t, e, in, out);
    case ElementType::f32: return made<float>(t, e, in, out);
    case ElementType::f64: return made<double>(t, e, in, out);
    case ElementType::f16:
    case ElementType::bf16: return as_small_floats(made<float>(t, e, in, out), kind);
    default: throw Refused{message("{} holds no numbers", t.arrays[size_t(out)].name)};
  }
}

/// What a line of a comment says behind our name; nothing: it is for readers. It is for us where our
/// name and a colon begin it, and wherever they stand, with or without a colon, before the verb.
std::optional<std::string_view> said_to_us(std::string_view line) {
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  const auto at = std::ranges::search(line, mark, same);
  if (at.empty()) return {};
  const std::string_view before(line.begin(), at.begin());
  std::string_view said(at.end(), line.end());
  const bool colon = said.starts_with(':');
  if (colon) said.remove_prefix(1);
  said.remove_prefix(std::min(said.find_first_not_of(" \t"), said.size()));
  said = said.substr(0, said.find_last_not_of(" \t\r\n;.*") + 1);
  const std::string_view behind_verb = said.substr(std::min(verb.size(), said.size()));
  const bool verb_comes = said.starts_with(verb) && (behind_verb.empty() || behind_verb.starts_with(' '));
  const bool begins = before.find_first_not_of(" \t/*!<") == std::string_view::npos;
  if (!verb_comes && !(colon && begins)) return {};
  return said;
}

std::vector<Constant> all_constants(const std::vector<NamedText>& texts) {
  std::vector<Constant> known;
  for (const NamedText& t : texts) std::ranges::copy(constants(t.text), std::back_inserter(known));
  return known;
}

}  // namespace

std::vector<Expectation> expectations(const std::vector<NamedText>& texts,
                                      std::vector<Diagnostic>& diagnostics) {
  const std::vector<Constant> known = all_constants(texts);
  std::vector<Expectation> all;
  for (const NamedText& t : texts)
    for (const Token& c : tokens(t.text)) {
      if (c.kind != Token::comment) continue;
      std::string_view rest = std::string_view(t.text).substr(c.begin + 2, c.end - c.begin - 2);
      if (rest.ends_with("*/")) rest.remove_suffix(2);
      for (int line = c.line; !rest.empty(); ++line) {
        const size_t end = std::min(rest.find('\n'), rest.size());
        const auto said = said_to_us(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (!said) continue;
        try {
          all.push_back(CommentScanner(*said, known).read());
          all.back().file = t.name;
          all.back().line = line;
        } catch (const Refused& r) { diagnostics.push_back({Diagnostic::error, t.name, line, 0, r.why}); }
      }
    }
  return all;
}

std::optional<Expectation> expectation(const Stated& s, const std::vector<NamedText>& texts,
                                       std::vector<Diagnostic>& diagnostics) {
  try {
    Expectation e = CommentScanner(s.text, all_constants(texts)).equation();
    e.file = s.file;
    e.line = s.line;
    return e;
  } catch (const Refused& r) { diagnostics.push_back({Diagnostic::error, s.file, s.line, 0, r.why}); }
  return {};
}

Message expect(Trace& trace, const Expectation& e, std::vector<Diagnostic>& diagnostics) {
  try {
    const int output = array_of(trace, e.output, true);
    std::vector<int> inputs;
    for (const std::string& name : e.inputs) inputs.push_back(array_of(trace, name));
    for (const int id : inputs)
      if (trace.arrays[size_t(id)].whole) return not_judged(trace.arrays[size_t(id)]);
    if (const ArrayInfo& out = trace.arrays[size_t(output)]; out.whole) return not_judged(out);
    std::vector<std::byte> bytes;
    if (!e.of.empty()) {
      bytes = expected_bytes(trace, e, inputs, output);
    } else {
      if (trace.arrays[size_t(inputs[0])].kind != trace.arrays[size_t(output)].kind)
        throw Refused{message("{} and {} should be of one type", e.output, e.inputs[0])};
      const auto other = final_content(trace, inputs[0]);
      bytes.assign(other.begin(), other.end());
      const size_t room =
          size_t(trace.arrays[size_t(output)].size) * size_t(bytes_of(trace.arrays[size_t(output)].kind));
      bytes.resize(std::min(bytes.size(), room));
    }
    trace.output = output;
    trace.input = inputs[0];
    trace.expected = std::move(bytes);
    trace.property = e.of.empty() ? Property::none : computation(e.of)->property;
  } catch (const NoSuchArray& r) {
    // a fault has ended the kernel before it came to the array
    if (trace.findings.empty()) diagnostics.push_back({Diagnostic::error, e.file, e.line, 0, r.why});
  } catch (const Refused& r) { diagnostics.push_back({Diagnostic::error, e.file, e.line, 0, r.why}); }
  return {};
}

}  // namespace bscope::cuda

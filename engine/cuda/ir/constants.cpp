#include "engine/cuda/ir/constants.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>

namespace bscope::cuda::ir {

namespace {
constexpr size_t most_scalars = size_t(1) << 24;
constexpr std::string_view empty_words[] = {"zeroinitializer", "undef", "poison", "null", "none"};
constexpr std::string_view cast_words[] = {"bitcast", "addrspacecast", "inttoptr", "ptrtoint",
                                           "trunc",   "zext",          "sext"};

void put_at(const Type& t, const std::vector<uint64_t>& scalars, size_t& next, std::vector<uint8_t>& bytes,
            uint64_t at) {
  if (t.scalar()) {
    const uint64_t n = std::min<uint64_t>(t.size, 8);
    if (next < scalars.size() && at + n <= bytes.size()) std::memcpy(&bytes[at], &scalars[next], n);
    ++next;
    return;
  }
  const uint64_t parts = t.kind == Type::structure ? t.parts.size() : t.count;
  for (uint64_t k = 0; k < parts && next < scalars.size(); ++k) {
    const Type::TypeMember p = t.part(k);
    put_at(*p.type, scalars, next, bytes, at + p.offset);
  }
}
}  // namespace

void Constants::put(const Type& t, const std::vector<uint64_t>& scalars, std::vector<uint8_t>& bytes) {
  size_t next = 0;
  put_at(t, scalars, next, bytes, 0);
}

std::vector<uint64_t> Constants::read(Scanner& s, const Type& t) {
  std::vector<uint64_t> out;
  add(s, t, out);
  return out;
}

void Constants::add_string(Scanner& s, std::vector<uint64_t>& to) {
  s.need("c");
  s.need("\"");
  const std::string_view text = s.take_while([](char c) { return c != '"'; });
  for (size_t k = 0; k < text.size(); ++k) {
    if (text[k] != '\\' || k + 2 >= text.size()) {
      to.push_back(uint8_t(text[k]));
      continue;
    }
    unsigned code = 0;
    std::from_chars(text.data() + k + 1, text.data() + k + 3, code, 16);
    to.push_back(code);
    k += 2;
  }
  s.need("\"");
}

void Constants::add_parts(Scanner& s, std::vector<uint64_t>& to) {
  const std::string_view open = s.take("<{") ? "<{" : s.take("{") ? "{" : s.take("[") ? "[" : "<";
  if (open == "<") s.need("<");
  const std::string_view close = open == "<{" ? "}>" : open == "{" ? "}" : open == "[" ? "]" : ">";
  if (s.take(close)) return;
  do add(s, types_.read(s), to);
  while (s.take(","));
  s.need(close);
}

uint64_t Constants::number(Scanner& s, const Type& t) {
  if (t.format() == NumberFormat::integer)
    return cut_to(s.number(), t.kind == Type::integer ? int(t.bits) : 64);
  double d = 0;
  if (s.take("0x")) s.refuse("a float of this form");
  const std::string_view digits = s.take_while([](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '+' || c == '-';
  });
  if (digits.starts_with("0xH") || digits.starts_with("0xR")) {  // of half precision, of a bfloat16
    uint64_t bits = 0;
    std::from_chars(digits.data() + 3, digits.data() + digits.size(), bits, 16);
    return bits;
  }
  if (digits.starts_with("0x")) {  // a double's bits, of a float too
    uint64_t bits = 0;
    std::from_chars(digits.data() + 2, digits.data() + digits.size(), bits, 16);
    d = std::bit_cast<double>(bits);
  } else {
    d = std::strtod(std::string(digits).c_str(), nullptr);
  }
  return t.kind == Type::f32 ? std::bit_cast<uint32_t>(float(d)) : std::bit_cast<uint64_t>(d);
}

uint64_t Constants::address_of(Scanner& s, const std::string& name) {
  if (const auto global = globals_.find(name); global != globals_.end()) {
    if (names) names(global->second);
    return module_.globals[size_t(global->second)].address;
  }
  const auto [it, fresh] = functions_.try_emplace(
      name, function_base + function_step * (module_.beside.functions + module_.pointed_at.size()));
  if (fresh) {
    auto& f = module_.functions[name];
    if (!f) f = std::make_unique<Function>(), f->name = name;
    module_.pointed_at.push_back(f.get());
  }
  (void)s;
  return it->second;
}

/// "getelementptr inbounds (TYPE, ptr BASE, i64 0, i32 1)". LLVM up to 18 says `inrange` before an index,
/// later ones "inrange(-16, 8)" before the brackets.
uint64_t Constants::element_address(Scanner& s) {
  for (;;) {
    if (s.take("inrange"))
      s.in_brackets();
    else if (!s.take("inbounds") && !s.take("nuw") && !s.take("nusw"))
      break;
  }
  s.need("(");
  const Type* of = &types_.read(s);
  s.need(",");
  uint64_t at = read(s, types_.read(s)).at(0);
  for (bool first = true; s.take(","); first = false) {
    s.take("inrange");
    const Type& t = types_.read_of_index(s);
    const int64_t index = sign_extended(read(s, t).at(0), t.width());
    if (first) {
      at += uint64_t(index) * of->size;
      continue;
    }
    if (of->parts.empty() || (of->kind == Type::structure && uint64_t(index) >= of->parts.size()))
      s.refuse("an element that is not there");
    const Type::TypeMember part = of->part(uint64_t(index));
    at += part.offset;
    of = part.type;
  }
  s.need(")");
  return at;
}

/// "splat (i32 1)": a vector whose elements are all the same, as LLVM 20 and later write it.
void Constants::add_splat(Scanner& s, const Type& t, std::vector<uint64_t>& to) {
  s.need("(");
  const std::vector<uint64_t> element = read(s, types_.read(s));
  s.need(")");
  if (t.kind != Type::vector || t.slots != t.count * element.size()) s.refuse("a splat that is no vector");
  for (uint64_t k = 0; k < t.count; ++k) to.insert(to.end(), element.begin(), element.end());
}

bool Constants::begins(std::string_view word) {
  const auto is_word = [&](std::string_view w) { return w == word; };
  return std::ranges::any_of(empty_words, is_word) || std::ranges::any_of(cast_words, is_word) ||
         word == "true" || word == "false" || word == "getelementptr" || word == "splat";
}

void Constants::add(Scanner& s, const Type& t, std::vector<uint64_t>& to) {
  if (++depth_ > 64 || to.size() > most_scalars) s.refuse("a constant of so many parts");
  struct Out {
    int& depth;
    ~Out() { --depth; }
  } out{depth_};
  for (const std::string_view empty : empty_words)
    if (s.take(empty)) {
      const uint64_t scalars = t.kind == Type::array ? t.count * t.element().slots : t.slots;
      if (scalars > most_scalars) s.refuse("a constant of so many parts");
      to.insert(to.end(), scalars, 0);
      return;
    }
  if (s.take("true")) return to.push_back(1);
  if (s.take("false")) return to.push_back(0);
  const char c = s.ahead();
  if (s.rest().starts_with("c\"")) return add_string(s, to);
  if (c == '[' || c == '{' || c == '<') return add_parts(s, to);
  if (s.take("@")) return to.push_back(address_of(s, s.name()));
  if (s.take("getelementptr")) return to.push_back(element_address(s));
  if (s.take("splat")) return add_splat(s, t, to);
  for (const std::string_view cast : cast_words)
    if (s.take(cast)) {
      s.need("(");
      add(s, types_.read(s), to);
      s.need("to");
      types_.read(s);
      s.need(")");
      return;
    }
  if (!s.digit_comes()) s.refuse("a constant should come at \"" + std::string(s.rest().substr(0, 40)) + "\"");
  to.push_back(number(s, t));
}

}  // namespace bscope::cuda::ir

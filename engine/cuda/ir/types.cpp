#include "engine/cuda/ir/types.hpp"

#include <algorithm>

namespace bscope::cuda::ir {
namespace {

constexpr uint64_t most_bytes = 1ull << 33;  // of an array: its zone of addresses has twice as many
constexpr uint32_t most_slots = 1u << 16;    // of a value: what is larger only lies in memory
constexpr int deepest_type = 64;

uint64_t rounded_up(uint64_t n, uint64_t to) { return (n + to - 1) / to * to; }

void lay_out_structure(Type& t) {
  for (const Type* part : t.parts) {
    if (!t.packed) {
      t.size = rounded_up(t.size, part->align);
      t.align = std::max(t.align, part->align);
    }
    t.offsets.push_back(t.size);
    t.first.push_back(t.slots);
    t.size += part->size;
    t.slots = std::min(t.slots + part->slots, most_slots);
  }
  t.size = rounded_up(t.size, t.align);
}

void lay_out(Type& t) {
  switch (t.kind) {
    case Type::none: return;
    case Type::integer:
      t.size = t.bits <= 8 ? 1 : t.bits <= 16 ? 2 : t.bits <= 32 ? 4 : t.bits <= 64 ? 8 : 16;
      break;
    case Type::f16:
    case Type::bf16: t.size = 2; break;
    case Type::f32: t.size = 4; break;
    case Type::f64:
    case Type::pointer: t.size = 8; break;
    case Type::array:
    case Type::vector:
      t.size = t.count * t.element().size;
      t.align = t.kind == Type::vector ? std::max<uint64_t>(1, t.size) : t.element().align;
      t.slots = uint32_t(std::min<uint64_t>(t.count * t.element().slots, most_slots));
      return;
    case Type::structure: lay_out_structure(t); return;
  }
  t.align = t.size;
  t.slots = 1;
}

}  // namespace

Type::TypeMember Type::part(uint64_t number) const {
  if (kind == structure) return {parts[number], offsets[number], first[number]};
  return {parts[0], number * parts[0]->size, uint32_t(number * parts[0]->slots)};
}

const Type& Types::made(Type t) {
  lay_out(t);
  module_.types.push_back(std::make_unique<Type>(std::move(t)));
  return *module_.types.back();
}
const Type& Types::simple(Type::TypeID kind) {
  const Type*& t = simple_[kind];
  if (!t) t = &made({.kind = kind});
  return *t;
}
const Type& Types::read_of_index(Scanner& s) {
  const Type& t = read(s);
  if (t.kind != Type::integer || t.bits > 64) s.refuse("an index that is no integer");
  return t;
}
const Type& Types::integer(uint32_t bits) {
  const Type*& t = integers_[bits];
  if (!t) t = &made({.kind = Type::integer, .bits = bits});
  return *t;
}
const Type& Types::vector_of(const Type& element, uint64_t count) {
  return made({.kind = Type::vector, .count = count, .parts = {&element}});
}

int Types::space(Scanner& s) {
  if (!s.take("addrspace")) return 0;
  s.need("(");
  const int n = int(s.number());
  s.need(")");
  return n;
}

bool Types::comes(Scanner& s) {
  const char c = s.ahead();
  if (c == '%' || c == '[' || c == '<' || c == '{') return true;
  if (c == 'i' && s.rest().size() > 1 && std::isdigit(static_cast<unsigned char>(s.rest()[1]))) return true;
  return std::ranges::any_of(std::initializer_list<const char*>{"void", "ptr", "float", "double", "half",
                                                                "bfloat", "metadata", "label"},
                             [&](const char* w) { return s.comes(w); });
}

void Types::define(Scanner& s) {
  s.need("%");
  const std::string name = s.name();
  s.need("=");
  s.need("type");
  texts_[name] = s;
}

const Type& Types::named(Scanner& s, const std::string& name) {
  if (const auto known = named_.find(name); known != named_.end()) return *known->second;
  const auto text = texts_.find(name);
  if (text == texts_.end()) s.refuse("the type %" + name + " is not defined");
  if (!under_way_.insert(name).second) s.refuse("the type %" + name + " holds itself");
  Scanner of = text->second;
  const Type& t = of.take("opaque") ? made({.kind = Type::structure}) : read(of);
  under_way_.erase(name);
  return *(named_[name] = &t);
}

const Type& Types::structure(Scanner& s) {
  Type t{.kind = Type::structure, .packed = s.take("<")};
  s.need("{");
  if (!s.comes("}")) do
      t.parts.push_back(&read(s));
    while (s.take(","));
  s.need("}");
  if (t.packed) s.need(">");
  const Type& out = made(std::move(t));
  if (out.size > most_bytes) s.refuse("a type of so many bytes");
  return out;
}

const Type& Types::counted(Scanner& s) {
  const bool vector = s.take("<");
  if (!vector) s.need("[");
  const uint64_t count = s.number();
  s.need("x");
  const Type& element = read(s);
  s.need(vector ? ">" : "]");
  if (count > most_bytes / std::max<uint64_t>(1, element.size)) s.refuse("a type of so many bytes");
  return made({.kind = vector ? Type::vector : Type::array, .count = count, .parts = {&element}});
}

const Type& Types::read(Scanner& s) {
  if (++depth_ > deepest_type) s.refuse("types in types in types");
  struct Out {
    int& depth;
    ~Out() { --depth; }
  } out{depth_};
  const char c = s.ahead();
  if (c == '%') {
    s.need("%");
    return named(s, s.name());
  }
  if (c == '{' || s.comes("<{")) return structure(s);
  if (c == '[' || c == '<') return counted(s);
  const std::string_view w = s.word();
  if (w == "ptr") {
    space(s);
    return simple(Type::pointer);
  }
  if (w == "float") return simple(Type::f32);
  if (w == "double") return simple(Type::f64);
  if (w == "half") return simple(Type::f16);
  if (w == "bfloat") return simple(Type::bf16);
  if (w == "void" || w == "metadata" || w == "label") return simple(Type::none);
  uint32_t bits = 0;
  if (w.size() > 1 && w[0] == 'i' &&
      std::from_chars(w.data() + 1, w.data() + w.size(), bits).ptr == w.data() + w.size() && bits > 0 &&
      bits <= 128)
    return integer(bits);
  s.refuse("\"" + std::string(w) + "\" is no type");
}

}  // namespace bscope::cuda::ir

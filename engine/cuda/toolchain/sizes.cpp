#include "engine/cuda/toolchain/sizes.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "engine/trace/cpp_tokens.hpp"

namespace bscope::cuda {
namespace {

const std::set<std::string_view> no_functions = {"if",     "for",    "while",    "switch",   "catch",
                                                 "return", "sizeof", "decltype", "noexcept", "alignas"};
const std::set<std::string_view> no_types = {"return", "else", "case",    "goto",  "delete",   "throw",
                                             "sizeof", "do",   "typedef", "using", "namespace"};

/// Tokens from `first` to before `last`.
struct Range {
  size_t first = 0, last = 0;
};

struct Function {
  std::string name;
  std::vector<std::string> parameters, template_parameters;
  Range extent;
  std::set<std::string> locals;
};

/// A text as tokens, with what is found by their signs alone.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text), words_(code_tokens(text)) {}

  size_t size() const { return words_.size(); }
  size_t begin(size_t k) const { return words_[k].begin; }
  int directive(size_t k) const { return words_[k].directive; }
  std::string_view operator[](size_t k) const {
    return k < words_.size() ? text_.substr(words_[k].begin, words_[k].end - words_[k].begin)
                             : std::string_view();
  }
  bool is_name(size_t k) const { return k < words_.size() && words_[k].kind == Token::name; }
  /// Whether signs stand there side by side, as in <<< and &&.
  bool is(size_t k, std::string_view signs) const {
    for (size_t i = 0; i < signs.size(); ++i)
      if ((*this)[k + i] != signs.substr(i, 1) || (i > 0 && words_[k + i].begin != words_[k + i - 1].end))
        return false;
    return true;
  }

  /// Behind the bracket that closes the one at k; k where none does.
  size_t behind(size_t k) const {
    int depth = 0;
    for (size_t i = k; i < size(); ++i) {
      const std::string_view w = (*this)[i];
      if (w == "(" || w == "[" || w == "{") ++depth;
      if ((w == ")" || w == "]" || w == "}") && --depth == 0) return i + 1;
    }
    return k;
  }
  /// Behind the > of template arguments that begin at k; k where there are none.
  size_t behind_template(size_t k) const {
    int depth = 0, round = 0;
    for (size_t i = k; i < std::min(size(), k + 200); ++i) {
      const std::string_view w = (*this)[i];
      if (w == "(") ++round;
      if (w == ";" || w == "{" || w == "}" || is(i, "&&") || is(i, "||") || (w == ")" && --round < 0))
        return k;
      if (w == "<") ++depth;
      if (w == ">" && --depth == 0) return i + 1;
    }
    return k;
  }
  /// The < whose arguments the > before k closes; k where there is none.
  size_t template_before(size_t k) const {
    int depth = 0, round = 0;
    for (size_t i = k; i > 0 && k - i < 200; --i) {
      const std::string_view w = (*this)[i - 1];
      if (w == ")") ++round;
      if (w == ";" || w == "{" || w == "}" || (w == "(" && --round < 0)) return k;
      if (w == ">") ++depth;
      if (w == "<" && --depth == 0) return i - 1;
    }
    return k;
  }
  /// Where the expression at k ends: at a comma, a semicolon, or the bracket around it.
  size_t end_of_expression(size_t k) const {
    const int line = k < size() ? words_[k].directive : 0;
    for (; k < size(); ++k) {
      const std::string_view w = (*this)[k];
      if (words_[k].directive != line || w == "," || w == ";" || w == ")" || w == "]" || w == "}") return k;
      if (w != "(" && w != "[" && w != "{") continue;
      const size_t behind_it = behind(k);
      if (behind_it == k) return k;
      k = behind_it - 1;
    }
    return k;
  }
  /// What commas part, in these tokens.
  std::vector<Range> parts(Range all) const {
    std::vector<Range> found;
    size_t from = all.first;
    int depth = 0;
    for (size_t k = all.first; k < all.last; ++k) {
      const std::string_view w = (*this)[k];
      if (w == "(" || w == "[" || w == "{") ++depth;
      if (w == ")" || w == "]" || w == "}") --depth;
      if (w == "<" && is_name(k - 1) && depth == 0 && behind_template(k) != k)
        k = std::min(behind_template(k), all.last) - 1;
      if (depth != 0 || w != ",") continue;
      found.push_back({from, k});
      from = k + 1;
    }
    if (from < all.last) found.push_back({from, all.last});
    return found;
  }
  /// What is declared by "const int n = 4", "float a[4]", "int": the last name before = or [.
  std::string declared(Range r) const {
    size_t end = r.first;
    while (end < r.last && (*this)[end] != "=" && (*this)[end] != "[") ++end;
    return end > r.first && is_name(end - 1) ? std::string((*this)[end - 1]) : std::string();
  }

 private:
  std::string_view text_;
  std::vector<Token> words_;
};

bool is_operator_on_bits(const Words& w, size_t k) {
  if (w[k] == "^" || w[k] == "~") return true;
  for (const char* twice : {"&", "|"})
    if (w[k] == twice) return w[k - 1] != twice && w[k + 1] != twice;
  return false;
}

/// Whether an argument of a function with this name is a number of bytes or elements.
bool takes_size(std::string_view function) {
  std::string lower(function);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{"alloc", "memcpy", "memset", "resize", "reserve", "fill_n",
                                              "copy_n", "generate_n", "make_unique", "make_shared"},
      [&](std::string_view part) { return lower.find(part) != std::string::npos; });
}

/// Follows names from where they are sizes back to the values that they are given.
class SizeFlow {
 public:
  explicit SizeFlow(const std::vector<NamedText>& texts) {
    for (const NamedText& t : texts) texts_.emplace_back(t.text);
    for (Words& w : texts_) find_functions(w);
    for (text_ = 0; text_ < texts_.size(); ++text_) look_at(texts_[text_]);
  }

  std::set<ValuePlace> values() {
    std::vector<std::string> next(sizes_.begin(), sizes_.end());
    while (!next.empty()) {
      const std::string name = std::move(next.back());
      next.pop_back();
      for (const std::string& source : sources_[name])
        if (sizes_.insert(source).second) next.push_back(source);
    }
    std::set<ValuePlace> all;
    for (const auto& [place, name] : places_)
      if (sizes_.contains(name)) all.insert(place);
    return all;
  }

 private:
  // ---- functions

  /// name ( ... ) { or name ( ... ) : a(b), c(d) {
  void find_functions(const Words& w) {
    std::vector<Function>& all = functions_.emplace_back();
    for (size_t k = 0; k + 1 < w.size(); ++k) {
      if (!w.is_name(k) || w[k + 1] != "(" || no_functions.contains(w[k]) || w.directive(k)) continue;
      if (w[k - 1] == "," || (w[k - 1] == ":" && w[k - 2] == ")")) continue;  // a member's first value
      const size_t behind = w.behind(k + 1);
      size_t body = behind;
      while (body > k && body < w.size() && w[body] != "{" && w[body] != ";" && w[body] != "=" &&
             w[body] != ")" && w[body] != "," && body - behind < 100)
        body = w[body] == "(" ? std::max(w.behind(body), body + 1) : body + 1;
      const bool defines = behind > k + 1 && w[body] == "{" &&
                           (body == behind || w[behind] == ":" || w.is_name(behind) || w[behind] == "-");
      if (!defines) continue;
      Function f{std::string(w[k]), {}, {}, {k, w.behind(body)}, {}};
      for (const Range& p : w.parts({k + 2, behind - 1})) f.parameters.push_back(w.declared(p));
      add_template_parameters(w, k, f);
      for (const auto* names : {&f.parameters, &f.template_parameters})
        f.locals.insert(names->begin(), names->end());
      for (size_t i = body; i < f.extent.last; ++i)
        if (w.is_name(i) && w.is_name(i - 1) && !no_types.contains(w[i - 1]) && w[i - 1] != "new" &&
            std::string_view("=;[{,(:)").find(w[i + 1]) != std::string::npos && !w[i + 1].empty())
          f.locals.insert(std::string(w[i]));
      all.push_back(std::move(f));
    }
  }

  /// Those of `template <int N> __global__ void f`, for the name at k.
  void add_template_parameters(const Words& w, size_t k, Function& f) {
    for (size_t i = k; i > 0 && k - i < 40; --i) {
      if (w[i - 1] == ";" || w[i - 1] == "}" || w[i - 1] == "{") return;
      if (w[i - 1] != "template") continue;
      const size_t behind = w.behind_template(i);
      if (behind > i)
        for (const Range& p : w.parts({i + 1, behind - 1})) f.template_parameters.push_back(w.declared(p));
      f.extent.first = i;
      return;
    }
  }

  const Function* around(size_t k) const {
    const Function* innermost = nullptr;
    for (const Function& f : functions_[text_])
      if (f.extent.first <= k && k < f.extent.last) innermost = &f;
    return innermost;
  }

  /// A name of the program: of the function that declares it.
  std::string known_as(const Words& w, size_t k) const {
    std::string name(w[k]);
    const Function* f = around(k);
    return f && f->locals.contains(name) ? f->name + "::" + name : name;
  }

  // ---- expressions

  /// The names that make an expression larger.
  std::vector<std::string> names(const Words& w, Range r) const {
    std::vector<std::string> all;
    for (size_t k = r.first; k < std::min(r.last, w.size()); ++k) {
      if (!w.is_name(k)) continue;
      const bool is_mask = (k > 0 && is_operator_on_bits(w, k - 1)) || is_operator_on_bits(w, k + 1);
      const bool divides = k > 0 && w[k - 1] == "/";
      if (!is_mask && !divides) all.push_back(known_as(w, k));
    }
    return all;
  }
  void is_size(const Words& w, Range r) {
    for (std::string& name : names(w, r)) sizes_.insert(std::move(name));
  }
  void flows(const Words& w, Range from, const std::string& to) {
    for (std::string& name : names(w, from)) sources_[to].insert(std::move(name));
  }

  // ---- what a text says

  void look_at(const Words& w) {
    for (size_t k = 0; k < w.size(); ++k) {
      if (w.is(k, "<<<")) launch(w, k);
      if (w[k] == "[") bound(w, k);
      if (w[k] == "=") assignment(w, k);
      if (w[k] == "{" && k > 1 && w.is_name(k - 1) && w.is_name(k - 2)) value(w, k - 1, k + 1);
      if (w[k] == "<" && k > 0 && w.is_name(k - 1)) template_arguments(w, k);
      if (!w.is_name(k)) continue;
      if (w[k] == "define" && w[k - 1] == "#") definition(w, k + 1);
      if (w[k] == "return") returned(w, k + 1);
      if (w[k + 1] != "(") continue;
      if (w[k] == "for" || w[k] == "while")
        loop(w, {k + 2, w.behind(k + 1) - 1});
      else if (!no_functions.contains(w[k]))
        call(w, k, k + 1);
    }
  }

  void launch(const Words& w, size_t k) {
    size_t end = k + 3;
    while (end < w.size() && !w.is(end, ">>>") && w[end] != ";") ++end;
    if (!w.is(end, ">>>")) return;
    is_size(w, {k + 3, end});
    const size_t name = w[k - 1] == ">" ? w.template_before(k) : k;
    if (name > 0 && w.is_name(name - 1) && w[end + 3] == "(") call(w, name - 1, end + 3);
  }

  /// type name[N], type name[M][N], new type[N]: no index of an array.
  void bound(const Words& w, size_t k) {
    size_t name = k;
    while (name > 0 && w[name - 1] == "]") {
      size_t open = name - 1;
      for (int depth = 0; open > 0; --open) {
        if (w[open] == "]") ++depth;
        if (w[open] == "[" && --depth == 0) break;
      }
      name = open;
    }
    while (name > 1 && w[name - 1] == "*") --name;  // new float*[N]
    if (name < 2 || !w.is_name(name - 1)) return;
    const bool behind_type = w.is_name(name - 2) && !no_types.contains(w[name - 2]);
    const bool behind_template = w[name - 2] == ">" && w.template_before(name - 1) != name - 1;
    const bool behind_another = w[name - 2] == "," && declares(w, name - 2);
    if (behind_type || behind_template || behind_another) is_size(w, {k + 1, w.behind(k) - 1});
  }

  /// Whether the statement around a comma begins as a declaration: type name
  static bool declares(const Words& w, size_t comma) {
    int depth = 0;
    size_t first = comma;
    for (; first > 0; --first) {
      const std::string_view before = w[first - 1];
      if (before == ")" || before == "]") ++depth;
      if ((before == "(" || before == "[") && --depth < 0) return false;
      if (before == ";" || before == "{" || before == "}" || w.directive(first - 1)) break;
    }
    return w.is_name(first) && w.is_name(first + 1) && !no_types.contains(w[first]);
  }

  void value(const Words& w, size_t name, size_t first) {
    const std::string target = known_as(w, name);
    if (first >= w.size()) return;
    places_.insert_or_assign({text_, w.begin(first)}, target);
    flows(w, {first, w.end_of_expression(first)}, target);
  }

  void assignment(const Words& w, size_t k) {
    if (k == 0 || w[k + 1] == "=" || w.directive(k)) return;
    size_t name = k;
    if (std::string_view("=!<>").find(w[k - 1]) != std::string::npos) return;  // it compares
    if (std::string_view("+-*/%&|^").find(w[k - 1]) != std::string::npos) --name;
    while (name > 0 && w[name - 1] == "]") {
      while (name > 0 && w[name - 1] != "[") --name;
      if (name > 0) --name;
    }
    if (name > 0 && w.is_name(name - 1)) value(w, name - 1, k + 1);
  }

  /// # define NAME value, but not NAME(x).
  void definition(const Words& w, size_t name) {
    size_t end = name + 1;
    while (end < w.size() && w.directive(end) == w.directive(name)) ++end;
    if (!w.is_name(name) || end == name + 1 ||
        (w[name + 1] == "(" && w.begin(name + 1) == w.begin(name) + w[name].size()))
      return;
    const std::string target(w[name]);
    places_.insert_or_assign({text_, w.begin(name + 1)}, target);
    flows(w, {name + 1, end}, target);
  }

  void returned(const Words& w, size_t k) {
    if (const Function* f = around(k)) flows(w, {k, w.end_of_expression(k)}, f->name);
  }

  /// What bounds the loop: the greater sides of its comparisons.
  void loop(const Words& w, Range head) {
    std::vector<size_t> ends;
    for (size_t k = head.first; k < head.last; ++k)
      if (w[k] == ";") ends.push_back(k);
    const Range condition = ends.size() == 2 ? Range{ends[0] + 1, ends[1]} : head;
    for (size_t k = condition.first; k < condition.last; ++k) {
      const bool alone = w[k + 1] != w[k] && w[k - 1] != w[k] && w[k - 1] != "-";
      if (!alone || (w[k] != "<" && w[k] != ">" && !w.is(k, "!="))) continue;
      Range sides = condition;
      for (size_t i = condition.first; i < condition.last; ++i) {
        if (!w.is(i, "&&") && !w.is(i, "||")) continue;
        if (i < k)
          sides.first = i + 2;
        else
          sides.last = std::min(sides.last, i);
      }
      is_size(w, w[k] == ">" ? Range{sides.first, k} : Range{k + 1, sides.last});
    }
  }

  /// vector<int> v(N), array<int, N>, f<N>(...)
  void template_arguments(const Words& w, size_t k) {
    const size_t behind = w.behind_template(k);
    if (behind == k || w.is(k, "<<")) return;
    const auto arguments = w.parts({k + 1, behind - 1});
    if (w[k - 1] == "array" || w[k - 1] == "extents") is_size(w, {k + 1, behind - 1});
    for (const Function* f : named(w[k - 1]))
      for (size_t i = 0; i < std::min(arguments.size(), f->template_parameters.size()); ++i)
        flows(w, arguments[i], f->name + "::" + f->template_parameters[i]);
    const bool is_object = w.is_name(behind) || w[k - 1].ends_with("vector") || takes_size(w[k - 1]);
    const size_t open = w.is_name(behind) ? behind + 1 : behind;
    if (is_object && (w[open] == "(" || w[open] == "{")) is_size(w, {open + 1, w.behind(open) - 1});
  }

  std::vector<const Function*> named(std::string_view name) const {
    std::vector<const Function*> all;
    for (const auto& of_text : functions_)
      for (const Function& f : of_text)
        if (f.name == name) all.push_back(&f);
    return all;
  }

  /// A call of a function of the program, of another, or an object that is made: `type name(arguments)`.
  void call(const Words& w, size_t name, size_t open) {
    const Range inside{open + 1, w.behind(open) - 1};
    if (inside.last < inside.first || inside.last == open - 1) return;
    if (takes_size(w[name])) is_size(w, inside);
    auto callees = named(w[name]);
    if (callees.empty() && name > 0 && w.is_name(name - 1)) callees = named(w[name - 1]);
    if (callees.empty()) return flows(w, inside, known_as(w, name));
    const auto arguments = w.parts(inside);
    for (const Function* f : callees)
      for (size_t i = 0; i < std::min(arguments.size(), f->parameters.size()); ++i)
        flows(w, arguments[i], f->name + "::" + f->parameters[i]);
  }

  std::vector<Words> texts_;
  std::vector<std::vector<Function>> functions_;  // of each text
  size_t text_ = 0;                               // that is looked at
  std::set<std::string> sizes_;
  std::map<std::string, std::set<std::string>> sources_;  // what each name is made of
  std::map<ValuePlace, std::string> places_;              // the names whose values begin there
};

}  // namespace

std::set<ValuePlace> size_values(const std::vector<NamedText>& texts) { return SizeFlow(texts).values(); }

}  // namespace bscope::cuda

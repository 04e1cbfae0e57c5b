#include "engine/cuda/toolchain/constants.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <iterator>
#include <set>

#include "engine/cuda/toolchain/sizes.hpp"
#include "engine/trace/cpp_tokens.hpp"
#include "engine/trace/error.hpp"

namespace bscope::cuda {
namespace {

const std::set<std::string_view> begin_no_type = {
    "return", "else",  "do",        "case",  "goto", "new",      "delete", "throw",
    "struct", "class", "namespace", "union", "enum", "typename", "using",  "operator"};
const std::set<std::string_view> no_names = {"final", "override", "const", "noexcept",
                                             "else",  "do",       "try",   "mutable"};

/// Looks for declarations in a text's words.
class DeclarationFinder {
 public:
  explicit DeclarationFinder(std::string_view text) : text_(text), words_(code_tokens(text)) {}

  std::vector<Constant> all() {
    for (size_t k = 0; k < words_.size(); ++k) {
      if (words_[k].directive)
        define(k);
      else if (words_[k].kind == Token::name && k + 1 < words_.size())
        declaration(k);
    }
    return std::move(found_);
  }

 private:
  std::string_view word(size_t k) const {
    return k < words_.size() ? text_.substr(words_[k].begin, words_[k].end - words_[k].begin)
                             : std::string_view();
  }
  bool is_name(size_t k) const { return k < words_.size() && words_[k].kind == Token::name; }

  void add(size_t name, size_t first, size_t end) {
    if (first >= end) return;
    const size_t from = words_[first].begin, to = words_[end - 1].end;
    found_.push_back(
        {std::string(word(name)), std::string(text_.substr(from, to - from)), words_[name].line, from, to});
  }

  /// # define NAME value, but not NAME(x).
  void define(size_t k) {
    if (word(k) != "#" || word(k + 1) != "define" || !is_name(k + 2)) return;
    size_t end = k + 3;
    while (end < words_.size() && words_[end].directive == words_[k].directive) ++end;
    const bool takes_arguments =
        end > k + 3 && word(k + 3) == "(" && words_[k + 3].begin == words_[k + 2].end;
    if (!takes_arguments) add(k + 2, k + 3, end);
  }

  void declaration(size_t k) {
    const bool braces = word(k + 1) == "{";
    if (!braces && (word(k + 1) != "=" || word(k + 2) == "=")) return;
    if (no_names.contains(word(k)) || !declares(k)) return;
    if (braces && !is_name(k - 1)) return;
    add(k, k + 2, end_of_value(k + 2));
  }

  /// Whether the name at k is declared here, and not assigned to.
  bool declares(size_t k) const {
    if (k == 0 || words_[k - 1].directive) return false;
    const std::string_view before = word(k - 1);
    if (is_name(k - 1)) return !begin_no_type.contains(before);
    if (before == "{") return of_enum(k - 1);
    if (before != ",") return false;
    size_t first = k - 1;
    for (int depth = 0; first > 0; --first) {  // to where the statement begins
      const std::string_view w = word(first - 1);
      if (words_[first - 1].directive) break;
      if (w == ")" || w == "]") ++depth;
      if ((w == "(" || w == "[") && --depth < 0) break;
      if (depth <= 0 && (w == ";" || w == "{" || w == "}")) break;
    }
    if (first > 0 && word(first - 1) == "{" && of_enum(first - 1)) return true;
    return is_name(first) && !begin_no_type.contains(word(first)) && is_name(first + 1);
  }

  /// Whether the brace opens an enum's list.
  bool of_enum(size_t brace) const {
    for (size_t k = brace; k > 0 && brace - k < 6; --k) {
      if (word(k - 1) == "enum") return true;
      if (!is_name(k - 1) && word(k - 1) != ":") return false;
    }
    return false;
  }

  size_t end_of_value(size_t first) const {
    int depth = 0;
    for (size_t k = first; k < words_.size(); ++k) {
      const std::string_view w = word(k);
      if (words_[k].directive) return first;  // an #if within: unknown
      const bool closes = w == ")" || w == "}" || w == "]";
      const bool closes_template = w == ">" && word(k + 1) != ">" && word(k - 1) != ">" && word(k + 1) != "=";
      if (depth == 0 && (w == "," || w == ";" || closes || closes_template)) return k;
      if (w == "(" || w == "{" || w == "[") ++depth;
      if (closes) --depth;
    }
    return first;
  }

  std::string_view text_;
  std::vector<Token> words_;
  std::vector<Constant> found_;
};

std::string in_lines(const std::vector<std::string>& places) {
  std::string s;
  for (size_t k = 0; k < places.size(); ++k)
    s += (k == 0 ? "" : k + 1 < places.size() ? ", " : " and ") + places[k];
  return s;
}

std::string digits_of(double v) {
  char text[32];
  const auto [end, error] = std::to_chars(std::begin(text), std::end(text), static_cast<long long>(v));
  return {text, end};
}

/// What --const takes for it: with its line, where there are several of that name.
std::string setting_name(const Constant& c, const std::vector<Constant>& known) {
  const bool several = std::ranges::count(known, c.name, &Constant::name) > 1;
  return several ? c.name + ":" + std::to_string(c.line) : c.name;
}

constexpr double watchable_side = 128,                  // of a matrix, which a smaller number may be
    watchable_threads = 2048, watchable_turns = 16384;  // of loops beside the threads

/// Divided by five, three or two until it is small enough, so that what divides it goes on to: the block's
/// size, a power of two, longest.
double divided(double value, double at_most) {
  while (value > at_most) {
    double by = 0;
    for (const double d : {5.0, 3.0, 2.0})
      if (by == 0 && std::fmod(value, d) == 0) by = d;
    value = by == 0 ? std::floor(value / 2) : value / by;
  }
  return value;
}

}  // namespace

std::vector<Constant> constants(std::string_view text) { return DeclarationFinder(text).all(); }

Setting parse_setting(const std::string& text) {
  const auto refuse = [&]() -> Setting {
    throw UsageError(message("--const {} is no constant and value: write for example --const N=4096", text));
  };
  const size_t sign = text.find('=');
  if (sign == std::string::npos || sign == 0 || sign + 1 == text.size()) return refuse();
  Setting s{text.substr(0, sign), text.substr(sign + 1)};
  if (s.value.find_first_of("\n\r;\"\\#") != std::string::npos) return refuse();
  if (const size_t colon = s.name.find(':'); colon != std::string::npos) {
    const char *first = s.name.data() + colon + 1, *last = s.name.data() + s.name.size();
    const auto [end, error] = std::from_chars(first, last, s.line);
    if (error != std::errc() || end != last || s.line < 1) return refuse();
    s.name.resize(colon);
  }
  const auto all = tokens(s.name);
  return all.size() == 1 && all[0].kind == Token::name ? s : refuse();
}

void change(std::vector<NamedText>& texts, const Setting& s) {
  struct FoundConstant {
    NamedText* in;
    Constant what;
  };
  std::vector<FoundConstant> found;
  for (NamedText& t : texts)
    for (Constant& c : constants(t.text))
      if (c.name == s.name && (s.line == 0 || s.line == c.line)) found.push_back({&t, std::move(c)});
  if (found.empty())
    throw UsageError(
        s.line
            ? message(
                  "--const {}: {} declares no such constant in line {}: it must be given its value where it "
                  "is declared, as in #define {} 4096 or const int {} = 4096",
                  s.name, texts.front().name, s.line, s.name, s.name)
            : message("--const {}: {} declares no such constant: it must be given its value where it is "
                      "declared, as in #define {} 4096 or const int {} = 4096",
                      s.name, texts.front().name, s.name, s.name));
  const auto in_header = [](const FoundConstant& f) { return f.in->header; };
  if (!std::ranges::all_of(found, in_header)) std::erase_if(found, in_header);
  std::vector<std::string> places;
  for (const FoundConstant& f : found)
    places.push_back("line " + std::to_string(f.what.line) + " of " + f.in->name);
  if (found.size() > 1)
    throw UsageError(message("--const {}: it is declared in {}: say which one, for example --const {}",
                             s.name, in_lines(places),
                             s.name + ":" + std::to_string(found[0].what.line) + "=" + s.value));
  std::string& text = found[0].in->text;
  const Constant& c = found[0].what;
  std::string value = s.value;  // as many lines as before
  for (const char ch : std::string_view(text).substr(c.begin, c.end - c.begin))
    if (ch == '\n') value += "\\\n";
  text.replace(c.begin, c.end - c.begin, value);
}

std::vector<Suggestion> suggest(const std::vector<NamedText>& texts, double threads) {
  std::vector<Constant> known;
  for (const NamedText& t : texts) std::ranges::copy(constants(t.text), std::back_inserter(known));
  const std::set<ValuePlace> sizes = size_values(texts);
  std::vector<Suggestion> all;
  for (const NamedText& t : texts)
    for (const Constant& c : constants(t.text)) {
      const auto is = worked_out(c.value, known);
      const bool is_size = is && *is >= 1024 && *is <= 1e13 && *is == std::floor(*is) &&
                           sizes.contains({size_t(&t - texts.data()), c.begin});
      const bool of_others = std::ranges::any_of(code_tokens(c.value), [](const Token& w) {
        return w.kind == Token::name;
      });  // they shrink with these
      if (!is_size || of_others) continue;
      const double factor = threads > watchable_threads
                                ? std::max(threads / watchable_threads, *is / watchable_turns)
                                : *is / (*is > watchable_side * watchable_side ? 1024 : watchable_side);
      Suggestion s{c.name, t.name, c.line, *is, divided(*is, std::max(64.0, *is / factor)), {}};
      if (s.smaller >= s.is) continue;
      const std::string setting = setting_name(c, known) + "=" + digits_of(s.smaller);
      s.message = threads > watchable_threads
                      ? message(
                            "{} is {} in line {} of {}: try --const {}, with which a launch of {} threads "
                            "would have about "
                            "{} if it grows with {}",
                            c.name, digits_of(s.is), c.line, t.name, setting, digits_of(threads),
                            digits_of(std::max(1.0, threads * s.smaller / s.is)), c.name)
                      : message("{} is {} in line {} of {}: try --const {}", c.name, digits_of(s.is), c.line,
                                t.name, setting);
      all.push_back(std::move(s));
    }
  std::ranges::stable_sort(all, std::greater{}, &Suggestion::is);
  return all;
}

}  // namespace bscope::cuda

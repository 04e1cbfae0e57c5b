#include "engine/cuda/toolchain/items.hpp"

#include <algorithm>

#include "engine/trace/cpp_tokens.hpp"

namespace bscope::cuda {
namespace {

constexpr std::string_view attributes[] = {"__launch_bounds__", "__cluster_dims__", "__attribute__",
                                           "__align__",         "alignas",          "decltype",
                                           "__declspec"};
/// What makes an item more than the device's: an attribute may say anything.
constexpr std::string_view for_hosts[] = {"__host__", "__managed__", "__global__", "__attribute__", "["};
constexpr std::string_view types[] = {"struct", "class", "enum", "union", "namespace"};

bool is_one_of(std::string_view word, auto& all) { return std::ranges::find(all, word) != std::end(all); }

/// Cuts a text's words into items.
class Cutter {
 public:
  explicit Cutter(std::string_view text) : text_(text), words_(code_tokens(text)) {}

  std::vector<Item> all() {
    std::vector<Item> items;
    while (at_ < words_.size()) {
      const size_t end = words_[at_].directive ? end_of_directive() : end_of_declaration();
      items.push_back(item(at_, end));
      at_ = end;
    }
    return items;
  }

 private:
  std::string_view word(size_t k) const {
    return k < words_.size() ? text_.substr(words_[k].begin, words_[k].end - words_[k].begin)
                             : std::string_view();
  }
  bool is_name(size_t k) const { return k < words_.size() && words_[k].kind == Token::name; }

  size_t end_of_directive() const {
    size_t end = at_;
    while (end < words_.size() && words_[end].directive == words_[at_].directive) ++end;
    return end;
  }

  /// Behind its semicolon, or the brace that ends its body.
  size_t end_of_declaration() const {
    int depth = 0;
    bool has_value = false;
    const bool of_type = is_one_of(word(at_), types) && word(at_) != "namespace";
    for (size_t k = at_; k < words_.size(); ++k) {
      if (words_[k].directive) continue;  // an #if within
      const std::string_view w = word(k);
      if (w == "(" || w == "{" || w == "[") ++depth;
      if (w == ")" || w == "}" || w == "]") --depth;
      if (depth > 0) continue;
      if (w == "=") has_value = true;
      if (w == ";") return k + 1;
      if (w == "}" && word(k + 1) != ";" && !has_value && !of_type) return k + 1;
    }
    return words_.size();
  }

  /// Which of its words is its name; `end` if none is.
  size_t name_of(size_t begin, size_t end) const {
    if (words_[begin].directive) return word(begin + 1) == "define" ? begin + 2 : end;
    if (word(begin) == "using" || is_one_of(word(begin), types)) return is_name(begin + 1) ? begin + 1 : end;
    if (word(begin) == "typedef") {
      for (size_t k = end; k-- > begin;)
        if (is_name(k)) return k;
      return end;
    }
    for (size_t k = begin; k + 1 < end; ++k) {
      const std::string_view next = word(k + 1);
      if (is_name(k) && is_one_of(word(k), attributes) && next == "(") {
        while (k < end && word(k) != ")") ++k;
        continue;
      }
      const bool declares =
          next == "(" || next == "=" || next == "[" || next == "{" || next == ";" || next == ",";
      if (is_name(k) && declares && !is_one_of(word(k), attributes)) return k;
    }
    return end;
  }

  /// Whether these two stand side by side.
  bool comes(size_t k, std::string_view sign, std::string_view next) const {
    return word(k) == sign && word(k + 1) == next && words_[k].end == words_[k + 1].begin;
  }
  /// Braces by other names (<% and ??<), and what is said to the preprocessor, could end it before its end.
  bool is_plain(size_t begin, size_t end) const {
    if (words_[begin].directive) return true;
    for (size_t k = begin; k < end; ++k) {
      const bool other_sign =
          comes(k, "<", "%") || comes(k, "%", ">") || comes(k, "%", ":") || comes(k, "?", "?");
      const bool unrolls = word(k + 1) == "pragma" && word(k + 2) == "unroll";
      const bool speaks = words_[k].directive && word(k) == "#" && !unrolls;
      if (other_sign || speaks || word(k) == "_Pragma" || word(k) == "__pragma") return false;
    }
    return true;
  }

  Item item(size_t begin, size_t end) const {
    Item i;
    i.line = words_[begin].line;
    const size_t name = name_of(begin, end);
    bool device = false, host = false;
    for (size_t k = begin; k < end; ++k) {
      i.words += (k > begin ? " " : "") + std::string(word(k));
      if (name < end && k < name) i.head = i.words;
      if (name < end && k > name) continue;
      device = device || word(k) == "__device__";
      host = host || is_one_of(word(k), for_hosts);
    }
    if (name < end) i.name = word(name);
    i.function = name + 1 < end && word(name + 1) == "(";
    i.plain = is_plain(begin, end);
    i.for_device_only = device && !host && i.plain && !words_[begin].directive;
    i.include = words_[begin].directive && word(begin + 1) == "include" && word(begin + 2) == "<" &&
                word(begin + 3) != "/" && i.words.find(". .") == std::string::npos;
    return i;
  }

  std::string_view text_;
  std::vector<Token> words_;
  size_t at_ = 0;
};

/// What a student may have written in this item's place.
bool may_stand_for(const Item& given, const Item& theirs) {
  return given.name == theirs.name && given.head == theirs.head && given.function == theirs.function &&
         given.words.back() == theirs.words.back() && theirs.plain;
}

std::string called(const Item& i) {
  constexpr size_t most = 40;
  if (i.name.empty()) return i.words.size() > most ? i.words.substr(0, most) + "..." : i.words;
  return i.function ? i.name + "()" : i.name;
}

}  // namespace

std::vector<Item> items(std::string_view text) { return Cutter(text).all(); }

std::optional<ItemChange> first_change(std::string_view given, std::string_view theirs,
                                       const std::vector<std::string>& may_change) {
  const std::vector<Item> asked = items(given), found = items(theirs);
  size_t at = 0;  // what comes next of `asked`
  for (const Item& f : found) {
    if (at < asked.size()) {
      const Item& a = asked[at];
      const bool open = !a.name.empty() && std::ranges::find(may_change, a.name) != may_change.end();
      if (a.words == f.words || (open && may_stand_for(a, f))) {
        ++at;
        continue;
      }
    }
    const bool stands_for_it = at < asked.size() && !f.name.empty() && asked[at].name == f.name;
    if (!stands_for_it && (f.for_device_only || f.include)) continue;
    const bool known =
        std::ranges::any_of(asked, [&](const Item& a) { return !a.name.empty() && a.name == f.name; });
    return ItemChange{f.line, called(f), !known};
  }
  if (at < asked.size()) return ItemChange{0, called(asked[at]), false};
  return {};
}

}  // namespace bscope::cuda

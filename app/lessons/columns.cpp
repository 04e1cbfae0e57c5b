#include "app/lessons/columns.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace bscope {
namespace {

/// How many bytes of the text, from `at` on, end a sentence, with the quote or bracket behind it; 0: none. A
/// full stop that no space follows is a number's or a name's.
size_t sentence_end(std::string_view text, size_t at) {
  static constexpr std::array<std::string_view, 3> wide_ends = {"\u3002", "\uff1f", "\uff01"},
                                                   wide_closing = {"\u201d", "\uff09", "\u300d"};
  const auto begins = [&](size_t from, const auto& any) -> size_t {
    for (const std::string_view one : any)
      if (text.substr(from).starts_with(one)) return one.size();
    return 0;
  };
  if (size_t n = begins(at, wide_ends)) return n + begins(at + n, wide_closing);
  if (text[at] != '.' && text[at] != '?' && text[at] != '!') return 0;
  size_t end = at + 1;
  while (end < text.size() && (text[end] == '"' || text[end] == ')')) ++end;
  return end < text.size() && text[end] == ' ' ? end - at : 0;
}

/// Lines of a text that is laid out column after column.
class ColumnSetter {
 public:
  ColumnSetter(std::vector<TextBlock> blocks, const MarkdownOptions& o, const Theme& t, const Metrics& m,
               const std::vector<float>& heights, size_t begins_page)
      : o_(o), t_(t), m_(m), heights_(heights), page_(int(begins_page)), text_{std::move(blocks), {}, true} {
    text_.lines = lines_of(text_.blocks);
  }

  ColumnText set() {
    // of a page some column has room for a line, so there are no more pages than lines
    for (int at = 0; column_ < heights_.size() * text_.lines.size(); ++column_) {
      const int end = fit(text_.lines, at), page = page_ > 0 ? first_line(text_.lines, page_) : 0;
      if (at < page && page <= end) {
        at = begin_column(page);
        while ((column_ + 1) % heights_.size()) ++column_;
        continue;
      }
      if (end == int(text_.lines.size())) break;
      if (end > at) at = broken(at, end);  // a column that is too low for a line has none
    }
    return std::move(text_);
  }

 private:
  std::vector<MarkdownLine> lines_of(const std::vector<TextBlock>& blocks) const {
    std::vector<MarkdownLine> lines = markdown(blocks, o_, t_, m_);
    for (const int k : begun_) lines[size_t(k)].new_box = true;
    return lines;
  }
  float height(size_t column) const { return heights_[column % heights_.size()]; }
  int fit(const std::vector<MarkdownLine>& lines, int at) const {
    return lines_that_fit(lines, at, height(column_));
  }
  /// Whether the page that the column is on has room for all lines from `at` on, behind that column.
  bool page_ends(const std::vector<MarkdownLine>& lines, int at) const {
    for (size_t k = column_ + 1; k % heights_.size(); ++k) at = lines_that_fit(lines, at, height(k));
    return at == int(lines.size());
  }
  /// Whether a column may end before the line: no heading, question or table goes on there.
  static bool may_begin(const std::vector<MarkdownLine>& lines, int line) {
    for (int k = 0; k < line; ++k)
      if (k + lines[size_t(k)].together > line) return false;
    return true;
  }

  /// Lines from `at` to `end` fit: where the column ends. Says so in the text.
  int broken(int at, int end) {
    // the rest of a text stays on its page if it can; else a column may stay empty by half, or for a long
    // sentence by three quarters
    if (page_ends(text_.lines, end))
      if (const int line =
              parted(at, end, [&](const auto& lines, int begins) { return page_ends(lines, begins); });
          line > 0)
        return line;
    for (const int share : {2, 4})
      if (const int line =
              parted(at, end, [&](const auto&, int begins) { return share * (begins - at) >= end - at; });
          line > 0)
        return line;
    text_.whole = text_.whole && text_.lines[size_t(end)].block >= 0;
    return begin_column(end);
  }
  /// The line that the next column may begin with, after a paragraph or a sentence; 0: none.
  template <class May>
  int parted(int at, int end, const May& may) {
    for (int k = end; k > at; --k)
      if (text_.lines[size_t(k)].block >= 0 && may_begin(text_.lines, k) && may(text_.lines, k))
        return begin_column(k);
    const int block = block_at(end);  // goes on behind the column
    for (auto parts = halves(block); !parts.empty(); parts.pop_back()) {
      std::vector<TextBlock> blocks = text_.blocks;
      TextBlock second = blocks[size_t(block)];
      second.words = std::move(parts.back().second);
      blocks[size_t(block)].words = std::move(parts.back().first);
      blocks.insert(blocks.begin() + block + 1, std::move(second));
      std::vector<MarkdownLine> lines = lines_of(blocks);
      const int begins = first_line(lines, block + 1);
      if (begins <= at || fit(lines, at) < begins || !may(lines, begins)) continue;
      text_.blocks = std::move(blocks);
      text_.lines = std::move(lines);
      page_ += block < page_;
      return begin_column(begins);
    }
    return 0;
  }
  int begin_column(int line) {
    begun_.push_back(line);
    text_.lines[size_t(line)].new_box = true;
    return line;
  }

  /// The line that the block begins with.
  static int first_line(const std::vector<MarkdownLine>& lines, int block) {
    return int(std::ranges::find(lines, block, &MarkdownLine::block) - lines.begin());
  }
  /// The block that the line before `line` is of.
  int block_at(int line) const {
    int block = -1;
    for (int k = 0; k < line; ++k) block = std::max(block, text_.lines[size_t(k)].block);
    return block;
  }
  std::vector<std::pair<Spans, Spans>> halves(int block) const {
    if (block < 0 || text_.blocks[size_t(block)].kind != TextBlock::paragraph) return {};
    return parted_at_sentences(text_.blocks[size_t(block)].words);
  }

  const MarkdownOptions& o_;
  const Theme& t_;
  const Metrics& m_;
  const std::vector<float>& heights_;
  int page_;  ///< the block that begins a page; 0: none
  ColumnText text_;
  std::vector<int> begun_;  ///< the lines that columns begin with
  size_t column_ = 0;
};

}  // namespace

std::vector<std::pair<Spans, Spans>> parted_at_sentences(const Spans& words) {
  std::vector<std::pair<Spans, Spans>> out;
  const auto part = [&](size_t span, size_t at) {
    Spans first(words.begin(), words.begin() + long(span) + 1),
        second(words.begin() + long(span), words.end());
    first.back().words.resize(at);
    second.front().words.erase(0, at);
    // the space between the sentences belongs to neither
    while (!second.empty()) {
      std::string& front = second.front().words;
      front.erase(0, std::min(front.find_first_not_of(' '), front.size()));
      if (!front.empty()) break;
      second.erase(second.begin());
    }
    if (!second.empty()) out.emplace_back(std::move(first), std::move(second));
  };
  for (size_t s = 0; s < words.size(); ++s) {
    const TextSpan& span = words[s];
    if (span.code || !span.link.empty()) continue;
    // what follows says whether a full stop ends a sentence
    const std::string text = span.words + (s + 1 < words.size() ? words[s + 1].words.substr(0, 4) : "");
    for (size_t at = 0; at < span.words.size(); ++at)
      if (const size_t n = sentence_end(text, at); n > 0 && at + n <= span.words.size()) part(s, at + n);
  }
  return out;
}

ColumnText in_columns(std::vector<TextBlock> blocks, const MarkdownOptions& o, const Theme& t,
                      const Metrics& m, const std::vector<float>& heights, size_t begins_page) {
  return ColumnSetter(std::move(blocks), o, t, m, heights, begins_page).set();
}

}  // namespace bscope

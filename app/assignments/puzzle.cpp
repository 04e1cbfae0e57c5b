#include "app/assignments/puzzle.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include "app/assignments/assignment.hpp"
#include "app/run/assets.hpp"
#include "app/words/words.hpp"
#include "engine/cuda/toolchain/items.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/trimmed.hpp"

namespace bscope {
namespace {

constexpr size_t comment_columns = 100;  // bytes of a line, beside "// "

/// A line by its text, and which of the lines with this text it is.
struct LineText {
  std::string_view text;
  int number = 0;
  bool operator==(const LineText&) const = default;
};

std::vector<LineText> line_texts(std::string_view text) {
  std::vector<LineText> all;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = trimmed(text.substr(at, end - at));
    all.push_back({line, int(std::ranges::count(all, line, &LineText::text))});
    at = end + 1;
  }
  return all;
}

/// The text in lines of a comment. Words of languages without blanks are cut between letters.
std::string as_comment(const std::string& text) {
  std::string all;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(at + comment_columns, text.size());
    if (const size_t line = text.find('\n', at); line < end) end = line;
    if (end < text.size() && text[end] != '\n') {
      const size_t blank = text.rfind(' ', end);
      if (blank != std::string::npos && blank > at)
        end = blank;
      else
        while ((text[end] & 0xc0) == 0x80) --end;  // within a letter of UTF-8
    }
    all += "// " + text.substr(at, end - at) + "\n";
    at = end + (end < text.size() && (text[end] == ' ' || text[end] == '\n'));
  }
  return all;
}

}  // namespace

std::optional<bool> names_wrong_line(const Assignment& a, std::string_view text, int line) {
  const std::vector<LineText> given = line_texts(a.given), theirs = line_texts(text);
  if (line < 1 || size_t(line) > theirs.size()) return {};
  const auto found = std::ranges::find(given, theirs[size_t(line) - 1]);
  if (found == given.end()) return {};
  return std::ranges::count(a.lines, int(found - given.begin()) + 1) > 0;
}

size_t hints_given(const Assignment& a, int failed) {
  return std::min(a.hints.size(), size_t(std::max(0, failed)));
}

const std::vector<std::shared_ptr<const Assignment>>& built_in_assignments() {
  static const std::vector<std::shared_ptr<const Assignment>> none;
  if (offered_assets() != AssetState::here) return none;
  static const auto all = [] {
    std::vector<std::shared_ptr<const Assignment>> read;
    for (const KnownAssignment& known : known_assignments()) try {
        read.push_back(std::make_shared<const Assignment>(read_assignment(known.file)));
      } catch (const BadFile&) { continue; }  // a foreign one: it is not offered
    return read;
  }();
  return all;
}

std::shared_ptr<const Assignment> assignment_begun_by(
    std::string_view text, const std::vector<std::shared_ptr<const Assignment>>& first) {
  for (const auto* all : {&first, &built_in_assignments()})
    for (const auto& a : *all)
      if (a->guards && !cuda::first_change(a->given, text, a->may_change)) return a;
  return {};
}

std::vector<std::shared_ptr<const Assignment>> puzzles_of(std::string_view series) {
  std::vector<std::shared_ptr<const Assignment>> all;
  for (const auto& a : built_in_assignments())
    if (!series.empty() && a->series == series && a->is_puzzle()) all.push_back(a);
  return all;
}

std::vector<size_t> shuffled_order(size_t count, uint64_t seed) {
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), size_t{0});
  // std::shuffle and the library's distributions differ between libraries, this generator does not
  std::mt19937_64 numbers(seed);
  for (size_t k = count; k > 1; --k) std::swap(order[k - 1], order[numbers() % k]);
  return order;
}

std::string start_under_its_task(const Assignment& a) {
  return as_comment(tr(a.title) + "\n" + tr(a.task)) + "//\n" + a.given;
}

}  // namespace bscope

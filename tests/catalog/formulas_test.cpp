// A formula's text is arithmetic, and it is that of the number beside it; and what it counts is what a run
// counts, or no more where it says "at most".
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/analysis/contention.hpp"
#include "engine/analysis/equation.hpp"
#include "engine/analysis/report.hpp"
#include "engine/analysis/work.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/simt/problem.hpp"
#include "tests/sanitized.hpp"

namespace bscope::test {
namespace {

/// Arithmetic in textbook notation: 3 x 2(n-1) + a, n log2 n, 2^s, ceil(log2 n), min(n, 32).
class Arithmetic {
 public:
  Arithmetic(const std::string& text, const std::map<std::string, double>& symbols)
      : text_(text), symbols_(symbols) {}
  double value() {
    const double v = sum();
    return v;
  }
  /// What follows the number: words.
  std::string rest() const { return text_.substr(at_); }

 private:
  char next() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  std::string word() {
    next();
    size_t end = at_;
    while (end < text_.size() && isalpha(static_cast<unsigned char>(text_[end]))) ++end;
    return text_.substr(at_, end - at_);
  }
  bool eat(char c) {
    if (next() != c) return false;
    ++at_;
    return true;
  }
  double sum() {
    double v = product();
    for (;;) {
      if (eat('+'))
        v += product();
      else if (eat('-'))
        v -= product();
      else
        return v;
    }
  }
  bool begins_factor() {
    const char c = next();
    if (isdigit(static_cast<unsigned char>(c)) || c == '(') return true;
    const std::string w = word();
    return w == "log" || w == "ceil" || w == "floor" || w == "min" || symbols_.contains(w);
  }
  double product() {
    double v = power();
    for (;;) {
      if (eat('/')) {
        v /= power();
      } else if (word() == "x") {
        ++at_;
        v *= power();
      } else if (begins_factor()) {
        v *= power();
      } else {
        return v;
      }
    }
  }
  double power() {
    const double v = factor();
    return eat('^') ? std::pow(v, factor()) : v;
  }
  double factor() {
    if (eat('(')) {
      const double v = sum();
      EXPECT_TRUE(eat(')')) << text_;
      return v;
    }
    if (isdigit(static_cast<unsigned char>(next()))) {
      size_t used = 0;
      const double v = std::stod(text_.substr(at_), &used);
      at_ += used;
      return v;
    }
    const std::string w = word();
    at_ += w.size();
    if (w == "log") {
      EXPECT_TRUE(eat('2')) << text_;
      return std::log2(factor());
    }
    if (w == "ceil" || w == "floor") {
      const double v = factor();
      return w == "ceil" ? std::ceil(v) : std::floor(v);
    }
    if (w == "min") {
      EXPECT_TRUE(eat('(')) << text_;
      const double a = sum();
      EXPECT_TRUE(eat(',')) << text_;
      const double b = sum();
      EXPECT_TRUE(eat(')')) << text_;
      return std::min(a, b);
    }
    const auto found = symbols_.find(w);
    if (found == symbols_.end()) {
      ADD_FAILURE() << "\"" << w << "\" is no symbol in: " << text_;
      at_ = text_.size();
      return NAN;
    }
    return found->second;
  }

  std::string text_;
  const std::map<std::string, double>& symbols_;
  size_t at_ = 0;
};

/// Splits at the commas that stand in no brackets.
std::vector<std::string> parts(const std::string& text) {
  std::vector<std::string> all{""};
  int depth = 0;
  for (const char c : text) {
    depth += (c == '(') - (c == ')');
    if (c == ',' && !depth)
      all.emplace_back();
    else
      all.back() += c;
  }
  return all;
}

constexpr const char* bound = "at most ";

double evaluated(std::string text, const Problem& p) {
  if (text.starts_with(bound)) text = text.substr(std::string(bound).size());
  std::map<std::string, double> symbols{{"n", double(p.n())}, {"T", p.block}};
  for (const char* name : {"unroll", "bins"})
    if (p.set.contains(name)) symbols[name] = p[name];
  // Later symbols may stand in what earlier ones are defined by: w = min(n, 32), n = 64.
  const auto all = parts(text);
  for (size_t k = all.size(); k-- > 1;) {
    const size_t is = all[k].find('=');
    if (is == std::string::npos) continue;  // words
    std::string name = all[k].substr(0, is);
    std::erase(name, ' ');
    const double v = Arithmetic(all[k].substr(is + 1), symbols).value();
    symbols[name] = v;
  }
  Arithmetic whole(all[0], symbols);
  const double v = whole.value();
  EXPECT_EQ(whole.rest(), "") << text;
  return v;
}

double counted(const Report& r, const std::string& of) {
  if (of == "adds") return double(r.work().adds);
  if (of == "span") return r.span();
  double n = 0;
  for (const Queue& q : r.contention().queues)
    if (q.place.shared() == (of == "shared atomics")) n += double(q.nodes.size());
  return n;
}

void hold(const Algorithm& a, const RunSpec& r) {
  const Problem p = make_problem(a, r);
  const Trace t = run(a, p, Device::cpu, {.kind = Schedule::to_barrier});
  const Report report = analyse(t);
  std::string at = a.name + " --n " + std::to_string(p.n()) + " --block " + std::to_string(p.block);
  for (const auto& [name, value] : r.set) at += " --set " + name + "=" + value;
  for (const Formula& f : t.formulas) {
    SCOPED_TRACE(at + ": " + f.of + " = " + equation(f.text, f.value));
    const double ran = counted(report, f.of);
    if (f.text == "keys of the fullest bin") {
      EXPECT_EQ(f.value, *std::ranges::max_element(report.output));
    } else {
      EXPECT_NEAR(evaluated(f.text, p), f.value, 1e-6);
    }
    if (f.text.starts_with(bound)) {
      EXPECT_LE(ran, f.value + 1e-6);
    } else {
      EXPECT_EQ(ran, f.value);
    }
  }
}

class Formulas : public testing::TestWithParam<const Algorithm*> {};
INSTANTIATE_TEST_SUITE_P(Catalog, Formulas, testing::ValuesIn([] {
                           auto all = catalog();
                           std::erase_if(all, [](auto* a) { return !a->formulas; });
                           return all;
                         }()),
                         [](const auto& p) {
                           std::string name = p.param->name;
                           for (char& c : name)
                             if (!isalnum(c)) c = '_';
                           return name;
                         });

TEST_P(Formulas, SayWhatTheyCountAtEveryLengthAndBlock) {
  const Algorithm& a = *GetParam();
  for (const int block : {1, 2, 4, 37, 64, 256})
    for (const int n : {1, 2, 7, 10, 33, 64, 100, 512, 1000}) {
      if (a.power_of_two_block && (block & (block - 1))) continue;
      if (test::sanitized && n > 33 && n != 100) continue;
      RunSpec r;
      r.n = n;
      r.block = block;
      hold(a, r);
      if (HasFailure()) return;
    }
}
TEST_P(Formulas, SayWhatTheyCountWithEveryParameter) {
  const Algorithm& a = *GetParam();
  for (const Parameter& parameter : a.parameters) {
    std::vector<std::string> values;
    for (const Choice& c : parameter.values) values.push_back(c.text);
    if (values.empty()) values = {std::to_string(parameter.least), std::to_string(parameter.least + 4)};
    for (const std::string& value : values)
      for (const auto& [n, block] : {std::pair(64, 16), std::pair(100, 8), std::pair(5, 64)}) {
        RunSpec r;
        r.n = n;
        r.block = block;
        r.set = {{parameter.name, value}};
        hold(a, r);
        if (HasFailure()) return;
      }
  }
}

TEST(FormulaText, IsReadAsPeopleReadIt) {
  RunSpec r;
  r.n = 37;
  r.block = 8;
  const Problem p = make_problem(find("scan/kogge-stone"), r);
  for (const auto& [text, value] :
       std::map<std::string, double>{{"3 x 2(n-1) + a, n = 8, a = 5 of these", 47},
                                     {"n log2 n - (n-1), n = 8", 17},
                                     {"n s - 2^s + 1, s = ceil(log2 n)", 159},
                                     {"at most n/T + log2 T, n = 16", 5},
                                     {"w log2(T/w), w = min(T, 4)", 4}})
    EXPECT_EQ(evaluated(text, p), value) << text;
}

}  // namespace
}  // namespace bscope::test

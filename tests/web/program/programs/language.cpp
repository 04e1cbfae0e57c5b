// C++ itself and its containers: the same output natively and in a page.
#include <algorithm>
#include <array>
#include <chrono>
#include <cinttypes>
#include <climits>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iomanip>
#include <iostream>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <vector>

namespace {

struct Noisy {
  explicit Noisy(int n) : number(n) {}
  ~Noisy() { std::cout << "destroyed " << number << "\n"; }
  int number;
};

struct Own : std::out_of_range {
  using std::out_of_range::out_of_range;
};

int third(int n) {
  const Noisy noisy(3);
  if (n > 2) throw Own("from the third frame");
  return n;
}
int second(int n) {
  const Noisy noisy(2);
  return third(n + 1) + 1;
}
int first(int n) {
  const Noisy noisy(1);
  return second(n + 1) + 1;
}

struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
};
struct Square : Shape {
  explicit Square(double s) : side(s) {}
  double area() const override { return side * side; }
  double side;
};
struct Disc : Shape {
  double area() const override { return 3; }
};

void sizes() {
  std::cout << sizeof(long) << sizeof(void*) << sizeof(size_t) << sizeof(ptrdiff_t) << sizeof(off_t)
            << sizeof(time_t) << sizeof(clock_t) << sizeof(int64_t) << sizeof(long double) << sizeof(wchar_t)
            << "\n";
  std::cout << typeid(int64_t).name() << typeid(uint64_t).name() << typeid(size_t).name()
            << typeid(intmax_t).name() << typeid(ptrdiff_t).name() << typeid(clock_t).name() << "\n";
  const long large = 1L << 40;
  std::cout << large * 3 << " " << std::numeric_limits<size_t>::max() << " " << SIZE_MAX << " " << LONG_MIN
            << "\n";
}

void exceptions() {
  try {
    first(1);
  } catch (const std::out_of_range& e) { std::cout << "caught " << e.what() << "\n"; }
  try {
    try {
      throw 42;
    } catch (...) {
      std::cout << "again\n";
      throw;
    }
  } catch (int n) { std::cout << n << "\n"; }
  std::exception_ptr kept;
  try {
    throw std::logic_error("kept");
  } catch (...) { kept = std::current_exception(); }
  try {
    std::rethrow_exception(kept);
  } catch (const std::exception& e) { std::cout << e.what() << " " << std::uncaught_exceptions() << "\n"; }
  try {
    const std::unique_ptr<Shape> shape = std::make_unique<Disc>();
    std::cout << dynamic_cast<Square&>(*shape).side;
  } catch (const std::bad_cast&) { std::cout << "no square\n"; }
  try {
    std::vector<int>(3).at(5) = 1;
  } catch (const std::out_of_range&) { std::cout << "out of range\n"; }
  try {
    std::cout << std::stoi("no number");
  } catch (const std::invalid_argument&) { std::cout << "no number\n"; }
  try {
    volatile size_t much = size_t(1) << 60;
    std::vector<char> bytes(much);
    std::cout << bytes.data();
  } catch (const std::exception&) { std::cout << "too much\n"; }
}

void containers() {
  std::map<std::string, std::vector<int>> map;
  for (int k = 0; k < 20; ++k) map["key " + std::to_string(k % 7)].push_back(k * k);
  for (const auto& [key, values] : map)
    std::cout << key << ": " << std::accumulate(values.begin(), values.end(), 0) << "\n";
  std::vector<int> values(1000);
  std::mt19937 random(7);
  for (int& v : values) v = int(random() % 1000);
  std::sort(values.begin(), values.end(), std::greater<>());
  std::cout << values.front() << " " << values[500] << " " << values.back() << " "
            << std::count_if(values.begin(), values.end(), [](int v) { return v > 500; }) << "\n";
  std::mt19937_64 wide(11);
  std::uniform_real_distribution<double> real(-1, 1);
  std::cout << wide() << " " << std::setprecision(17) << real(random) << std::setprecision(6) << "\n";
  std::set<std::string> words;
  std::istringstream text("the quick brown fox jumps over the lazy dog");
  for (std::string word; text >> word;) words.insert(word);
  for (const auto& word : words) std::cout << word << ",";
  std::list<double> list{1.5, 2.5, 1e100, -0.0, 1e-7};
  for (double d : list) std::cout << d << " ";
  std::cout << std::hex << 255 << std::dec << std::setw(8) << std::setfill('*') << 42 << std::fixed
            << std::setprecision(3) << 3.14159 << std::boolalpha << true << "\n";
  std::cout << std::complex<double>(1, -2) * std::complex<double>(3, 4) << " " << std::hypot(3.0, 4.0) << " "
            << std::lround(2.5) << " " << std::fmod(7.5, 2) << "\n";
}

void random_numbers() {
  for (int k = 0; k < 5; ++k) std::cout << rand() << " ";
  srand(2024);
  for (int k = 0; k < 5; ++k) std::cout << rand() % 100 << " ";
  long sum = 0;
  for (int k = 0; k < 100000; ++k) sum += rand();
  srandom(5);
  std::cout << sum << " " << random() << " " << RAND_MAX << "\n";
  srand(0);
  std::cout << rand() << "\n";
}

}  // namespace

int main() {
  sizes();
  exceptions();
  containers();
  random_numbers();
  const Noisy last(0);
  return 7;
}

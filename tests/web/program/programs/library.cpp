// The C library, files, standard input and arguments: the same output natively and in a page.
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>

namespace {

void formats() {
  char text[200];
  int length = 0;
  printf("%d|%i|%5d|%-5d|%05d|%+d|% d|%u|%o|%x|%#x|%X|%#o\n", 42, -42, 42, 42, 42, 42, 42, 42u, 42u, 255u,
         255u, 255u, 8u);
  printf("%ld|%lu|%lld|%llu|%zu|%td|%jd|%hd|%hhd|%hhu\n", 1L << 40, ~0UL, -1LL << 62, ~0ULL, sizeof text,
         ptrdiff_t(-5), intmax_t(1) << 50, short(70000 % 65536), 300 % 256 - 256, 200);
  printf("%c|%s|%.3s|%10s|%-10s|%*d|%.*f|%%|%5c|\n", 'x', "text", "cut off", "right", "left", 6, 42, 2,
         3.14159, 'y');
  printf("%f|%.2f|%10.3f|%-10.1f|%+.1f|%e|%.3E|%g|%G|%#g|%g|%g\n", 1.5, 2.345, 3.14159, 2.5, 1.25, 12345.678,
         0.00012, 100000.0, 1e-10, 1.0, 1e20, 0.0001);
  printf("%a|%.2a|%Lf|%Lg|%f|%f|%F|%e\n", 1.0, 3.5, 2.5L, 1e30L, INFINITY, -INFINITY, NAN, 1e308);
  printf("%p|%n%s|%ls|%lc\n", (void*)0x1234abcd, &length, "after", L"wide", L'w');
  printf("%d|%.0f|%.0f|%.0f|%.20f\n", length, 0.5, 1.5, 2.5, 0.1);
  snprintf(text, 5, "%s", "cut off");
  printf("%s|%d\n", text, snprintf(nullptr, 0, "%d", 12345));
  int number = 0;
  float real = 0;
  char word[20];
  printf("%d %d %g %s\n", sscanf("17 3.5 word", "%d %f %19s", &number, &real, word), number, real, word);
  printf("%ld %lx %g %g %d\n", strtol("-99bottles", nullptr, 10), strtoul("ff", nullptr, 16),
         strtod("1e3", nullptr), atof("2.5x"), atoi("12"));
  printf("%s %s\n", strerror(ENOENT), strerror(EINVAL));
}

void files() {
  std::ifstream given("data/given.txt");
  std::string line;
  int count = 0;
  while (std::getline(given, line)) std::cout << ++count << ": " << line << "\n";
  std::ofstream("made.txt") << "written " << 5 << "\n";
  std::ofstream("made.txt", std::ios::app) << "and more\n";
  std::ifstream made("made.txt");
  std::cout << std::string(std::istreambuf_iterator<char>(made), {});
  FILE* file = fopen("made.bin", "wb+");
  const int64_t values[] = {1, 2, 1LL << 40};
  printf("%zu\n", fwrite(values, sizeof values[0], 3, file));
  fseek(file, 16, SEEK_SET);
  int64_t value = 0;
  printf("%zu %ld %ld\n", fread(&value, sizeof value, 1, file), (long)value, ftell(file));
  printf("%d %d\n", fgetc(file), feof(file) != 0);
  rewind(file);
  fseek(file, -8, SEEK_END);
  printf("%ld\n", ftell(file));
  fclose(file);
  printf("%d %d\n", fopen("nothing/at/all", "r") == nullptr, errno == ENOENT);
  struct stat status;
  printf("%d %ld %d\n", stat("made.bin", &status), (long)status.st_size, S_ISREG(status.st_mode));
  namespace fs = std::filesystem;
  fs::create_directories("made/a/b");
  std::ofstream("made/a/one.txt") << "1";
  fs::copy_file("made/a/one.txt", "made/a/two.txt");
  fs::rename("made/a/two.txt", "made/a/b/three.txt");
  size_t entries = 0, bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator("made")) {
    ++entries;
    if (entry.is_regular_file()) bytes += entry.file_size();
  }
  std::cout << entries << " " << bytes << " " << fs::exists("made/a/b") << fs::exists("made/c")
            << fs::is_directory("made") << fs::file_size("made.bin") << "\n";
  std::cout << fs::remove_all("made") << fs::exists("made") << " " << (remove("made.bin") == 0) << "\n";
  std::error_code error;
  fs::remove("made", error);
  std::cout << fs::file_size("nothing", error) << " " << error.message() << "\n";
}

void input() {
  int first = 0, second = 0;
  std::cin >> first >> second;
  std::cout << first + second << "\n";
  char line[100];
  printf("%s", fgets(line, sizeof line, stdin));
  printf("%s", fgets(line, sizeof line, stdin));
  printf("%d\n", fgets(line, sizeof line, stdin) == nullptr);
}

void clocks() {
  const auto begin = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const auto took = std::chrono::steady_clock::now() - begin;
  usleep(1000);
  const time_t now = time(nullptr);
  printf("%d %d %d\n", took >= std::chrono::milliseconds(20), now > 1700000000, clock() >= 0);
  const time_t then = 86400 * 365;
  char text[100];
  strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %A", gmtime(&then));
  printf("%s %ld\n", text, (long)CLOCKS_PER_SEC);
}

volatile int signals = 0;
void on_signal(int number) { signals = number; }

}  // namespace

int main(int count, char** words) {
  for (int k = 1; k < count; ++k) printf("<%s>", words[k]);
  printf(" %d\n", words[count] == nullptr);
  fflush(stdout);
  formats();
  fflush(stdout);
  files();
  std::cout.flush();
  input();
  clocks();
  signal(SIGINT, on_signal);
  raise(SIGINT);
  printf("%d %d\n", signals == SIGINT, getenv("NO_SUCH_VARIABLE") == nullptr);
  fprintf(stderr, "to the errors\n");
  atexit([] { printf("at the end\n"); });
  exit(3);
}

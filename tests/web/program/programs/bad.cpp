// Programs that end badly: the argument says how. The comment "// NAME" is on the line that is to be named.
#include <cassert>
#include <climits>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

struct Noisy {
  ~Noisy() { printf("destroyed\n"); }
};

__attribute__((noinline)) int deeper(int n) {
  volatile int room[100];
  room[n % 100] = n;
  return deeper(n + 1) + room[n % 50];  // recursion
}
__attribute__((noinline)) long fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__attribute__((noinline)) int large_array(int n) {
  volatile int room[4 << 20];
  for (int k = 0; k < n; ++k) room[k] = k;  // large-array
  return room[n - 1];
}
__attribute__((noinline)) void throws() {
  throw std::runtime_error("nobody wants me");  // throw
}
void does_not_throw() noexcept { throws(); }
__attribute__((noinline)) void traps() {
  __builtin_trap();  // trap
}
__attribute__((noinline)) void terminates() {
  std::terminate();  // terminate
}
int add(int a, int b) { return a + b; }

}  // namespace

int main(int count, char** words) {
  const std::string name = count > 1 ? words[1] : "";
  volatile int zero = 0;
  int* volatile null = nullptr;
  printf("before");
  if (name == "null") *null = 3;                                                         // null
  if (name == "null-read") printf("%d", null[5]);                                        // null-read
  if (name == "wild") *(int* volatile)0x1000f2345678 = 3;                                // wild
  if (name == "device-read") printf("%d", *(volatile int*)0x200012345678);               // device-read
  if (name == "beyond") *(int* volatile)0xfffff000 = 3;                                  // beyond
  if (name == "beyond-read") printf("%d", *(volatile int*)0xf0000000);                   // beyond-read
  if (name == "copy") memcpy((void*)null, words, 8 + zero);                              // copy
  if (name == "copy-device") memcpy(words, (char*)0x200012345678 + zero, 80000 + zero);  // copy-device
  if (name == "copy-nothing") memcpy((void*)null, words, zero);
  if (name == "endless")
    while (zero == 0) {}  // endless
  if (name == "endless-print")
    while (zero == 0) printf("again and again\n");
  if (name == "endless-fill") {
    char* const bytes = (char*)malloc(100 << 20);
    while (zero == 0) memset(bytes, zero, 100 << 20);
  }
  if (name == "calls") printf("%ld", fibonacci(100));
  if (name == "recursion") printf("%d", deeper(0));
  if (name == "large-array") printf("%d", large_array(1000 + zero));
  if (name == "overrun") {
    volatile int* const array = (int*)malloc(16);
    for (int k = 0; k < 2000000000; ++k) array[k] = k;  // overrun
  }
  if (name == "abort") abort();             // abort
  if (name == "assert") assert(zero == 1);  // assert
  if (name == "free-twice") {
    void* volatile bytes = malloc(1000);
    free(bytes);
    free(bytes);  // free-twice
  }
  if (name == "throw") throws();
  if (name == "throw-int") throw 5;  // throw-int
  if (name == "noexcept") does_not_throw();
  if (name == "thread") std::thread(throws).join();
  if (name == "joinable") std::thread([] {}).operator=(std::thread());
  if (name == "terminate") terminates();
  if (name == "new") delete[] new char[LONG_MAX / 4];
  if (name == "new-too-much") {
    while (zero == 0) printf("%p", (void*)new char[1 << 30]);  // new-too-much
  }
  if (name == "exit") {
    const Noisy noisy;
    try {
      exit(3);  // exit
    } catch (...) { printf("caught\n"); }
  }
  if (name == "quick-exit") _Exit(4);
  if (name == "divide") printf("%d", 7 / zero);                             // divide
  if (name == "remainder") printf("%d", 7 % zero);                          // remainder
  if (name == "divide-least") printf("%d", (INT_MIN + zero) / (zero - 1));  // divide-least
  if (name == "trap") traps();
  if (name == "null-function") ((int (*)(int, int))(long)zero)(1, 2);  // null-function
  if (name == "other-function")
    printf("%ld", ((long (*)(long))(void*)(zero ? nullptr : (void*)add))(1));  // other-function
  if (name == "wild-function") ((int (*)(int, int))0x12345678L)(1, 2);         // wild-function
  if (name == "deadlock") {
    std::mutex mutex;
    std::condition_variable condition;
    std::unique_lock<std::mutex> lock(mutex);
    condition.wait(lock, [&] { return zero != 0; });  // deadlock
  }
  if (name == "signal") raise(9);
  printf(" after\n");
  return 0;
}

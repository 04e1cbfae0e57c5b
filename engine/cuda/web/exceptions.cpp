// How exceptions end a program: with the words of GNU's library, as natively. It takes the place of
// libc++abi's cxa_default_handlers.cpp.
#include <cxxabi.h>

#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <typeinfo>
#include <utility>

#include "engine/cuda/web/system.h"

namespace {

void* latest_thrown = nullptr;

/// The type of the exception that ends the program, which becomes the caught one; null where there is none.
/// One that meets a noexcept function is not caught yet: clang's code for WebAssembly does not say which it
/// is.
const std::type_info* take_exception() {
  if (!abi::__cxa_current_exception_type() && std::uncaught_exceptions() > 0)
    abi::__cxa_begin_catch(latest_thrown);
  return abi::__cxa_current_exception_type();
}

[[noreturn]] void report_and_abort() {
  system_terminates();
  const std::type_info* type = take_exception();
  const char* name = type ? type->name() : "";
  try {
    if (type) throw;
    system_uncaught("", 0, nullptr, 0);
  } catch (const std::exception& e) {
    system_uncaught(name, std::strlen(name), e.what(), std::strlen(e.what()));
  } catch (...) { system_uncaught(name, std::strlen(name), nullptr, 0); }
  std::abort();
}

/// What pthread_exit throws.
struct ThreadExit {
  void* result;
};

/// What the function does not catch ends the program at once, not in the thread that created this one.
void* run_thread(void* (*start)(void*), void* argument) noexcept {
  try {
    return start(argument);
  } catch (const ThreadExit& exit) { return exit.result; }
}

}  // namespace

// libc++abi reads these.
extern "C" {
constinit std::terminate_handler __cxa_terminate_handler = report_and_abort;
constinit std::unexpected_handler __cxa_unexpected_handler = std::terminate;
constinit std::new_handler __cxa_new_handler = nullptr;
}

namespace std {

terminate_handler set_terminate(terminate_handler handler) noexcept {
  return std::exchange(__cxa_terminate_handler, handler ? handler : report_and_abort);
}
unexpected_handler set_unexpected(unexpected_handler handler) noexcept {
  return std::exchange(__cxa_unexpected_handler, handler ? handler : std::terminate);
}
new_handler set_new_handler(new_handler handler) noexcept {
  return std::exchange(__cxa_new_handler, handler);
}

}  // namespace std

extern "C" {

__attribute__((export_name("report_uncaught"))) void system_report_uncaught(void* exception) {
  abi::__cxa_begin_catch(exception);
  std::terminate();
}

void system_note_throw(void* exception) {
  latest_thrown = exception;
  system_thrown();
}

void* system_run_thread(void* (*start)(void*), void* argument) { return run_thread(start, argument); }

void system_exit_thread(void* result) { throw ThreadExit{result}; }

}  // extern "C"

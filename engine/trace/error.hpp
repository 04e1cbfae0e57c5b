// Errors for users. What is thrown holds a message, so that the app can say it in any language.
#pragma once

#include <exception>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "engine/trace/message.hpp"

namespace bscope {

/// An error whose message is for the user: what is wrong, where, and what to do. what() is its English.
class Error : public std::runtime_error {
 public:
  explicit Error(Message m) : std::runtime_error(m.english()), message_(std::move(m)) {}
  const Message& message() const { return message_; }

 private:
  Message message_;
};

/// Bad usage or bad input. Exit code 2.
struct UsageError : Error {
  using Error::Error;
};

/// A file that cannot be used; the message names it.
struct BadFile : Error {
  using Error::Error;
};

/// What an exception tells the user. Of one that is not an Error, its what() as it is.
inline Message message_of(const std::exception& e) {
  const auto* error = dynamic_cast<const Error*>(&e);
  return error ? error->message() : Message::plain(e.what());
}

/// Why the system refused something: "cannot write a.json: No space left on device". `what` is this
/// without the reason that follows it.
class SystemError : public Error {
 public:
  SystemError(const Message& what, std::error_code code)
      : Error(bscope::message("{}: {}", what, Message::plain(code.message()))), code_(code) {}
  const std::error_code& code() const { return code_; }

 private:
  std::error_code code_;
};

}  // namespace bscope

// A queue of requests: a few are served at a time, and clients take turns, however much each asks for.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <map>
#include <memory>
#include <string>

namespace bscope {

/// For coroutines of one thread.
class FairQueue {
 public:
  FairQueue(int at_a_time, size_t most_waiting, size_t most_of_a_client)
      : free_(at_a_time), most_waiting_(most_waiting), most_of_a_client_(most_of_a_client) {}

  /// Waits until it is this client's turn, and takes a place, which leave() frees. False at once: too many
  /// wait, of all clients or of this one.
  boost::asio::awaitable<bool> enter(std::string client);
  void leave();
  size_t waiting() const { return waiting_; }

 private:
  using Wake = std::shared_ptr<boost::asio::steady_timer>;  ///< a coroutine waits for its end
  int free_;
  size_t most_waiting_, most_of_a_client_, waiting_ = 0;
  std::map<std::string, std::deque<Wake>> of_client_;
  std::deque<std::string> turns_;  ///< clients that wait, the next one first
};

}  // namespace bscope

#include "app/hosting/fair_queue.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace bscope {

namespace asio = boost::asio;

asio::awaitable<bool> FairQueue::enter(std::string client) {
  if (free_ > 0) {
    --free_;
    co_return true;
  }
  std::deque<Wake>& mine = of_client_[client];
  if (waiting_ >= most_waiting_ || mine.size() >= most_of_a_client_) {
    if (mine.empty()) of_client_.erase(client);
    co_return false;
  }
  if (mine.empty()) turns_.push_back(client);
  const Wake wake = std::make_shared<asio::steady_timer>(co_await asio::this_coro::executor,
                                                         asio::steady_timer::time_point::max());
  mine.push_back(wake);
  ++waiting_;
  boost::system::error_code cancelled;
  co_await wake->async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
  co_return true;  // leave() has passed its place on
}

void FairQueue::leave() {
  if (turns_.empty()) {
    ++free_;
    return;
  }
  const std::string client = std::move(turns_.front());
  turns_.pop_front();
  const auto theirs = of_client_.find(client);
  const Wake next = std::move(theirs->second.front());
  theirs->second.pop_front();
  --waiting_;
  if (theirs->second.empty())
    of_client_.erase(theirs);
  else
    turns_.push_back(client);
  next->cancel();
}

}  // namespace bscope

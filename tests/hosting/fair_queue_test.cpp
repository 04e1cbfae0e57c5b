#include "app/hosting/fair_queue.hpp"

#include <gmock/gmock.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <string>
#include <vector>

namespace bscope {
namespace {

namespace asio = boost::asio;
using testing::ElementsAre;

/// Notes when each client's turn comes, and which were refused.
struct Log {
  std::vector<std::string> turns, refused;
};
asio::awaitable<void> ask(FairQueue& queue, std::string client, Log& log) {
  auto& list = co_await queue.enter(client) ? log.turns : log.refused;
  list.push_back(client);
}

class FairQueueTest : public ::testing::Test {
 protected:
  void ask_for(FairQueue& queue, const std::vector<std::string>& clients) {
    for (const std::string& client : clients) asio::co_spawn(io, ask(queue, client, log), asio::detached);
    run();
  }
  void leave(FairQueue& queue) {
    queue.leave();
    run();
  }
  void run() {
    io.restart();
    io.poll();
  }
  asio::io_context io;
  Log log;
};

TEST_F(FairQueueTest, ClientsTakeTurns) {
  FairQueue queue(1, 100, 10);
  ask_for(queue, {"a", "a", "a", "a", "b", "c", "b"});
  EXPECT_THAT(log.turns, ElementsAre("a"));
  EXPECT_EQ(queue.waiting(), 6u);
  for (int k = 0; k < 6; ++k) leave(queue);
  EXPECT_THAT(log.turns, ElementsAre("a", "a", "b", "c", "a", "b", "a"));
  EXPECT_EQ(queue.waiting(), 0u);
}

TEST_F(FairQueueTest, SoManyAtATime) {
  FairQueue queue(2, 100, 10);
  ask_for(queue, {"a", "b", "c"});
  EXPECT_THAT(log.turns, ElementsAre("a", "b"));
  leave(queue);
  EXPECT_THAT(log.turns, ElementsAre("a", "b", "c"));
  leave(queue);
  leave(queue);
  ask_for(queue, {"d", "e", "f"});
  EXPECT_THAT(log.turns, ElementsAre("a", "b", "c", "d", "e"));
}

TEST_F(FairQueueTest, TooManyAreRefusedAtOnce) {
  FairQueue queue(1, 3, 2);
  ask_for(queue, {"a", "a", "a", "a", "b", "c"});
  EXPECT_THAT(log.turns, ElementsAre("a"));
  EXPECT_THAT(log.refused, ElementsAre("a", "c"));
}

}  // namespace
}  // namespace bscope

#include "app/hosting/page_server.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <cstdint>
#include <list>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "app/hosting/fair_queue.hpp"
#include "app/hosting/site_files.hpp"
#include "engine/cuda/toolchain/page_tools.hpp"
#include "engine/trace/error.hpp"
#include "engine/trace/json_text.hpp"
#include "engine/trace/read_file.hpp"

namespace bscope {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::awaitable;
using asio::use_awaitable;
using Tcp = asio::ip::tcp;
using Request = http::request<http::string_body>;
using boost::system::error_code;

constexpr std::chrono::seconds idle_time{60};
constexpr uint32_t most_header = 16 << 10;

/// Answers by their requests, the least recently used dropped first.
class AnswerCache {
 public:
  explicit AnswerCache(size_t most_bytes) : most_(most_bytes) {}

  const std::string* find(const std::string& request) {
    const auto found = places_.find(request);
    if (found == places_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, found->second);
    return &entries_.front().answer;
  }
  void put(const std::string& request, const std::string& answer) {
    if (places_.contains(request) || request.size() + answer.size() > most_ / 4) return;
    entries_.push_front({request, answer});
    places_.emplace(entries_.front().request, entries_.begin());
    bytes_ += request.size() + answer.size();
    while (bytes_ > most_) {
      const Entry& last = entries_.back();
      bytes_ -= last.request.size() + last.answer.size();
      places_.erase(last.request);
      entries_.pop_back();
    }
  }

 private:
  struct Entry {
    std::string request, answer;
  };
  size_t most_, bytes_ = 0;
  std::list<Entry> entries_;
  std::unordered_map<std::string_view, std::list<Entry>::iterator>
      places_;  ///< the keys are the entries' own
};

/// What a tool has answered: a packet, or a message that says why there is none.
struct ToolAnswer {
  http::status status = http::status::ok;
  std::string body;
};

/// All coroutines run in one thread; the compilers in a pool.
class PageServer {
 public:
  PageServer(const ServerOptions& options, const cuda::PageTools& tools)
      : options_(options),
        tools_(tools),
        acceptor_(io_, listening(options)),
        pool_(size_t(options.at_a_time)),
        queue_(options.at_a_time, options.most_waiting, options.most_of_a_client),
        answers_(options.most_kept) {}

  unsigned short port() const { return acceptor_.local_endpoint().port(); }

  void run() {
    asio::signal_set ends(io_, SIGINT, SIGTERM);
    ends.async_wait([this](const error_code&, int) { io_.stop(); });
    asio::co_spawn(io_, accept(), asio::detached);
    io_.run();
    pool_.join();
  }

 private:
  static Tcp::endpoint listening(const ServerOptions& o) {
    error_code failed;
    const auto address = asio::ip::make_address(o.address, failed);
    if (failed)
      throw UsageError(
          message("{} is no IP address: name one of this machine, or 0.0.0.0 for all of them", o.address));
    return {address, o.port};
  }

  awaitable<void> accept() {
    for (;;) {
      error_code failed;
      Tcp::socket socket = co_await acceptor_.async_accept(asio::redirect_error(use_awaitable, failed));
      if (!failed) asio::co_spawn(io_, serve(beast::tcp_stream(std::move(socket))), asio::detached);
    }
  }

  awaitable<void> serve(beast::tcp_stream stream) {
    error_code failed;
    const std::string from = stream.socket().remote_endpoint(failed).address().to_string();
    beast::flat_buffer buffer;
    while (!failed) {
      http::request_parser<http::string_body> parser;
      parser.body_limit(options_.most_request);
      parser.header_limit(most_header);
      stream.expires_after(idle_time);
      co_await http::async_read(stream, buffer, parser, asio::redirect_error(use_awaitable, failed));
      if (failed == http::error::body_limit) {
        co_await send(stream, text(parser.get(), http::status::payload_too_large,
                                   message("the program's files are too large for this server")));
        break;
      }
      if (failed) break;
      stream.expires_never();  // a compiler has its own limit, and waiting ends
      const Request request = parser.release();
      failed = co_await send(stream, co_await answered(request, from));
      if (!request.keep_alive()) break;
    }
    stream.socket().shutdown(Tcp::socket::shutdown_send, failed);
  }
  awaitable<error_code> send(beast::tcp_stream& stream, http::message_generator answer) {
    error_code failed;
    stream.expires_after(idle_time);
    co_await beast::async_write(stream, std::move(answer), asio::redirect_error(use_awaitable, failed));
    co_return failed;
  }

  awaitable<http::message_generator> answered(const Request& request, const std::string& from) {
    const bool reads = request.method() == http::verb::get || request.method() == http::verb::head;
    if (request.target() == "/tools" && request.method() == http::verb::post) {
      ToolAnswer answer = co_await compiled(request, from);
      co_return text(request, answer.status, std::move(answer.body), "application/octet-stream");
    }
    if (request.target() == "/site.json" || request.target().starts_with("/site.json?"))
      co_return text(request, http::status::ok, site_settings(), "application/json");
    if (!reads)
      co_return text(request, http::status::method_not_allowed,
                     message("this server hands out files and compiles programs, and does nothing else"));
    co_return file(request);
  }

  /// The page's settings, with this server as its compiler.
  std::string site_settings() const {
    nlohmann::ordered_json all = nlohmann::ordered_json::object();
    try {
      all = parse_json(read_file(options_.folder / "site.json", options_.most_request), "site.json");
    } catch (const BadFile&) {}  // it has none
    all["compiler"] = "server";
    return json_text(all) + "\n";
  }

  /// The body of the answer of a tool.
  awaitable<ToolAnswer> compiled(const Request& request, const std::string& from) {
    if (const std::string* known = answers_.find(request.body())) co_return ToolAnswer{.body = *known};
    const std::string client = from + " " + std::string(request["X-Client"]);
    if (!co_await queue_.enter(client))
      co_return ToolAnswer{
          http::status::service_unavailable,
          message("too many programs wait for the compiler: try again in a minute").serialized()};
    ToolAnswer answer;
    if (const std::string* known = answers_.find(request.body())) {  // another was faster with the same
      answer.body = *known;
    } else {
      answer = co_await asio::co_spawn(pool_, run_tool(request.body()), use_awaitable);
      if (answer.status == http::status::ok) answers_.put(request.body(), answer.body);
    }
    queue_.leave();
    co_return answer;
  }
  /// In the pool.
  awaitable<ToolAnswer> run_tool(const std::string& packet) const {
    try {
      co_return ToolAnswer{.body = tool_answer(tools_.run(cuda::read_tool_run(packet)))};
    } catch (const SystemError& e) {
      co_return ToolAnswer{http::status::internal_server_error, e.message().serialized()};
    } catch (const Error& e) {
      co_return ToolAnswer{http::status::bad_request, e.message().serialized()};
    } catch (const std::exception& e) {
      co_return ToolAnswer{http::status::internal_server_error, Message::plain(e.what()).serialized()};
    }
  }

  http::message_generator file(const Request& request) const {
    const SiteFile found =
        site_file(options_.folder, request.target(), request[http::field::accept_encoding]);
    http::response<http::file_body> answer{http::status::ok, request.version()};
    error_code failed;
    if (!found.path.empty()) answer.body().open(found.path.c_str(), beast::file_mode::scan, failed);
    if (found.path.empty() || failed)
      return text(request, http::status::not_found, message("there is no such file"));
    const auto dress = [&](auto& a) {
      a.set(http::field::etag, found.mark);
      a.set(http::field::cache_control, "no-cache");
      a.set(http::field::access_control_allow_origin, "*");  // a frame in a sandbox has no origin of its own
      a.set(http::field::vary, "Accept-Encoding");
      a.keep_alive(request.keep_alive());
    };
    if (request[http::field::if_none_match] == found.mark) {
      http::response<http::empty_body> same{http::status::not_modified, request.version()};
      dress(same);
      return same;
    }
    const uint64_t size = answer.body().size();
    if (request.method() == http::verb::head) {
      http::response<http::empty_body> head{http::status::ok, request.version()};
      dress(head);
      head.set(http::field::content_type, found.type);
      head.content_length(size);
      return head;
    }
    dress(answer);
    answer.set(http::field::content_type, found.type);
    if (!found.coding.empty()) answer.set(http::field::content_encoding, found.coding);
    answer.content_length(size);
    return answer;
  }
  /// What is wrong, as the page takes it (engine/trace/message.hpp).
  static http::message_generator text(const Request& request, http::status status, const Message& why) {
    return text(request, status, why.serialized(), "application/json");
  }
  static http::message_generator text(const Request& request, http::status status, std::string body,
                                      const char* type) {
    http::response<http::string_body> answer{status, request.version()};
    answer.set(http::field::content_type, type);
    answer.set(http::field::access_control_allow_origin, "*");
    answer.keep_alive(request.keep_alive());
    answer.body() = std::move(body);
    answer.prepare_payload();
    return answer;
  }

  const ServerOptions& options_;
  const cuda::PageTools& tools_;
  asio::io_context io_{1};
  Tcp::acceptor acceptor_;
  asio::thread_pool pool_;
  FairQueue queue_;
  AnswerCache answers_;
};

}  // namespace

void serve_page(const ServerOptions& options, const cuda::PageTools& tools,
                const std::function<void(unsigned short)>& begun) {
  std::optional<PageServer> server;
  try {
    server.emplace(options, tools);
  } catch (const boost::system::system_error& e) {
    throw SystemError(
        message("port {} at {} is not free: choose another with --port", options.port, options.address),
        e.code());
  }
  begun(server->port());
  server->run();
}

}  // namespace bscope

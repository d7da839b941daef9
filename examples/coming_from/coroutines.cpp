// The program of weft.cpp with C++20 coroutines, those of asio: the language has no library for
// them.

#include <algorithm>
#include <chrono>
#include <exception>
#include <iostream>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/experimental/channel.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

struct Shop {
  std::string name;
  std::chrono::milliseconds takes;
  int price;  // 0: closed
};

class Closed : public std::runtime_error {
 public:
  Closed() : std::runtime_error{"closed"} {}
};

class TimedOut {};

asio::awaitable<int> ask(const Shop& shop) {
  const auto executor = co_await asio::this_coro::executor;
  asio::steady_timer network{executor, shop.takes};  // as if over the network
  asio::steady_timer deadline{executor, 500ms};
  deadline.async_wait([&](const boost::system::error_code& error) {
    if (!error) network.cancel();
  });
  const auto [error] = co_await network.async_wait(asio::as_tuple(asio::use_awaitable));
  if (error) throw TimedOut{};
  if (shop.price == 0) throw Closed{};
  co_return shop.price;
}

// A place for the result of one coroutine.
using Answer = asio::experimental::channel<void(std::exception_ptr, int)>;

asio::awaitable<void> compare(const std::vector<Shop>& shops) {
  const auto executor = co_await asio::this_coro::executor;
  std::vector<std::shared_ptr<Answer>> answers;
  for (const Shop& shop : shops) {
    auto answer = std::make_shared<Answer>(executor, 1);
    answers.push_back(answer);
    asio::co_spawn(executor, ask(shop), [answer](const std::exception_ptr& error, int price) {
      answer->try_send(error, price);
    });
  }

  int cheapest = std::numeric_limits<int>::max();
  for (std::size_t i = 0; i < shops.size(); ++i) {
    std::cout << shops[i].name << ": ";
    try {
      const int price = co_await answers[i]->async_receive(asio::use_awaitable);
      cheapest = std::min(cheapest, price);
      std::cout << price << "\n";
    } catch (const TimedOut&) {
      std::cout << "no answer in time\n";
    } catch (const Closed& error) {
      std::cout << error.what() << "\n";
    }
  }
  std::cout << "cheapest: " << cheapest << "\n";
}

}  // namespace

int main() {
  const std::vector<Shop> shops{
      {"north", 20ms, 30}, {"south", 10ms, 20}, {"east", 1s, 10}, {"west", 10ms, 0}};
  asio::io_context context;
  asio::co_spawn(context, compare(shops), asio::detached);
  context.run();
}

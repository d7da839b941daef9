// The program of weft.cpp with asio and callbacks.

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

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

// One question, and the deadline of its answer: the first of the two ends the other.
class Question : public std::enable_shared_from_this<Question> {
 public:
  using Handler = std::function<void(std::exception_ptr, int)>;

  Question(asio::io_context& context, const Shop& shop, Handler handler)
      : shop_{shop}, handler_{std::move(handler)}, network_{context}, deadline_{context} {}

  void ask() {
    network_.expires_after(shop_.takes);  // as if over the network
    network_.async_wait([self = shared_from_this()](const boost::system::error_code& error) {
      if (error) return;  // the deadline was first
      self->deadline_.cancel();
      if (self->shop_.price == 0) return self->handler_(std::make_exception_ptr(Closed{}), 0);
      self->handler_(nullptr, self->shop_.price);
    });
    deadline_.expires_after(500ms);
    deadline_.async_wait([self = shared_from_this()](const boost::system::error_code& error) {
      if (error) return;
      self->network_.cancel();
      self->handler_(std::make_exception_ptr(TimedOut{}), 0);
    });
  }

 private:
  Shop shop_;
  Handler handler_;
  asio::steady_timer network_;
  asio::steady_timer deadline_;
};

struct Answer {
  std::exception_ptr error;
  int price = 0;
};

void print(const std::vector<Shop>& shops, const std::vector<std::optional<Answer>>& answers) {
  int cheapest = std::numeric_limits<int>::max();
  for (std::size_t i = 0; i < shops.size(); ++i) {
    std::cout << shops[i].name << ": ";
    try {
      if (answers[i]->error) std::rethrow_exception(answers[i]->error);
      cheapest = std::min(cheapest, answers[i]->price);
      std::cout << answers[i]->price << "\n";
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
  std::vector<std::optional<Answer>> answers(shops.size());
  std::size_t missing = shops.size();
  for (std::size_t i = 0; i < shops.size(); ++i) {
    const auto keep = [&, i](std::exception_ptr error, int price) {
      answers[i] = Answer{std::move(error), price};
      if (--missing == 0) print(shops, answers);  // the last one goes on with the program
    };
    std::make_shared<Question>(context, shops[i], keep)->ask();
  }
  context.run();
}

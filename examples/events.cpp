// Every asynchronous thing is an event: one wait may combine any of them.
#include <chrono>
#include <iostream>
#include <stdexcept>

#include <weft/extend/embed.hpp>
#include <weft/weft.hpp>

using namespace std::chrono_literals;

/// A new kind of event: notifies when the level rises above the mark.
class Level final : public weft::Event {
 public:
  explicit Level(int mark) : mark_{mark} {}
  void rise(int level) {
    if (level > mark_) notify(weft::Outcome::of(level));
  }
  [[nodiscard]] std::string info() const override {
    return "Level(mark=" + std::to_string(mark_) + ")";
  }

 private:
  int mark_;
};

/// Counts how often an event happens. Called at once, between coroutines: it may not suspend.
class Counter final : public weft::Callback {
 public:
  void on_notify(weft::Event&, const weft::Outcome&) noexcept override { ++count; }
  int count = 0;
};

void wait_for_any() {
  weft::Channel<int> orders{1};
  weft::Pool<int> ovens{{.max = 1, .create = [] { return 1; }}};
  weft::TaskGroup<void> deliveries;
  auto baking = ovens.acquire();
  deliveries.spawn([] { weft::delay(30ms); });
  deliveries.close();
  weft::with_scope([&](weft::Scope& scope) {
    scope.spawn([&] {
      weft::delay(10ms);
      orders.send(7);
      weft::delay(10ms);
      baking.release();
    });
    for (int i = 0; i < 3; ++i) {
      weft::select(weft::on(orders, [&] { std::cout << "order " << *orders.try_recv() << "\n"; }),
                   weft::on(deliveries, [] { std::cout << "all is delivered\n"; }),
                   weft::on(ovens,
                            [&] {
                              std::cout << "an oven is free\n";
                              baking = ovens.acquire();
                            }),
                   weft::on(weft::timeout(1s), [] { std::cout << "quiet\n"; }));
    }
  });
}

void hints_and_completions() {
  weft::Channel<int> channel{1};
  channel.send(1);
  weft::await(channel);  // ready: returns at once
  weft::await(channel);  // and again, because nothing was taken
  std::cout << "still " << channel.size() << " value\n";

  auto scope = weft::Scope::create();
  scope->spawn([] { throw std::runtime_error{"out of flour"}; });
  for (int i = 0; i < 2; ++i) {  // the second wait is answered from what is stored
    try {
      weft::await(*scope);
    } catch (const std::runtime_error& error) {
      std::cout << "the scope ended: " << error.what() << "\n";
    }
  }
}

void own_kind() {
  Level level{10};
  weft::with_scope([&](weft::Scope& scope) {
    scope.spawn([&] {
      level.rise(5);
      level.rise(12);
    });
    weft::await(level, weft::timeout(1s));
  });
  std::cout << "it rose\n";
}

void callbacks() {
  weft::Channel<int> channel{2};
  Counter counter;
  weft::Event& event = channel;
  event.add_callback(counter);
  channel.send(1);
  channel.send(2);  // it was ready before: no change
  std::cout << "told " << counter.count << " time\n";
  event.remove_callback(counter);
}

void references() {
  auto timer = weft::make_ref<weft::Timer>(5ms);
  weft::EventRef reference{timer};
  timer = nullptr;  // the reference keeps it
  std::cout << reference.info() << "\n";
  weft::await(reference);
  std::cout << "completed: " << std::boolalpha << reference.is_completed() << "\n";
}

int main() {
  weft::run([] {
    wait_for_any();
    hints_and_completions();
    own_kind();
    callbacks();
    references();
  });
}

// Prints:
//   order 7
//   an oven is free
//   all is delivered
//   still 1 value
//   the scope ended: out of flour
//   the scope ended: out of flour
//   it rose
//   told 1 time
//   Timer(timeout=5ms, once)
//   completed: true

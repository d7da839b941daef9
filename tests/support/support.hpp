#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "expectations.hpp"
#include "weft/testing.hpp"
#include "weft/weft.hpp"

namespace weft_test {

using namespace std::chrono_literals;

/// What happened, in order.
using Log = std::vector<std::string>;

/// The smallest event: ring() notifies it.
class Doorbell final : public weft::Event {
 public:
  void ring(const weft::Outcome& outcome = {}) noexcept { notify(outcome); }
  void ring_and_close(const weft::Outcome& outcome = {}) noexcept { notify_and_close(outcome); }
  void close() noexcept { close_quietly(); }
  [[nodiscard]] std::string info() const override { return "Doorbell"; }
};

/// A callback made of a function.
class Call final : public weft::Callback {
 public:
  using Body = weft::Function<void(weft::Event&, const weft::Outcome&)>;
  explicit Call(Body body) : body_{std::move(body)} {}
  void on_notify(weft::Event& event, const weft::Outcome& outcome) noexcept override {
    body_(event, outcome);
  }
  [[nodiscard]] int disposed() const noexcept { return disposed_; }

 protected:
  void dispose() noexcept override { ++disposed_; }

 private:
  Body body_;
  int disposed_ = 0;
};

/// Options that collect warnings instead of printing them.
inline weft::Options collecting(std::vector<std::string>& warnings) {
  weft::Options options;
  options.on_warning = [&warnings](std::string_view text) { warnings.emplace_back(text); };
  return options;
}

}  // namespace weft_test

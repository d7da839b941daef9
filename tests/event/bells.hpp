#pragma once

#include <deque>
#include <string>
#include <utility>

#include "support.hpp"
#include "weft/weft.hpp"

namespace weft_test {

/// Named callbacks that log their calls and may call a function.
class Bells {
 public:
  explicit Bells(weft::detail::CallbackVector& vector) : vector_{&vector} {}
  ~Bells() {
    for (Call& call : calls_) vector_->remove(call);
  }
  Bells(const Bells&) = delete;
  Bells& operator=(const Bells&) = delete;

  Call& make(const std::string& name, weft::Function<void()> more = {}) {
    auto body = [this, name, more = std::move(more)](weft::Event&, const weft::Outcome&) mutable {
      log.push_back(name);
      if (more) more();
    };
    return calls_.emplace_back(std::move(body));
  }
  Call& add(const std::string& name, weft::Function<void()> more = {}) {
    Call& call = make(name, std::move(more));
    vector_->push(call);
    return call;
  }

  Log log;

 private:
  weft::detail::CallbackVector* vector_;
  std::deque<Call> calls_;
};

}  // namespace weft_test

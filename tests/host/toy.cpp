#include "host/toy.hpp"

#include <gtest/gtest.h>

#include "weft/testing.hpp"

namespace toy {

Object* object_in(const std::exception_ptr& error) {
  if (error == nullptr) return nullptr;
  try {
    std::rethrow_exception(error);
  } catch (const Thrown& thrown) {
    return thrown.error.get();
  } catch (const Ended& ended) {
    return ended.error().get();
  } catch (...) {
    return nullptr;
  }
}

void Coroutine::run_body() noexcept {
  heap().sweep();
  script_(*this);
  if (pending_ != nullptr) fail(std::exchange(pending_, nullptr));
}

void Coroutine::drop_body() noexcept {
  dropped_ = true;
  could_suspend_ = weft::can_suspend();
  script_ = nullptr;
}

bool Coroutine::await(weft::Event& event) noexcept {
  std::exception_ptr error;
  const weft::Woken woken = weft::park(event, error);
  return take_outcome(woken, std::move(error));
}

bool Coroutine::yield() noexcept {
  std::exception_ptr error;
  const weft::Woken woken = weft::park(error);
  return take_outcome(woken, std::move(error));
}

bool Coroutine::take_outcome(weft::Woken woken, std::exception_ptr error) noexcept {
  heap().sweep();
  if (woken == weft::Woken::cancelled) {
    weft::Cancellation taken = weft::take_cancellation();
    pending_ = taken.error != nullptr
                   ? std::move(taken.error)
                   : std::make_exception_ptr(weft::Cancelled{std::move(taken.text)});
    return false;
  }
  if (woken == weft::Woken::refused) {
    pending_ = std::make_exception_ptr(weft::MisuseError{"no coroutine may suspend here"});
    return false;
  }
  pending_ = std::move(error);
  return pending_ == nullptr;
}

void Coroutine::throw_error(Object& error) {
  pending_ = std::make_exception_ptr(Thrown{Handle<Object>{error}});
}

void run(const std::function<void(Heap&)>& body) {
  Heap heap;
  weft::testing::run([&] { body(heap); });
  heap.sweep();
  EXPECT_EQ(heap.size(), 0U);
}

}  // namespace toy

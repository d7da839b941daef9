// A channel for C++20 coroutines, as weft's and Go's are: values go to one receiver each, in order;
// without a buffer a sender waits until its value has been taken.
#pragma once

#include <coroutine>
#include <cstddef>
#include <deque>

#include "scheduler.hpp"

namespace stackless {

template <class T>
class Channel {
 public:
  explicit Channel(std::size_t capacity = 0) : capacity_{capacity} {}

  /// A waiting sender or receiver, in the frame of its coroutine.
  struct Waiter {
    Task::promise_type* task = nullptr;
    T* value = nullptr;
    Waiter* next = nullptr;
  };

  struct Send : Waiter {
    Send(Channel& of, T sent) : channel{of}, kept{sent} { this->value = &kept; }
    bool await_ready() noexcept {
      if (Waiter* receiver = channel.receivers_.pop()) {
        *receiver->value = kept;
        run_queue.push(*receiver->task);
        return true;
      }
      if (channel.buffer_.size() == channel.capacity_) return false;
      channel.buffer_.push_back(kept);
      return true;
    }
    std::coroutine_handle<> await_suspend(
        std::coroutine_handle<Task::promise_type> waiting) noexcept {
      this->task = &waiting.promise();
      channel.senders_.push(*this);
      return run_queue.next();
    }
    void await_resume() const noexcept {}
    Channel& channel;
    T kept;
  };

  struct Receive : Waiter {
    explicit Receive(Channel& of) : channel{of} { this->value = &taken; }
    bool await_ready() noexcept {
      Waiter* sender = channel.senders_.pop();
      if (!channel.buffer_.empty()) {
        taken = channel.buffer_.front();
        channel.buffer_.pop_front();
        if (sender != nullptr) channel.buffer_.push_back(*sender->value);
      } else if (sender != nullptr) {
        taken = *sender->value;
      } else {
        return false;
      }
      if (sender != nullptr) run_queue.push(*sender->task);
      return true;
    }
    std::coroutine_handle<> await_suspend(
        std::coroutine_handle<Task::promise_type> waiting) noexcept {
      this->task = &waiting.promise();
      channel.receivers_.push(*this);
      return run_queue.next();
    }
    T await_resume() const noexcept { return taken; }
    Channel& channel;
    T taken{};
  };

  [[nodiscard]] Send send(T value) { return {*this, value}; }
  [[nodiscard]] Receive receive() { return Receive{*this}; }

 private:
  class Line {
   public:
    void push(Waiter& waiter) noexcept {
      waiter.next = nullptr;
      (last_ != nullptr ? last_->next : first_) = &waiter;
      last_ = &waiter;
    }
    Waiter* pop() noexcept {
      Waiter* waiter = first_;
      if (waiter == nullptr) return nullptr;
      first_ = waiter->next;
      if (first_ == nullptr) last_ = nullptr;
      return waiter;
    }

   private:
    Waiter* first_ = nullptr;
    Waiter* last_ = nullptr;
  };

  std::size_t capacity_;
  std::deque<T> buffer_;
  Line senders_;
  Line receivers_;
};

}  // namespace stackless

#pragma once

#include <exception>
#include <functional>
#include <string>
#include <utility>

#include "host/heap.hpp"
#include "weft/extend/host.hpp"

// The toy language: its objects are coroutines, scopes, futures and channels of the runtime. Its
// scripts are noexcept functions, so that a C++ exception in one of them ends the test.
namespace toy {

/// An error of the language, as the runtime carries it.
struct Thrown {
  Handle<Object> error;
};
/// A cancellation of the language.
class Ended : public weft::Cancelled {
 public:
  explicit Ended(Handle<Object> error) : error_{std::move(error)} {}
  [[nodiscard]] const Handle<Object>& error() const noexcept { return error_; }

 private:
  Handle<Object> error_;
};

/// The object that `error` carries, or null.
[[nodiscard]] Object* object_in(const std::exception_ptr& error);

/// A plain value.
class Value : public Object {
 public:
  using Object::Object;
};

class Coroutine : public Object, public weft::HostCoroutine {
 public:
  Coroutine(Heap& heap, std::function<void(Coroutine&)> script)
      : Object{heap}, script_{std::move(script)} {}
  ~Coroutine() override = default;
  using Object::references;
  using Object::release;
  using Object::retain;

  /// A wait of a script. False after an error: then the script has to return, and ends with
  /// `pending()`.
  bool await(weft::Event& event) noexcept;
  bool yield() noexcept;
  void throw_error(Object& error);
  [[nodiscard]] const std::exception_ptr& pending() const noexcept { return pending_; }
  /// Takes the pending error, which the script handles.
  std::exception_ptr catch_error() noexcept { return std::exchange(pending_, nullptr); }
  [[nodiscard]] bool has_dropped() const noexcept { return dropped_; }
  [[nodiscard]] bool could_suspend_when_dropped() const noexcept { return could_suspend_; }

 private:
  bool take_outcome(weft::Woken woken, std::exception_ptr error) noexcept;
  void finalize() noexcept override { dropped_unread(); }
  void run_body() noexcept override;
  void drop_body() noexcept override;
  [[nodiscard]] bool is_held_by_host() const noexcept override { return references() > runtime_; }
  void host_retain() noexcept override {
    ++runtime_;
    Object::retain();
  }
  void host_release() noexcept override {
    --runtime_;
    Object::release();
  }
  [[nodiscard]] void* host_object() const noexcept override {
    return const_cast<Object*>(static_cast<const Object*>(this));
  }

  std::function<void(Coroutine&)> script_;
  std::exception_ptr pending_;
  std::size_t runtime_ = 0;  // references that the runtime holds
  bool dropped_ = false;
  bool could_suspend_ = false;
};

/// The base of the other kinds of objects.
template <class Kind>
class Hosted : public Object, public Kind {
 public:
  template <class... Args>
  explicit Hosted(Heap& heap, Args&&... args) : Object{heap}, Kind{std::forward<Args>(args)...} {}
  ~Hosted() override = default;
  using Object::release;
  using Object::retain;

 private:
  void host_retain() noexcept override { Object::retain(); }
  void host_release() noexcept override { Object::release(); }
  [[nodiscard]] void* host_object() const noexcept override {
    return const_cast<Object*>(static_cast<const Object*>(this));
  }
};

using Future = Hosted<weft::HostFuture<int>>;
using Channel = Hosted<weft::HostChannel<int>>;
using Scope = Hosted<weft::HostScope>;

/// An object that refers to an event in the loop: such an event cannot be part of the object.
class Reference : public Object {
 public:
  Reference(Heap& heap, weft::Ref<weft::Event> target) : Object{heap}, event{std::move(target)} {}
  weft::EventRef event;
};

/// Runs `body` as a program of the language, and expects that all objects, also thrown errors, are
/// destroyed at the end.
void run(const std::function<void(Heap&)>& body);

}  // namespace toy

#pragma once

#include "weft/detail/abi.hpp"

#include <cstddef>
#include <exception>
#include <new>

#include "weft/coroutine.hpp"
#include "weft/place.hpp"

namespace weft {

class Scope;

/// A coroutine that is part of an object of a host, which counts its references and frees it. It
/// works like any other: in scopes, as an event, behind an AnyCoroutine.
///
/// The runtime holds a reference from enter() until the coroutine has ended, and everything that
/// waits for it holds one. host_retain() and host_release() are called in the scheduler phase too,
/// where no code of the host may run: an object whose last reference is dropped there must be kept
/// until can_suspend() is true, or the runtime has ended. Meanwhile it may be referenced again:
/// destroy it then only if its count is still 0. A coroutine that a shutdown leaves behind is not
/// released.
class HostCoroutine : public CoroutineBase {
 public:
  /// Enters the coroutine into the run queue, in `scope` or, with null, in the scope that spawn()
  /// would choose. Call it once. Throws MisuseError and std::bad_alloc, and then it was not
  /// entered. If it was cancelled before, its body never runs.
  void enter(Scope* scope = nullptr, const SpawnOptions& options = {}, Place place = Place::here());

  // In memory of the host, or else on the heap.
  static void* operator new(std::size_t size) { return ::operator new(size); }
  static void* operator new(std::size_t /*size*/, void* place) noexcept { return place; }
  static void operator delete(void* memory) noexcept { ::operator delete(memory); }
  static void operator delete(void* /*memory*/, void* /*place*/) noexcept {}

 protected:
  HostCoroutine() noexcept {
    set(no_free_memory_flag);
    set(host_object_flag);
  }
  ~HostCoroutine() override;

  /// The body, on the coroutine's own stack. It must not throw: report a failure with fail(). It
  /// does not run if the coroutine was cancelled before its start.
  void run_body() override = 0;
  /// Called when the body will not be used again: on the coroutine's own stack too, or, if there
  /// was no memory for one, in the scheduler phase.
  void drop_body() noexcept override {}
  /// The coroutine ends with `error`, whatever the body does afterwards; a later call replaces it.
  /// Nothing is thrown.
  void fail(std::exception_ptr error) noexcept { failure_ = std::move(error); }
  /// Whether the host has a reference to the object, and could read its error. References of
  /// host_retain() do not count: observing handles take them as well. Called when the coroutine has
  /// failed.
  [[nodiscard]] virtual bool is_held_by_host() const noexcept = 0;
  /// For the host, before it destroys the object, where can_suspend() is true or the runtime has
  /// ended: an unread error of the coroutine becomes an unhandled one. It may take a reference, so
  /// that the object lives until the error was treated.
  void dropped_unread() noexcept { treat_unread_error(); }

  void host_retain() noexcept override = 0;
  void host_release() noexcept override = 0;
  [[nodiscard]] void* host_object() const noexcept override = 0;

 private:
  [[nodiscard]] bool is_held() const noexcept final { return handles() > 0 || is_held_by_host(); }
  [[nodiscard]] std::exception_ptr take_failure() noexcept final {
    return std::exchange(failure_, nullptr);
  }

  std::exception_ptr failure_;
};

}  // namespace weft

#pragma once

#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

#include "weft/detail/move_out.hpp"
#include "weft/error.hpp"
#include "weft/extend/coroutine_base.hpp"
#include "weft/extend/packed_place.hpp"
#include "weft/function.hpp"
#include "weft/place.hpp"
#include "weft/ref.hpp"
#include "weft/spawn_options.hpp"

namespace weft {
template <class T>
class Coroutine;
}

// What spawn() makes, a coroutine with a body and a typed result, and how it makes it.
namespace weft::detail {

/// Stores the result of a coroutine that returns a T. `Base` is a kind of CoroutineBase.
template <class T, class Base = CoroutineBase>
class ResultCoroutine : public Base {
 public:
  using Stored = std::conditional_t<std::is_reference_v<T>, std::remove_reference_t<T>*, T>;

  [[nodiscard]] const std::optional<Stored>& stored() const noexcept { return result_; }
  using Base::replay;
  bool replay(Outcome& outcome) const override {
    if (!Base::replay(outcome)) return false;
    if (result_) outcome = Outcome::of(*result_);
    return true;
  }

  /// Returns the result or throws the stored error. A value that cannot be copied is moved out.
  T take() {
    this->throw_outcome();
    this->set(Event::result_used_flag);
    if (!result_) [[unlikely]]
      throw MisuseError{no_result};
    if constexpr (std::is_reference_v<T>) {
      return static_cast<T>(**result_);
    } else if constexpr (std::is_copy_constructible_v<T>) {
      return *result_;
    } else {
      return move_out(result_);
    }
  }

 protected:
  void drop_result() noexcept override { result_.reset(); }
  [[nodiscard]] const void* result_address() const noexcept override {
    return result_ ? std::addressof(*result_) : nullptr;
  }
  static constexpr const char* no_result =
      "This coroutine has no result to give: an earlier await moved it out, or it has not ended";
  std::optional<Stored> result_;  // NOLINT(readability-identifier-naming)
};

template <class Base>
class ResultCoroutine<void, Base> : public Base {
 public:
  void take() {
    this->throw_outcome();
    this->set(Event::result_used_flag);
  }
};

/// A coroutine with a typed result. The body lives here, beside the result.
template <class T, class Body>
class TypedCoroutine final : public ResultCoroutine<T> {
 public:
  template <class F>
  explicit TypedCoroutine(std::in_place_t, F&& body) : body_{std::forward<F>(body)} {
    if constexpr (std::is_trivially_destructible_v<Body>) this->body_needs_no_drop();
  }

 private:
  void run_body() override {
    if constexpr (std::is_void_v<T>) {
      std::move (*body_)();
    } else if constexpr (std::is_reference_v<T>) {
      this->result_.emplace(std::addressof(std::move(*body_)()));
    } else {
      this->result_.emplace(std::move(*body_)());
    }
  }
  void drop_body() noexcept override { body_.reset(); }

  std::optional<Body> body_;
};

/// Underneath spawn(): enters a new coroutine into the run queue of this thread's runtime.
class Spawner {
 public:
  /// A null `owner` means that of the current coroutine.
  template <class Body>
  static auto spawn(Owner* owner, Body&& body, Place place) {
    auto coroutine = make_admitted(owner, std::forward<Body>(body));
    enter(*owner, *coroutine, PackedPlace{place});
    return Coroutine<ResultOf<Body>>::adopt(*coroutine.detach());
  }
  template <class Body>
  static auto spawn(Owner* owner, const SpawnOptions& options, Body&& body, Place place) {
    Owner& admitted = options.cleanup ? admit_cleanup(owner) : admit(owner);
    auto coroutine = make(std::forward<Body>(body));
    apply(options, *coroutine);
    enter(admitted, *coroutine, PackedPlace{place});
    return Coroutine<ResultOf<Body>>::adopt(*coroutine.detach());
  }

  /// The same for a coroutine that exists already.
  static void enter_made(Owner* owner, const SpawnOptions& options, CoroutineBase& coroutine,
                         Place place);

  /// The same with default options, for a coroutine that knows its spawn place.
  static void enter_made(Owner& owner, CoroutineBase& coroutine);

  /// Spawns a clean-up coroutine of the runtime: high priority, not dropped by a shutdown, admitted
  /// by every owner. A null `owner` means the main scope.
  static void spawn_cleanup(Owner* owner, const char* name, Function<void()> body);

 private:
  template <class Body>
  using ResultOf = std::invoke_result_t<std::decay_t<Body>>;
  friend class weft::CoroutineBase;

  template <class Body>
  using MadeOf = TypedCoroutine<ResultOf<Body>, std::decay_t<Body>>;

  template <class Body>
  static auto make(Body&& body) {
    return Ref<MadeOf<Body>>::adopt(new MadeOf<Body>{std::in_place, std::forward<Body>(body)});
  }
  /// Admits the coroutine and allocates its memory in one call. Sets `owner` if it was null.
  template <class Body>
  static auto make_admitted(Owner*& owner, Body&& body) {
    if constexpr (alignof(MadeOf<Body>) > __STDCPP_DEFAULT_NEW_ALIGNMENT__) {
      owner = &admit(owner);
      return make(std::forward<Body>(body));
    } else {
      const CoroutineBase::Allocation room = admit(owner, sizeof(MadeOf<Body>));
      return Ref<MadeOf<Body>>::adopt(new (room)
                                          MadeOf<Body>{std::in_place, std::forward<Body>(body)});
    }
  }
  static CoroutineBase::Allocation admit(Owner*& owner, std::size_t size);
  [[gnu::noinline]] static CoroutineBase::Allocation admit_watched(Owner& owner, std::size_t size);
  static Owner& admit(Owner* owner);
  static Owner& admit_cleanup(Owner* owner);
  static Ref<CoroutineBase> prepare_finally(CoroutineBase& coroutine);
  static void apply(const SpawnOptions& options, CoroutineBase& coroutine);
  static void enter(Owner& owner, CoroutineBase& coroutine, PackedPlace place);
  [[gnu::cold, gnu::noinline]] static void refuse_late_spawn(Scheduler& scheduler,
                                                             CoroutineBase& coroutine) noexcept;
};

}  // namespace weft::detail

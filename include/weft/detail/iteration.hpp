#pragma once

#include <cstddef>
#include <exception>
#include <string>
#include <utility>

#include "weft/extend/event.hpp"
#include "weft/function.hpp"
#include "weft/microtask.hpp"
#include "weft/place.hpp"
#include "weft/ref.hpp"
#include "weft/scope.hpp"

namespace weft::detail {

/// Underneath iterate(): counts the workers and adds one when all the others have parked. It
/// happens when the last worker ends. Lives on the stack of the caller, which waits for them.
class Iteration : public Event {
 public:
  /// Suspends until all workers have ended, the first of which it starts in `scope`. Throws
  /// Cancelled if a worker was cancelled and elements are left.
  void run(Scope& scope, Place place);
  /// Cancels what the handlers have spawned. After run().
  void cancel_children() noexcept;

  [[nodiscard]] bool is_stopped() const noexcept { return stopped_; }
  bool replay(Outcome& /*outcome*/) const override { return is_closed(); }
  using Event::replay;
  [[nodiscard]] std::string info() const override { return "iterator-completion"; }

 protected:
  /// A `limit` of 0 means none.
  explicit Iteration(std::size_t limit);
  ~Iteration() override;

  /// Takes the next element and calls the handler for it. False: no more elements, or the handler
  /// returned false.
  virtual bool step() = 0;  // NOLINT(bugprone-virtual-near-miss)
  /// Marks that a worker advances the source. No other worker may touch it meanwhile.
  class Moving {
   public:
    explicit Moving(Iteration& iteration) noexcept : iteration_{iteration} {
      iteration_.moving_ = true;
    }
    ~Moving() { iteration_.moving_ = false; }
    Moving(const Moving&) = delete;
    Moving& operator=(const Moving&) = delete;

   private:
    Iteration& iteration_;
  };
  /// Call it before a handler runs: if that parks, another worker takes the next element.
  void watch_for_parking();

 private:
  class Helper;
  class Worker;
  void add_worker();
  void help() noexcept;
  void work();
  void leave() noexcept;

  Ref<Helper> helper_;
  Scope* scope_ = nullptr;
  std::size_t limit_;
  std::size_t workers_ = 0;
  Place place_;
  std::exception_ptr cancelled_;
  bool moving_ = false;
  bool stopped_ = false;
};

}  // namespace weft::detail

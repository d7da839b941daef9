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
/// happens when the last worker leaves. Lives on the stack of the caller, who outwaits them.
class Iteration : public Event {
 public:
  /// Starts the first worker in `scope`, and waits until all have left. Suspends. Throws Cancelled
  /// if a worker was cancelled and elements are left.
  void run(Scope& scope, Place place);

  [[nodiscard]] bool is_stopped() const noexcept { return stopped_; }
  bool replay(Outcome& /*outcome*/) const override { return is_closed(); }
  using Event::replay;
  [[nodiscard]] std::string info() const override { return "iterator-completion"; }

 protected:
  /// `limit` 0: none.
  explicit Iteration(std::size_t limit);
  ~Iteration() override;

  /// Takes the next element and calls the handler for it. False: no more elements, or no more are
  /// wanted.
  virtual bool step() = 0;  // NOLINT(bugprone-virtual-near-miss)
  /// Whether somebody moves the source on. Nobody else may touch it meanwhile.
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
  /// A handler is about to run: if it parks, somebody else takes the next element.
  void watch_for_parking();

 private:
  class Helper;
  class Seat;
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

#pragma once

#include <exception>

#include "weft/detail/owned.hpp"
#include "weft/function.hpp"
#include "weft/options.hpp"

namespace weft {
class Runtime;
}

namespace weft::detail {

/// Underneath run(): one runtime whose main body is the caller's.
class MainRun {
 public:
  explicit MainRun(Options options);
  ~MainRun();
  MainRun(const MainRun&) = delete;
  MainRun& operator=(const MainRun&) = delete;
  /// Calls `body` as the main coroutine, then waits for all others. Throws the exit error.
  void operator()(Function<void()> body);
  [[noreturn]] void throw_cancelled();

 private:
  void end_with(const std::exception_ptr& error);

  bool exit_throws_;
  Owned<Runtime> runtime_;
};

}  // namespace weft::detail

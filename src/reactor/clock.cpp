#include "weft/extend/clock.hpp"

namespace weft {
namespace {

class SystemClock final : public Clock {
 public:
  [[nodiscard]] TimePoint now() noexcept override { return std::chrono::steady_clock::now(); }
};

}  // namespace

Clock& Clock::real() noexcept {
  static SystemClock clock;
  return clock;
}

}  // namespace weft

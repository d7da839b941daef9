#pragma once

#include "weft/detail/pool_core.hpp"
#include "weft/extend/callback.hpp"
#include "weft/timer.hpp"

namespace weft::detail {

/// The timer of the health checks. Hidden: it keeps no program alive.
class PoolCore::Checks {
 public:
  Checks(PoolCore& pool, Duration every);
  ~Checks();
  Checks(const Checks&) = delete;
  Checks& operator=(const Checks&) = delete;

 private:
  class Tick final : public Callback {
   public:
    explicit Tick(PoolCore& pool) noexcept : pool_{pool} {}
    ~Tick() override = default;
    void on_notify(Event& event, const Outcome& outcome) noexcept override;

   private:
    PoolCore& pool_;
  };

  Timer timer_;
  Tick tick_;
};

}  // namespace weft::detail

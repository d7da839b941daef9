#pragma once

#include "weft/detail/pool_core.hpp"

namespace weft::detail {

/// The event of a pool. References may keep it longer than the pool.
class PoolCore::Hint final : public HintEvent {
 public:
  explicit Hint(PoolCore& pool) noexcept : pool_{&pool} {}
  ~Hint() override = default;

  [[nodiscard]] std::string info() const override;
  [[nodiscard]] std::string describe() const override;
  /// The pool is destroyed; coroutines that still wait get `error`.
  void detach_pool(const std::exception_ptr& error) noexcept;

 private:
  [[nodiscard]] bool is_available() const noexcept override;

  PoolCore* pool_;
};

}  // namespace weft::detail

#pragma once

#include "weft/detail/pool_core.hpp"

namespace weft::detail {

/// The event of a pool. References may keep it longer than the pool.
class PoolCore::Face final : public ReadyFace {
 public:
  explicit Face(PoolCore& pool) noexcept : pool_{&pool} {}
  ~Face() override = default;

  [[nodiscard]] std::string info() const override;
  [[nodiscard]] std::string describe() const override;
  /// The pool is destroyed; coroutines that still wait get `error`.
  void lose_pool(const std::exception_ptr& error) noexcept;

 private:
  [[nodiscard]] bool can_be_had() const noexcept override;

  PoolCore* pool_;
};

}  // namespace weft::detail

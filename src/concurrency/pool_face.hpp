#pragma once

#include "weft/detail/pool_core.hpp"

namespace weft::detail {

/// What those who wait for events see of a pool. It may be held longer than that.
class PoolCore::Face final : public ReadyFace {
 public:
  explicit Face(PoolCore& pool) noexcept : pool_{&pool} {}
  ~Face() override = default;

  [[nodiscard]] std::string info() const override;
  [[nodiscard]] std::string describe() const override;
  /// The pool goes; whoever still waits gets `error`.
  void lose_pool(const std::exception_ptr& error) noexcept;

 private:
  [[nodiscard]] bool can_be_had() const noexcept override;

  PoolCore* pool_;
};

}  // namespace weft::detail

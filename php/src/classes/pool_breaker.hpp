#pragma once

#include <memory>

#include "engine.hpp"
#include "weft/circuit_breaker.hpp"

namespace weft_php {

class PoolObject;

/// Lets weft's pool ask the CircuitBreakerStrategy of `pool`: the one that it has at that moment.
[[nodiscard]] std::unique_ptr<weft::CircuitBreakerStrategy> make_breaker(PoolObject& pool);

}  // namespace weft_php

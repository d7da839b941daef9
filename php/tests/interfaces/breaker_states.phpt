--TEST--
A circuit breaker has three states, a pure enum
--FILE--
<?php
use Async\CircuitBreakerState;
foreach (CircuitBreakerState::cases() as $case) echo $case->name, "\n";
var_dump(is_subclass_of(CircuitBreakerState::class, BackedEnum::class));
?>
--EXPECT--
ACTIVE
INACTIVE
RECOVERING
bool(false)

--TEST--
The circuit breaker: states, refusal, and a strategy that opens and closes it
--FILE--
<?php
use Async\CircuitBreakerState;
class Strategy implements Async\CircuitBreakerStrategy {
    public $recovers = false;
    public function reportSuccess(mixed $source): void { echo "success\n"; }
    public function reportFailure(mixed $source, Throwable $error): void { echo get_class($error), ': ', $error->getMessage(), "\n"; $source->deactivate(); }
    public function shouldRecover(): bool { return $this->recovers; }
}
$good = true;
$pool = new Async\Pool(fn () => new stdClass, beforeRelease: function () use (&$good) { return $good; });
$pool->setCircuitBreakerStrategy($strategy = new Strategy);
echo $pool->getState()->name, "\n";
$pool->release($pool->acquire());
$good = false;
$pool->release($pool->acquire());
echo $pool->getState()->name, "\n";
try { $pool->acquire(); } catch (Async\ServiceUnavailableException $e) { echo $e->getMessage(), "\n"; }
var_dump($pool->tryAcquire());
$strategy->recovers = true;
$r = $pool->acquire();
echo $pool->getState()->name, "\n";
$pool->activate();
echo $pool->getState()->name, "\n";
$pool->setCircuitBreakerStrategy(null);
$pool->deactivate(); $pool->recover();
var_dump($pool->getState() === CircuitBreakerState::RECOVERING);
?>
--EXPECT--
ACTIVE
success
Exception: Resource validation failed
INACTIVE
Service is unavailable (circuit breaker is open)
NULL
RECOVERING
ACTIVE
bool(true)

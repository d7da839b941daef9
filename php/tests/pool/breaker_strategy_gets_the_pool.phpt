--TEST--
A strategy receives the pool, and is asked only while the pool is inactive
--FILE--
<?php
class Strategy implements Async\CircuitBreakerStrategy {
    public $pool;
    public function reportSuccess(mixed $source): void { var_dump($source === $this->pool); }
    public function reportFailure(mixed $source, Throwable $error): void { var_dump($source === $this->pool, get_class($error)); }
    public function shouldRecover(): bool { echo "asked\n"; return true; }
}
$good = true;
$pool = new Async\Pool(fn () => new stdClass, beforeRelease: function () use (&$good) { return $good; });
$strategy = new Strategy;
$strategy->pool = $pool;
$pool->setCircuitBreakerStrategy($strategy);
$pool->release($pool->acquire());
$good = false;
$pool->release($pool->acquire());
$pool->deactivate();
var_dump(is_object($pool->acquire()), $pool->getState()->name);
$strategy->pool = null;
?>
--EXPECT--
bool(true)
bool(true)
string(9) "Exception"
asked
bool(true)
string(10) "RECOVERING"

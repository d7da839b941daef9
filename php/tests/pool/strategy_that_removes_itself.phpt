--TEST--
A strategy may remove itself while it runs
--FILE--
<?php
class Strategy implements Async\CircuitBreakerStrategy {
    public function __construct(private Async\Pool $pool) {}
    public function reportSuccess(mixed $source): void { $this->pool->setCircuitBreakerStrategy(null); Async\suspend(); echo "success of ", get_class($this->pool), "\n"; }
    public function reportFailure(mixed $source, Throwable $error): void {}
    public function shouldRecover(): bool { return false; }
}
$pool = new Async\Pool(fn () => new stdClass);
$pool->setCircuitBreakerStrategy(new Strategy($pool));
$pool->release($pool->acquire());
$pool->release($pool->acquire());
?>
--EXPECT--
success of Async\Pool

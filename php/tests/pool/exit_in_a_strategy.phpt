--TEST--
exit() in a strategy, whose exceptions are swallowed, ends the script
--FILE--
<?php
class Strategy implements Async\CircuitBreakerStrategy {
    public function reportSuccess(mixed $source): void { echo "reported\n"; exit(0); }
    public function reportFailure(mixed $source, Throwable $error): void {}
    public function shouldRecover(): bool { return false; }
}
$pool = new Async\Pool(fn () => new stdClass);
$pool->setCircuitBreakerStrategy(new Strategy);
$pool->release($pool->acquire());
echo "never\n";
?>
--EXPECT--
reported

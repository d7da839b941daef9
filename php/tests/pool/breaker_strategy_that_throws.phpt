--TEST--
Exceptions of a strategy are swallowed
--FILE--
<?php
class Strategy implements Async\CircuitBreakerStrategy {
    public function reportSuccess(mixed $source): void { echo "success\n"; throw new Exception('swallowed'); }
    public function reportFailure(mixed $source, Throwable $error): void { echo "failure\n"; throw new Exception('swallowed'); }
    public function shouldRecover(): bool { echo "asked\n"; throw new Exception('swallowed'); }
}
$good = true;
$pool = new Async\Pool(fn () => new stdClass, beforeRelease: function () use (&$good) { return $good; });
$pool->setCircuitBreakerStrategy(new Strategy);
$pool->release($pool->acquire());
$good = false;
$pool->release($pool->acquire());
$pool->deactivate();
try { $pool->acquire(); } catch (Async\ServiceUnavailableException $e) { echo get_class($e), "\n"; }
?>
--EXPECT--
success
failure
asked
Async\ServiceUnavailableException

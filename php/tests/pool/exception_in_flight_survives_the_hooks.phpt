--TEST--
An exception in flight is not replaced by a hook that throws
--FILE--
<?php
$pool = new Async\Pool(fn () => new stdClass, fn () => throw new LogicException('of the destructor'), beforeRelease: fn () => throw new LogicException('of the hook'));
try {
    $r = $pool->acquire();
    try { throw new DomainException('in flight'); } finally { try { $pool->release($r); } catch (LogicException $e) { } }
} catch (Throwable $e) {
    echo get_class($e), ': ', $e->getMessage(), "\n";
}
?>
--EXPECTF--
%ADomainException: in flight

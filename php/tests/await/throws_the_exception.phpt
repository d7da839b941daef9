--TEST--
await() throws the exception of the coroutine, each time
--FILE--
<?php
use function Async\{spawn, await};
$c = spawn(function () { throw new DomainException('five'); });
for ($i = 0; $i < 2; ++$i) {
    try {
        await($c);
    } catch (DomainException $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}
?>
--EXPECT--
DomainException: five
DomainException: five

--TEST--
R-CAN-12: protection ends with the outermost section
--FILE--
<?php
use function Async\{spawn, suspend, protect, await};
require __DIR__ . '/../says.inc';
$c = spawn(function () {
    protect(function () {
        protect(fn () => suspend());
        echo "still protected\n";
        suspend();
        echo "end of the outer section\n";
    });
    echo "never\n";
});
suspend();
$c->cancel();
says(fn () => await($c));
?>
--EXPECT--
still protected
end of the outer section
Async\AsyncCancellation: Coroutine cancelled

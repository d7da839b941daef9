--TEST--
delay() parks for at least the time given, and others run meanwhile
--FILE--
<?php
use function Async\{spawn, delay};
$start = hrtime(true);
spawn(function () { delay(30); echo "late\n"; });
spawn(function () { delay(10); echo "early\n"; });
spawn(function () { delay(0); echo "at once\n"; });
register_shutdown_function(function () use ($start) {
    $ms = (hrtime(true) - $start) / 1e6;
    echo $ms >= 30 ? "long enough\n" : "too short: $ms\n";
});
?>
--EXPECT--
at once
early
late
long enough

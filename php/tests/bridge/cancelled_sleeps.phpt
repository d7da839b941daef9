--TEST--
A cancelled coroutine leaves its sleep at once, without a warning
--FILE--
<?php
require __DIR__ . "/../support/concurrent.inc";
cancelled('sleep', fn() => sleep(20));
cancelled('usleep', fn() => usleep(20_000_000));
cancelled('time_nanosleep', fn() => time_nanosleep(20, 0));
cancelled('finally may sleep', function () {
    try {
        sleep(20);
    } finally {
        usleep(1000);
        echo "cleaned up\n";
    }
});
?>
--EXPECT--
sleep: Coroutine cancelled
usleep: Coroutine cancelled
time_nanosleep: Coroutine cancelled
cleaned up
finally may sleep: Coroutine cancelled

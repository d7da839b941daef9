--TEST--
sleep(), usleep(), time_nanosleep() and time_sleep_until() suspend their coroutine
--FILE--
<?php
require __DIR__ . "/../support/concurrent.inc";
var_dump(array_unique(concurrently('sleep', 1, fn() => sleep(1))));
concurrently('usleep', 0.2, fn() => usleep(200_000));
var_dump(array_unique(concurrently('time_nanosleep', 0.2, fn() => time_nanosleep(0, 200_000_000))));
var_dump(array_unique(concurrently('time_sleep_until', 0.2, fn() => time_sleep_until(microtime(true) + 0.2))));
?>
--EXPECT--
sleep: concurrent
array(1) {
  [0]=>
  int(0)
}
usleep: concurrent
time_nanosleep: concurrent
array(1) {
  [0]=>
  bool(true)
}
time_sleep_until: concurrent
array(1) {
  [0]=>
  bool(true)
}

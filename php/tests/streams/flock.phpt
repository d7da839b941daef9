--TEST--
flock() waits in its coroutine
--FILE--
<?php
require __DIR__ . "/../support/concurrent.inc";
$file = tempnam(sys_get_temp_dir(), 'weft');
$inside = 0;
$most = 0;
$done = concurrently('flock', 1, function () use ($file, &$inside, &$most) {
    $stream = fopen($file, 'r+');
    flock($stream, LOCK_EX);
    $most = max($most, ++$inside);
    usleep(10_000);
    --$inside;
    flock($stream, LOCK_UN);
    return 1;
});
var_dump(array_sum($done), $most);
$holder = fopen($file, 'r');
flock($holder, LOCK_EX);
cancelled('flock', fn() => flock(fopen($file, 'r'), LOCK_EX));
var_dump(Async\await(Async\spawn(fn() => flock(fopen($file, 'r'), LOCK_EX | LOCK_NB))));
unlink($file);
?>
--EXPECT--
flock: concurrent
int(10)
int(1)
flock: Coroutine cancelled
bool(false)

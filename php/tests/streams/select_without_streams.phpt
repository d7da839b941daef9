--TEST--
stream_select() without streams waits for its timeout
--FILE--
<?php
Async\await(Async\spawn(function () {
    [$read, $write, $except] = [[], [], null];
    $begin = microtime(true);
    var_dump(stream_select($read, $write, $except, 0, 20_000), microtime(true) - $begin >= 0.02);
}));
?>
--EXPECT--
int(0)
bool(true)

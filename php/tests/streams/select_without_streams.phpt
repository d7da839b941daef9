--TEST--
stream_select() without streams waits for its timeout, however long
--FILE--
<?php
Async\await(Async\spawn(function () {
    [$read, $write, $except] = [[], [], null];
    $begin = microtime(true);
    var_dump(stream_select($read, $write, $except, 0, 20_000), microtime(true) - $begin >= 0.02);
}));
$long = Async\spawn(function () {
    $none = [];
    stream_select($none, $none, $none, PHP_INT_MAX);
});
Async\delay(5);
var_dump($long->isCompleted());
$long->cancel();
?>
--EXPECT--
int(0)
bool(true)
bool(false)

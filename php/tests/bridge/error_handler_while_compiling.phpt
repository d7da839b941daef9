--TEST--
While PHP compiles, nothing suspends: functions block, the API refuses
--FILE--
<?php
set_error_handler(function ($type, $text) {
    usleep(100);
    try {
        Async\suspend();
    } catch (Async\AsyncException $error) {
        echo $error->getMessage(), "\n";
    }
    return true;
});
Async\spawn(function () { echo "another\n"; });
eval('function f(?int $a = null, $b) {}');
echo "compiled\n";
?>
--EXPECT--
A coroutine cannot be suspended while PHP compiles or prints
compiled
another

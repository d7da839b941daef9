--TEST--
A TaskGroup that is dropped while PHP compiles ends without a suspension there
--FILE--
<?php
use function Async\{spawn, suspend, delay};
$group = new Async\TaskGroup;
$group->spawn(function () {
    try { delay(1000); } finally { suspend(); echo "the task ends\n"; }
});
suspend();
set_error_handler(function () {
    global $group;
    $group = null;
    echo "dropped\n";
    return true;
});
spawn(function () {
    eval('function f(?int $a = null, $b) {}');
    echo "compiled\n";
});
suspend();
for ($i = 0; $i < 5; ++$i) suspend();
echo "main goes on\n";
?>
--EXPECT--
dropped
compiled
the task ends
main goes on

--TEST--
A handler that is set while another one is suspended stays in force
--FILE--
<?php
use function Async\{spawn, suspend, await};
set_error_handler(function (int $type, string $text) {
    suspend();
    echo "first: $text\n";
    return true;
});
$waits = spawn(fn () => trigger_error('one'));
suspend();
set_error_handler(function (int $type, string $text) {
    echo "second: $text\n";
    return true;
});
trigger_error('two');
await($waits);
trigger_error('three');
?>
--EXPECT--
second: two
first: one
second: three

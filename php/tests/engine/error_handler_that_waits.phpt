--TEST--
While an error handler is suspended, errors of other coroutines reach it too
--FILE--
<?php
use function Async\{spawn, suspend, await_all};
set_error_handler(function (int $type, string $text) {
    echo "begin $text\n";
    suspend();
    echo $undefined;                      // in the handler itself it is not called again
    echo "end $text\n";
    return true;
});
$coroutines = [];
foreach (['one', 'two', 'three'] as $name) {
    $coroutines[] = spawn(fn () => trigger_error($name));
}
await_all($coroutines);
trigger_error('afterwards');
$handler = set_error_handler(null);
var_dump($handler instanceof Closure);
?>
--EXPECTF--
begin one
begin two
begin three

Warning: Undefined variable $undefined in %s on line 6
end one

Warning: Undefined variable $undefined in %s on line 6
end two

Warning: Undefined variable $undefined in %s on line 6
end three
begin afterwards

Warning: Undefined variable $undefined in %s on line 6
end afterwards
bool(true)

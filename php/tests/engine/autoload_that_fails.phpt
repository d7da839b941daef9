--TEST--
The exception of a loader reaches the coroutine that called it; a waiting one does not find the class
--FILE--
<?php
spl_autoload_register(function ($name) {
    Async\delay(2);
    throw new Exception("cannot load $name");
});
$first = Async\spawn(fn() => class_exists('Wanted'));
$second = Async\spawn(fn() => class_exists('Wanted'));
try {
    Async\await($first);
} catch (Exception $error) {
    echo $error->getMessage(), "\n";
}
var_dump(Async\await($second));
$waiting = Async\spawn(fn() => class_exists('Other'));
try {
    Async\await($waiting);
} catch (Exception $error) {
    echo $error->getMessage(), "\n";
}
?>
--EXPECT--
cannot load Wanted
bool(false)
cannot load Other

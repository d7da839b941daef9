--TEST--
The exception of a loader reaches the coroutine that called it; a waiting one does not find the class
--FILE--
<?php
$gate = new Async\FutureState;
$opened = new Async\Future($gate);
spl_autoload_register(function ($name) use ($opened) {
    Async\await($opened);
    throw new Exception("cannot load $name");
});
$first = Async\spawn(fn() => class_exists('Wanted'));
$second = Async\spawn(fn() => class_exists('Wanted'));
while (!$second->isSuspended() || !$second->isStarted()) Async\suspend();
$gate->complete(null);
try {
    Async\await($first);
} catch (Exception $error) {
    echo $error->getMessage(), "\n";
}
var_dump(Async\await($second));
?>
--EXPECT--
cannot load Wanted
bool(false)

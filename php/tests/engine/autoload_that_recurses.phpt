--TEST--
A loader that needs its own class does not find it, as in stock PHP
--FILE--
<?php
spl_autoload_register(function ($name) {
    Async\suspend();
    var_dump(class_exists($name));
    eval("class $name {}");
});
var_dump(Async\await(Async\spawn(fn() => class_exists('Wanted'))));
?>
--EXPECT--
bool(false)
bool(true)

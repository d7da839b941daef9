--TEST--
A class that another coroutine is loading is waited for
--FILE--
<?php
$loads = 0;
spl_autoload_register(function ($name) use (&$loads) {
    $loads++;
    usleep(2000);
    if ($name !== 'Missing') eval("class $name {}");
});
$all = [];
for ($i = 0; $i < 3; $i++) $all[] = Async\spawn(fn() => get_class(new Wanted));
echo implode(' ', Async\await_all_or_fail($all)), ": $loads\n";
$all = [];
for ($i = 0; $i < 3; $i++) $all[] = Async\spawn(fn() => var_export(class_exists('Missing'), true));
echo implode(' ', Async\await_all_or_fail($all)), "\n";
?>
--EXPECT--
Wanted Wanted Wanted: 1
false false false

--TEST--
A pool that exit drops destroys its resources
--FILE--
<?php
function f()
{
    $pool = new Async\Pool(fn () => new stdClass, fn () => print("destroyed\n"), min: 1);
    exit(3);
}
register_shutdown_function(fn () => print("shutdown\n"));
f();
?>
--EXPECT--
destroyed
shutdown

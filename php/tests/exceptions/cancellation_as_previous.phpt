--TEST--
A cancellation can be the previous exception of an Exception or Error
--FILE--
<?php
foreach (['Exception', 'Error'] as $class) {
    $e = new $class('outer', 0, new Async\AsyncCancellation('inner'));
    echo get_class($e->getPrevious()), ': ', $e->getPrevious()->getMessage(), "\n";
}
?>
--EXPECT--
Async\AsyncCancellation: inner
Async\AsyncCancellation: inner

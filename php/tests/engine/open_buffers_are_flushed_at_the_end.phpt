--TEST--
A buffer that a coroutine leaves open is flushed when it ends
--FILE--
<?php
Async\spawn(function () { ob_start(fn ($text) => strtoupper($text)); echo "text\n"; });
?>
--EXPECT--
TEXT

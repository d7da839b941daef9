--TEST--
The example destructors.php prints what it says
--FILE--
<?php
require __DIR__ . '/../../examples/destructors.php';
?>
--EXPECT--
the end of the script
the last coroutine
queue says goodbye
queue is closed
database says goodbye
database is closed

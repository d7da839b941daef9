--TEST--
The example scope.php prints what it says
--FILE--
<?php
require __DIR__ . '/../../examples/scope.php';
?>
--EXPECT--
the slow one cleans up
the database is gone

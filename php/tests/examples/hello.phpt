--TEST--
The example hello.php prints what it says
--FILE--
<?php
require __DIR__ . '/../../examples/hello.php';
?>
--EXPECT--
42, and the tea is still brewing

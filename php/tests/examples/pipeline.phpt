--TEST--
The example pipeline.php prints what it says
--FILE--
<?php
require __DIR__ . '/../../examples/pipeline.php';
?>
--EXPECT--
the sum of the squares is 91

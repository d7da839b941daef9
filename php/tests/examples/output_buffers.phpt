--TEST--
The example output_buffers.php prints what it says
--FILE--
<?php
require __DIR__ . '/../../examples/output_buffers.php';
?>
--EXPECT--
<h1>News</h1>
<h1>Weather</h1>

--TEST--
Factory and destructor may suspend
--FILE--
<?php
use function Async\delay;
$pool = new Async\Pool(function () { delay(1); return new stdClass; }, function () { delay(1); echo "destroyed\n"; });
$pool->release($pool->acquire());
$pool->close();
echo "closed\n";
?>
--EXPECT--
destroyed
closed

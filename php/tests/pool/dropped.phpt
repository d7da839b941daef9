--TEST--
A pool that is dropped destroys its resources
--FILE--
<?php
$pool = new Async\Pool(fn () => new stdClass, fn () => print("destroyed\n"), min: 2);
unset($pool);
echo "end\n";
?>
--EXPECT--
destroyed
destroyed
end

--TEST--
iterate() calls its callback with value and key, and returns when all are done
--FILE--
<?php
use function Async\{iterate, delay};
iterate(['a' => 1, 'b' => 2, 3], function ($value, $key) { delay(4 - $value); echo "$key => $value\n"; });
echo "done\n";
?>
--EXPECT--
0 => 3
b => 2
a => 1
done

--TEST--
iterate() calls its callback with value and key, and returns when all are done
--FILE--
<?php
use function Async\{iterate, suspend};
iterate(['a' => 1, 'b' => 2, 3], function ($value, $key) { for ($i = $value; $i < 4; ++$i) { suspend(); suspend(); } echo "$key => $value\n"; });
echo "done\n";
?>
--EXPECT--
0 => 3
b => 2
a => 1
done

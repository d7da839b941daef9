--TEST--
R-FUT-5: functions of catch() and finally() may suspend
--FILE--
<?php
use function Async\{spawn, suspend};
spawn(function () { echo "another runs\n"; });
$future = Async\Future::failed(new Exception('bad'))
    ->finally(function () { suspend(); echo "finally\n"; })
    ->catch(function ($e) { suspend(); return 'caught ' . $e->getMessage(); });
echo $future->await(), "\n";
?>
--EXPECT--
another runs
finally
caught bad

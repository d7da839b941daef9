--TEST--
R-FUT-9: ignore() gives the future back, and a failure does not warn
--FILE--
<?php
$future = Async\Future::failed(new Exception('ignored'));
var_dump($future->ignore() === $future);
unset($future);
Async\suspend();
echo "end\n";
?>
--EXPECT--
bool(true)
end

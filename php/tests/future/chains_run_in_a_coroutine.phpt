--TEST--
R-FUT-5: functions of a chain never run inside complete(), and may suspend
--FILE--
<?php
use function Async\{suspend, delay};
$state = new Async\FutureState;
$f = (new Async\Future($state))->map(function ($x) { echo "map\n"; delay(1); return $x + 1; })->map(fn ($x) => $x * 2);
$state->complete(1);
echo "completed\n";
var_dump($f->await());
?>
--EXPECT--
completed
map
int(4)

--TEST--
R-FUT-5: map() of a completed future does not call its function itself
--FILE--
<?php
$mapped = Async\Future::completed(1)->map(function ($x) { echo "map\n"; return $x + 1; });
echo "attached\n";
var_dump($mapped->await());
?>
--EXPECT--
attached
map
int(2)

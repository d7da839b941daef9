--TEST--
Where a coroutine was spawned and suspended
--FILE--
<?php
use function Async\{spawn, suspend};
$c = spawn(function () {
    suspend();
});
var_dump($c->getSuspendFileAndLine(), $c->getSuspendLocation());
suspend();
[$file, $line] = $c->getSpawnFileAndLine();
var_dump($file === __FILE__, $line, $c->getSpawnLocation() === __FILE__ . ':3');
[$file, $line] = $c->getSuspendFileAndLine();
var_dump($file === __FILE__, $line, $c->getSuspendLocation() === __FILE__ . ':4');
?>
--EXPECT--
array(2) {
  [0]=>
  NULL
  [1]=>
  int(0)
}
string(7) "unknown"
bool(true)
int(3)
bool(true)
bool(true)
int(4)
bool(true)

--TEST--
The place of spawning is the line of the call
--FILE--
<?php
use function Async\spawn;
function make() {
    return spawn(fn () => 1);
}
[$file, $line] = make()->getSpawnFileAndLine();
var_dump(basename($file) === basename(__FILE__), $line);
?>
--EXPECT--
bool(true)
int(4)

--TEST--
proc_open() gives its command the environment it is given
--FILE--
<?php
use function Async\{await, spawn};
echo await(spawn(function () {
    $process = proc_open('echo "$WEFT_TEST"', [1 => ['pipe', 'w']], $pipes, null, ['WEFT_TEST' => 'from the environment']);
    $text = stream_get_contents($pipes[1]);
    proc_close($process);
    return $text;
}));
?>
--EXPECT--
from the environment

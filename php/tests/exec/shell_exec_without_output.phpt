--TEST--
shell_exec() gives null when its command prints nothing
--FILE--
<?php
use function Async\{await, spawn};
echo json_encode(await(spawn(fn () => [shell_exec('true'), shell_exec('printf x'), `printf y`]))), "\n";
?>
--EXPECT--
[null,"x","y"]

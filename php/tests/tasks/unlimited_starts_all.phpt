--TEST--
Without a limit all tasks start before the first has ended
--FILE--
<?php
$g = new Async\TaskGroup;
for ($i = 1; $i <= 3; ++$i) $g->spawn(function () use ($i) { echo "begin $i\n"; Async\suspend(); echo "end $i\n"; });
$g->close();
$g->awaitCompletion();
?>
--EXPECT--
begin 1
begin 2
begin 3
end 1
end 2
end 3

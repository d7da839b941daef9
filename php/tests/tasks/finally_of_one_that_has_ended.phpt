--TEST--
finally() of a closed group that has ended runs its handler
--FILE--
<?php
$g = new Async\TaskGroup;
$g->spawn(fn () => 1);
$g->close();
$g->awaitCompletion();
$g->finally(function ($given) use ($g) { var_dump($given === $g); });
Async\suspend();
echo "end\n";
?>
--EXPECT--
bool(true)
end

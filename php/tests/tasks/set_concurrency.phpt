--TEST--
A set starts as many tasks as its limit says
--FILE--
<?php
$s = new Async\TaskSet(concurrency: 1, queueLimit: 0);
for ($i = 1; $i <= 3; ++$i) $s->spawn(function () use ($i) { echo "begin $i\n"; Async\suspend(); echo "end $i\n"; });
$s->joinAll()->await();
?>
--EXPECT--
begin 1
end 1
begin 2
end 2
begin 3
end 3

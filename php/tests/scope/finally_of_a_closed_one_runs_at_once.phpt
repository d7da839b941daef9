--TEST--
R-SCP-17: a handler given to a closed scope runs
--FILE--
<?php
$s = new Async\Scope;
$s->cancel();
$s->finally(fn () => print("finally\n"));
Async\suspend();
echo "end\n";
?>
--EXPECT--
finally
end

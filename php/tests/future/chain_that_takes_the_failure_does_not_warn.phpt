--TEST--
A failure that a chain has taken does not warn
--FILE--
<?php
$future = Async\Future::failed(new Exception('taken'));
echo $future->catch(fn ($e) => $e->getMessage())->await(), "\n";
unset($future);
Async\suspend();
echo "end\n";
?>
--EXPECT--
taken
end

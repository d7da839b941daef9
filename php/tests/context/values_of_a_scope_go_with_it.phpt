--TEST--
The values of a scope are released with the scope
--FILE--
<?php
use function Async\{await, current_context};
class Value { public function __destruct() { echo "released\n"; } }
$s = new Async\Scope;
await($s->spawn(function () { current_context()->set('k', new Value); }));
unset($s);
Async\suspend();
echo "end\n";
?>
--EXPECT--
released
end

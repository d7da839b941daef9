--TEST--
A value is released when it is replaced or unset
--FILE--
<?php
class Value { public function __construct(public string $name) {} public function __destruct() { echo "$this->name goes\n"; } }
$c = Async\root_context();
$c->set('k', new Value('first'));
$c->set('k', new Value('second'), true);
$c->unset('k');
echo "end\n";
?>
--EXPECT--
first goes
second goes
end

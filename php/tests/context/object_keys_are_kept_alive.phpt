--TEST--
R-CTX-1: an object that is a key stays alive until it is unset or the context goes
--FILE--
<?php
class Key { public function __construct(public string $name) {} public function __destruct() { echo "$this->name goes\n"; } }
$c = Async\root_context();
$key = new Key('first');
$c->set($key, 'v');
$kept = WeakReference::create($key);
unset($key);
echo $c->get($kept->get()), "\n";
$c->unset($kept->get());
echo "unset\n";
?>
--EXPECT--
v
first goes
unset

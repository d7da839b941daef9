--TEST--
The destructor of a value that is replaced or unset may change the same context
--FILE--
<?php
class V {
    public function __construct(private object|string $key) {}
    public function __destruct() { for ($i = 0; $i < 200; ++$i) Async\root_context()->set("$i", "v$i", true)->set(new stdClass, $i); }
}
$c = Async\root_context();
foreach (['name', new stdClass] as $key) {
    $c->set($key, new V($key));
    $c->set($key, 'new', true);
    var_dump($c->get($key), $c->get('199'));
    $c->set($key, new V($key), true);
    $c->unset($key);
    var_dump($c->has($key));
}
?>
--EXPECT--
string(3) "new"
string(4) "v199"
bool(false)
string(3) "new"
string(4) "v199"
bool(false)

--TEST--
R-CTX-1, R-CTX-4: string and object keys; set, replace, unset
--FILE--
<?php
$c = Async\root_context();
$key = new stdClass;
var_dump($c->set('a', 1) === $c, $c->set($key, 'object')->get($key), $c->has(new stdClass));
try { $c->set('a', 2); } catch (Async\AsyncException $e) { echo $e->getMessage(), "\n"; }
var_dump($c->set('a', 2, true)->get('a'), $c->set('n', null)->has('n'));
var_dump($c->unset('a')->has('a'), $c->unset($key)->find($key), $c->unset('missing') === $c);
foreach (['a', $key] as $k) {
    try { $c->get($k); } catch (Async\ContextException $e) { echo $e->getMessage(), "\n"; }
    try { $c->getLocal($k); } catch (Async\ContextException $e) { echo $e->getMessage(), "\n"; }
}
?>
--EXPECT--
bool(true)
string(6) "object"
bool(false)
Context key already exists and replace is false
int(2)
bool(true)
bool(false)
NULL
bool(true)
Context key "a" not found
Context key "a" not found
Context key of type stdClass not found
Context key of type stdClass not found

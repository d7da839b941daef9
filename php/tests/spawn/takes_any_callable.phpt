--TEST--
spawn() takes any callable: names, methods, private ones from inside, __call, invokable objects
--FILE--
<?php
use function Async\{spawn, await};
class Worker {
    public static function stat() { return __METHOD__; }
    public function pub() { return __METHOD__; }
    private function priv() { return __METHOD__; }
    public function start() { return spawn([$this, 'priv']); }
    public function __call($name, $arguments) { return "__call($name, " . implode($arguments) . ")"; }
    public function __invoke($x) { return "invoked with $x"; }
}
$w = new Worker;
foreach (['Worker::stat', ['Worker', 'stat'], [$w, 'pub'], $w->pub(...)] as $callable) {
    echo await(spawn($callable)), "\n";
}
echo await($w->start()), "\n";
echo await(spawn([$w, 'magic'], 'm')), "\n";
echo await(spawn($w, 5)), "\n";
echo await(spawn('strtoupper', 'internal')), "\n";
?>
--EXPECT--
Worker::stat
Worker::stat
Worker::pub
Worker::pub
Worker::priv
__call(magic, m)
invoked with 5
INTERNAL

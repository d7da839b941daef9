--TEST--
A task may be any callable
--FILE--
<?php
class Worker {
    public function method($x) { return "method $x"; }
    public static function fixed($x) { return "static $x"; }
    public function __invoke($x) { return "invoked $x"; }
    public function __call($name, $arguments) { return "$name $arguments[0]"; }
}
$g = new Async\TaskGroup;
$w = new Worker;
foreach ([[$w, 'method'], ['Worker', 'fixed'], 'Worker::fixed', $w, [$w, 'magic'], 'strtoupper', $w->method(...)] as $task) $g->spawn($task, 'x');
echo implode("\n", $g->all()->await()), "\n";
?>
--EXPECT--
method x
static x
static x
invoked x
magic x
X
method x

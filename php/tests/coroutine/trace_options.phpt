--TEST--
getTrace() leaves out arguments and objects on request
--FILE--
<?php
use function Async\{spawn, suspend};
class W { public function run($x) { suspend(); } }
$c = spawn([new W, 'run'], 7);
suspend();
$with = $c->getTrace()[1];
$without = $c->getTrace(DEBUG_BACKTRACE_IGNORE_ARGS)[1];
var_dump($with['args'], isset($with['object']), isset($without['args']), isset($without['object']));
?>
--EXPECT--
array(1) {
  [0]=>
  int(7)
}
bool(true)
bool(false)
bool(false)

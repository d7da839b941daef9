--TEST--
O-14: the code that releases an object goes on after its destructor, others run meanwhile
--FILE--
<?php
use function Async\spawn;
$done = new Async\Future($state = new Async\FutureState);
class D { public function __construct(private Async\Future $done) {} public function __destruct() { echo "begin\n"; $this->done->await(); echo "end\n"; } }
spawn(function () use ($done) { $d = new D($done); unset($d); echo "after unset\n"; });
spawn(function () use ($state) { echo "other\n"; $state->complete(null); });
?>
--EXPECT--
begin
other
end
after unset

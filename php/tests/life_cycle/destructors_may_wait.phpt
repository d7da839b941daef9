--TEST--
O-14: the code that releases an object goes on after its destructor, others run meanwhile
--FILE--
<?php
use function Async\{spawn, suspend, delay};
class D { public function __destruct() { echo "begin\n"; delay(5); echo "end\n"; } }
spawn(function () { $d = new D; unset($d); echo "after unset\n"; });
spawn(function () { echo "other\n"; });
?>
--EXPECT--
begin
other
end
after unset

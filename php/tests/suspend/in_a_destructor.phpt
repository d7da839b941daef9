--TEST--
O-14: the releasing code goes on when a destructor that yields has ended
--FILE--
<?php
use function Async\{spawn, suspend};
class D { public function __destruct() { echo "begin\n"; suspend(); echo "end\n"; } }
spawn(fn () => print("other\n"));
$d = new D;
unset($d);
echo "released\n";
?>
--EXPECT--
begin
other
end
released

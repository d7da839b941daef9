--TEST--
A coroutine spawned in a destructor at the end of the script runs
--FILE--
<?php
use function Async\{spawn, suspend};
class Late {
    public function __destruct() {
        spawn(function () { echo "first\n"; suspend(); echo "second\n"; });
        echo "destructor\n";
    }
}
$late = new Late;
echo "main\n";
?>
--EXPECT--
main
destructor
first
second

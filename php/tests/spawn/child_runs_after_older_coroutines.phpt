--TEST--
O-4: a child runs after the coroutines that were spawned before it
--FILE--
<?php
use function Async\{spawn, suspend};
spawn(function () {
    echo "parent\n";
    spawn(function () { echo "child\n"; });
    suspend();
    echo "parent again\n";
});
spawn(function () { echo "independent\n"; });
?>
--EXPECT--
parent
independent
child
parent again

--TEST--
A coroutine that waits inside a Fiber while the objects are destroyed goes on afterwards
--FILE--
<?php
use function Async\{spawn, suspend, delay};
class Last {
    public function __destruct() {
        spawn(function () {
            (new Fiber(function () { echo "in\n"; delay(20); echo "after\n"; }))->start();
            echo "end\n";
        });
        suspend();
        echo "destroyed\n";
    }
}
$last = new Last;
?>
--EXPECT--
in
destroyed
after
end

--TEST--
P-1: neither catch (Exception) nor catch (Error) sees a Cancellation; Throwable does
--FILE--
<?php
class Mine extends Cancellation { }
foreach ([new Cancellation('root'), new Async\AsyncCancellation('async', 5, new Exception('before')), new Mine('user')] as $thrown) {
    try {
        try { throw $thrown; } catch (Exception $e) { echo "Exception\n"; } catch (Error $e) { echo "Error\n"; }
    } catch (Throwable $e) {
        echo get_class($e), ' ', $e->getMessage(), ' ', $e->getCode(), ' ', $e->getLine(), ' ', $e->getPrevious()?->getMessage(), ' ', basename($e->getFile()), "\n";
    }
}
echo explode("\n", (string) $thrown)[0], "\n";
?>
--EXPECTF--
Cancellation root 0 3  cancellation_is_a_root.php
Async\AsyncCancellation async 5 3 before cancellation_is_a_root.php
Mine user 0 3  cancellation_is_a_root.php
Mine: user in %scancellation_is_a_root.php:3

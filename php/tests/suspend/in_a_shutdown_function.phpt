--TEST--
A shutdown function may suspend and await
--FILE--
<?php
use function Async\{spawn, suspend, await};
register_shutdown_function(function () { echo await(spawn(function () { suspend(); return 'awaited'; })), "\n"; });
?>
--EXPECT--
awaited

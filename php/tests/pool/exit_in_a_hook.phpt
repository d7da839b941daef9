--TEST--
exit() in beforeRelease, whose exceptions are swallowed, ends the script
--FILE--
<?php
$pool = new Async\Pool(fn () => new stdClass, beforeRelease: function () { echo "hook\n"; exit(0); });
$pool->release($pool->acquire());
echo "never\n";
?>
--EXPECT--
hook

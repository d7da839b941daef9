--TEST--
exit() in an exception handler ends the script
--FILE--
<?php
$s = new Async\Scope;
$s->setExceptionHandler(function () { echo "handler\n"; exit(0); });
$s->spawn(fn () => throw new Exception);
Async\delay(1000);
echo "never\n";
?>
--EXPECT--
handler

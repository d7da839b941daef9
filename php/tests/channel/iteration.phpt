--TEST--
foreach receives until the channel is closed and empty; the keys are null
--FILE--
<?php
use function Async\spawn;
$ch = new Async\Channel(1);
spawn(function () use ($ch) { for ($i = 1; $i <= 3; ++$i) $ch->send($i); $ch->close(); });
foreach ($ch as $key => $value) { echo json_encode([$key, $value]), "\n"; }
var_dump($ch->isClosed());
foreach ($ch->getIterator() as $none) echo "never\n";
try { foreach ($ch as &$reference) {} } catch (Error $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
[null,1]
[null,2]
[null,3]
bool(true)
Cannot iterate channel by reference

--TEST--
race() gives the first that ends, any() the first success; an empty group refuses
--FILE--
<?php
use function Async\suspend;
$g = new Async\TaskGroup;
foreach (['race', 'any'] as $method) {
    try { $g->$method(); } catch (Async\AsyncException $e) { echo $e->getMessage(), "\n"; }
}
$g->spawn(function () { for ($i = 0; $i < 5; ++$i) suspend(); return 'slow'; });
$g->spawn(fn () => throw new Exception('fast'));
try { $g->race()->await(); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
echo $g->any()->await(), "\n";
?>
--EXPECT--
Cannot race on an empty TaskGroup
Cannot call any() on an empty TaskGroup
fast
slow

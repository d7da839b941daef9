--TEST--
R-FUT-2: completing twice throws and names the first place
--FILE--
<?php
$state = new Async\FutureState;
$future = (new Async\Future($state))->ignore();
$state->complete(1);
foreach ([fn () => $state->complete(2), fn () => $state->error(new Exception)] as $f) {
    try { $f(); } catch (Async\AsyncException $e) { echo str_replace(__FILE__, 'FILE', $e->getMessage()), "\n"; }
}
?>
--EXPECT--
FutureState is already completed at FILE:4
FutureState is already completed at FILE:4

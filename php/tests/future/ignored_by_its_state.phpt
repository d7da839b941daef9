--TEST--
R-FUT-9: ignore() of the state suppresses both warnings
--FILE--
<?php
$future = new Async\Future($state = new Async\FutureState);
$state->ignore();
$state->error(new Exception('ignored'));
unset($future, $state);
$future = new Async\Future($state = new Async\FutureState);
$state->ignore();
$state->complete(1);
unset($future, $state);
Async\suspend();
echo "end\n";
?>
--EXPECT--
end

--TEST--
The information about a failed future says that it is completed
--FILE--
<?php
$future = Async\Future::failed(new Exception)->ignore();
echo json_encode($future->getAwaitingInfo()), "\n";
$future = (new Async\Future($state = new Async\FutureState))->ignore();
echo json_encode($state->getAwaitingInfo()), "\n";
?>
--EXPECT--
["FutureState(completed)"]
["FutureState(pending)"]

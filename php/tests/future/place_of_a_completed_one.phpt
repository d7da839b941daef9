--TEST--
The place of Future::completed() and Future::failed() is their call
--FILE--
<?php
$value = Async\Future::completed(1)->ignore();
$failure = Async\Future::failed(new Exception)->ignore();
foreach ([$value, $failure] as $future) echo basename($future->getCreatedLocation()), ' ', basename($future->getCompletedLocation()), "\n";
?>
--EXPECTF--
place_of_a_completed_one.php:2 %s:2
place_of_a_completed_one.php:3 %s:3

--TEST--
The example parallel.php prints what it says
--FILE--
<?php
require __DIR__ . '/../../examples/parallel.php';
?>
--EXPECT--
user: the user after 30 ms
cart: the cart after 10 ms
news: the news after 20 ms

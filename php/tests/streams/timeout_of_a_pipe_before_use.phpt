--TEST--
Before the API is used stream_set_timeout() of a pipe is that of stock PHP
--FILE--
<?php
$command = proc_open(['true'], [1 => ['pipe', 'w']], $pipes);
var_dump(stream_set_timeout($pipes[1], 0, 50_000));
var_dump(fgets($pipes[1]), feof($pipes[1]));
?>
--EXPECT--
bool(false)
bool(false)
bool(true)

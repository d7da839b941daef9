--TEST--
A second coroutine that reads the same stream meanwhile gets an AsyncException that names the first
--FILE--
<?php
[$here, $there] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$first = Async\spawn(fn() => fread($here, 10));
$second = Async\spawn(fn() => fread($here, 10));
try {
    Async\await($second);
} catch (Async\AsyncException $error) {
    echo str_replace((string) $first->getId(), 'N', $error->getMessage()), "\n";
}
fwrite($there, 'data');
var_dump(Async\await($first));
?>
--EXPECT--
The stream or connection is already in use by coroutine N
string(4) "data"

--TEST--
fclose() wakes a coroutine that is parked on the stream, and closes when that has left it
--FILE--
<?php
use function Async\{spawn, await, suspend};
[$mine, $other] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$reader = spawn(function () use ($mine) {
    $text = @fread($mine, 10);
    echo "read ended\n";
    return $text;
});
suspend();
var_dump(fclose($mine));
echo "closed\n";
var_dump(await($reader), is_resource($mine));
?>
--EXPECT--
read ended
bool(true)
closed
string(0) ""
bool(false)

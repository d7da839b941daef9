--TEST--
The timeout of a pipe does not hold for the next stream with its descriptor
--FILE--
<?php
use function Async\{await, spawn};
/** The command is kept, because its end would close the pipes. */
function echo_a_line(array &$commands): array
{
    $commands[] = proc_open(['sh', '-c', 'read line && echo $line'], [['pipe', 'r'], ['pipe', 'w']], $pipes);
    return $pipes;
}
$commands = [];
[$to, $from] = echo_a_line($commands);
stream_set_timeout($from, 0, 1);
await(spawn(fn () => var_dump(fgets($from))));
fclose($from);
fclose($to);
[$to, $from] = echo_a_line($commands);
$reader = spawn(fn () => fgets($from));
spawn(fn () => fwrite($to, "in time\n"));
var_dump(await($reader), stream_get_meta_data($from)['timed_out']);
?>
--EXPECT--
bool(false)
string(8) "in time
"
bool(false)

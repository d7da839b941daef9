--TEST--
fclose() of the file of CURLOPT_FILE waits until curl has returned from a call that writes to it
--EXTENSIONS--
curl
--FILE--
<?php
use function Async\{spawn, await, delay};
$server = stream_socket_server('tcp://127.0.0.1:0');
spawn(function () use ($server) {
    while ($client = stream_socket_accept($server)) {
        fread($client, 1000);
        fwrite($client, "HTTP/1.0 200 OK\r\nContent-Length: 200000\r\n\r\n" . str_repeat('x', 100000));
        delay(50);
        fwrite($client, str_repeat('y', 100000));
        fclose($client);
    }
});
$name = tempnam(sys_get_temp_dir(), 'weft');
$transfer = function () use ($server, $name, &$file) {
    $curl = curl_init('http://' . stream_socket_get_name($server, false));
    curl_setopt($curl, CURLOPT_FILE, $file = fopen($name, 'w'));
    return $curl;
};
$curl = $transfer();
$download = spawn(fn() => curl_exec($curl));
delay(20);
fclose($file);
var_dump($download->isCompleted(), await($download), filesize($name));

// The calls of a multi handle hold the files of its handles.
$curl = $transfer();
$waits = false;
curl_setopt($curl, CURLOPT_NOPROGRESS, false);
curl_setopt($curl, CURLOPT_XFERINFOFUNCTION, function () use (&$waits) {
    $waits = true;
    delay(20);
    $waits = false;
    return 0;
});
$multi = curl_multi_init();
curl_multi_add_handle($multi, $curl);
$download = spawn(function () use ($multi) {
    do curl_multi_exec($multi, $running); while ($running && curl_multi_select($multi));
});
while (!$waits) delay(1);
fclose($file);
var_dump($waits);
$download->cancel();
unlink($name);
exit;
?>
--EXPECT--
bool(true)
bool(true)
int(200000)
bool(false)

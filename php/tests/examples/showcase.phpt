--TEST--
The showcase of make demo-php
--EXTENSIONS--
pgsql
--SKIPIF--
<?php if (!getenv('WEFT_PG') || !getenv('WEFT_HTTP_PORT')) die('skip WEFT_PG or WEFT_HTTP_PORT is not set: tools/services run ...'); ?>
--FILE--
<?php
require __DIR__ . '/../../examples/showcase.php';
?>
--EXPECTREGEX--
20 HTTP requests +\d+\.\d\d s one after the other, +\d+\.\d\d s in coroutines, the same results
20 queries +\d+\.\d\d s one after the other, +\d+\.\d\d s in coroutines, the same results
A timeout: Timeout occurred after 200 milliseconds, after 0\.\d\d s
(  (one|two|three) cleans up
){3}A scope of three commands, cancelled: 0\.\d\d s

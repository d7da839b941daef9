--TEST--
request_context() is null without an embedding server
--FILE--
<?php
use function Async\request_context;
var_dump(request_context());
?>
--EXPECT--
NULL

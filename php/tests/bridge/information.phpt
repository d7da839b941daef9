--TEST--
php --ri weft says what is bridged
--FILE--
<?php
(new ReflectionExtension('weft'))->info();
?>
--EXPECTF--

weft

weft => enabled
Version => %d.%d.%d
Built for PHP => %s
Bridged calls => %d in %d objects
Threads => no: needs a thread-safe PHP

Directive => Local Value => Master Value
async.debug_deadlock => 1 => 1
weft.bridge => 1 => 1
weft.bridge_leave_alone => no value => no value
weft.stack_size => 512K => 512K

--TEST--
Other classes still cannot implement Throwable
--FILE--
<?php
class Mine implements Throwable { }
?>
--EXPECTF--
Fatal error: Class Mine cannot implement interface Throwable, extend Exception or Error instead in %s on line %d

--TEST--
Exception classes can be extended, CompositeException cannot
--FILE--
<?php
use Async\{ChannelException, CompositeException};
class Mine extends ChannelException {}
echo get_parent_class(new Mine), "\n";
var_dump((new ReflectionClass(CompositeException::class))->isFinal());
?>
--EXPECT--
Async\ChannelException
bool(true)

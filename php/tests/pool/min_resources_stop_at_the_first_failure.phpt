--TEST--
R-RPL-1: the resources made up front stop at the first failure of the factory
--FILE--
<?php
$calls = 0;
try {
    $pool = new Async\Pool(function () use (&$calls) { return ++$calls === 2 ? throw new DomainException('cannot connect') : new stdClass; }, min: 4);
} catch (DomainException) {
}
var_dump($calls);
?>
--EXPECTF--

Warning: Pool: making the first resources stopped: cannot connect in %s on line %d
int(2)

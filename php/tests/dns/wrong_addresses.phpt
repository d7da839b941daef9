--TEST--
gethostbyaddr() warns of what is no address, and gethostbyname() of names that are too long
--FILE--
<?php
use function Async\{await, spawn};
await(spawn(function () {
    var_dump(gethostbyaddr('no address'));
    var_dump(strlen(gethostbyname(str_repeat('x', 300))));
}));
?>
--EXPECTF--

Warning: gethostbyaddr(): Address is not a valid IPv4 or IPv6 address in %s on line 4
bool(false)

Warning: gethostbyname(): Host name cannot be longer than 255 characters in %s on line 5
int(300)

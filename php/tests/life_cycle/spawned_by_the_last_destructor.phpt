--TEST--
What the last destructors spawn runs too
--FILE--
<?php
use function Async\spawn;
class Last {
    function __construct(private int $rest) {}
    function __destruct()
    {
        $rest = $this->rest;
        spawn(function () use ($rest) { echo "of a last destructor: $rest\n"; return $rest > 0 ? new Last($rest - 1) : null; });
    }
}
class D { function __destruct() { spawn(fn () => new Last(3)); } }
$d = new D;
?>
--EXPECT--
of a last destructor: 3
of a last destructor: 2
of a last destructor: 1
of a last destructor: 0

--TEST--
__get() of a class below Cancellation is asked for properties that are not there
--FILE--
<?php
class Mine extends Cancellation {
    public function __get($name) { Async\suspend(); return "magic $name"; }
    public function inside() { return [$this->message, $this->missing]; }
}
$e = new Mine('real');
echo json_encode([$e->getMessage(), $e->missing, $e->message, $e->inside()]), "\n";
?>
--EXPECT--
["real","magic missing","magic message",["real","magic missing"]]

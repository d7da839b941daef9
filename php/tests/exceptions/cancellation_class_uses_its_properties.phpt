--TEST--
A class below Cancellation may read and write the properties it inherits
--FILE--
<?php
class Mine extends Async\AsyncCancellation {
    public function __construct() { $this->message = 'own'; $this->message .= ' text'; $this->code = 1; ++$this->code; $this->line = 99; }
    public function all() { return [$this->message, $this->code, $this->line, isset($this->file), isset($this->trace)]; }
}
class Child extends Mine { public function change() { $this->message = 'changed'; return $this; } }
$e = new Mine;
echo json_encode([$e->getMessage(), $e->getCode(), $e->getLine(), $e->all()]), "\n";
echo (new Child)->change()->getMessage(), "\n";
try { echo $e->message; } catch (Error $error) { echo $error->getMessage(), "\n"; }
?>
--EXPECT--
["own text",2,99,["own text",2,99,true,false]]
changed
Cannot access protected property Mine::$message

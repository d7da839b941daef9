--TEST--
A class below Cancellation may declare the properties of its parent again
--FILE--
<?php
class Mine extends Async\AsyncCancellation {
    protected $message = 'preset';
    protected $code = 7;
    protected string $file = 'nowhere';
    private $previous = 'its own';
    private $trace = 'its own';
    public function own() { return [$this->previous, $this->trace]; }
}
$e = new Mine(previous: new Exception('before'));
echo json_encode([(new Mine)->getMessage(), $e->getCode(), basename($e->getFile()), $e->getPrevious()->getMessage(), $e->getTraceAsString(), $e->own()]), "\n";
$c = Async\spawn(fn () => throw new Mine('given'));
try { Async\await($c); } catch (Mine $caught) { echo explode("\n", (string) $caught)[0], "\n"; }
?>
--EXPECTF--
["preset",7,"cancellation_class_declares_properties_again.php","before","#0 {main}",["its own","its own"]]
Mine: given in %scancellation_class_declares_properties_again.php:12

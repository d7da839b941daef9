--TEST--
A stream wrapper that waits may serve an include
--FILE--
<?php
class Wrapper
{
    public $context;
    private $text = '';
    public function stream_open($path) { usleep(1000); $this->text = '<?php return ' . substr($path, 7) . ';'; return true; }
    public function stream_read($count) { usleep(1000); [$part, $this->text] = [$this->text, '']; return $part; }
    public function stream_eof() { return $this->text === ''; }
    public function stream_stat() { return []; }
    public function stream_set_option() { return false; }
}
stream_wrapper_register('slow', Wrapper::class, 0);
$all = [];
for ($i = 0; $i < 5; $i++) $all[] = Async\spawn(fn() => include "slow://$i");
var_dump(implode(' ', Async\await_all_or_fail($all)));
?>
--EXPECT--
string(9) "0 1 2 3 4"

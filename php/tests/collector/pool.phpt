--TEST--
A cycle through the functions and the resources of a pool is collected, and the resources are destroyed
--FILE--
<?php
require __DIR__ . '/node.inc';
class Connections extends Node {
    public function __construct(string $name) {
        parent::__construct($name);
        $this->kept = new Async\Pool(
            factory: fn () => [$this],
            destructor: fn ($connection) => $this->destroyed(),
            beforeRelease: fn ($connection) => $this !== null,
            min: 1,
        );
    }
    public function destroyed(): void { echo "destroyed\n"; }
}
new Connections('dropped');
$connections = new Connections('kept');
$one = $connections->kept->acquire();
$other = $connections->kept->acquire();
$connections->kept->release($other);
unset($other);
gc_collect_cycles();
echo "collected\n";
var_dump($one[0] === $connections, $connections->kept->idleCount(), $connections->kept->activeCount());
unset($one, $connections);
gc_collect_cycles();
echo "collected\n";
?>
--EXPECT--
destroyed
dropped goes
collected
bool(true)
int(1)
int(1)
destroyed
destroyed
kept goes
collected

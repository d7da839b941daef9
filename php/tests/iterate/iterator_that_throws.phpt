--TEST--
An exception of rewind(), current(), key() or next() reaches the caller
--FILE--
<?php
class Source extends ArrayIterator {
    public static $where;
    private function may($where) { if (self::$where === $where) throw new DomainException($where); }
    public function rewind(): void { $this->may('rewind'); parent::rewind(); }
    public function current(): mixed { $this->may('current'); return parent::current(); }
    public function key(): string|int|null { $this->may('key'); return parent::key(); }
    public function next(): void { $this->may('next'); parent::next(); }
    public function valid(): bool { $this->may('valid'); return parent::valid(); }
}
foreach (['rewind', 'valid', 'current', 'key', 'next'] as Source::$where) {
    try { Async\iterate(new Source([1, 2]), fn () => null); } catch (DomainException $e) { echo $e->getMessage(), "\n"; }
}
?>
--EXPECT--
rewind
valid
current
key
next

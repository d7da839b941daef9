--TEST--
R-CTX-2, R-CTX-5: the contexts of scope, coroutine and main
--FILE--
<?php
use function Async\{spawn, await, current_context, coroutine_context, root_context, request_context};
var_dump(current_context() === root_context(), request_context());
root_context()->set('k', 'root');
$scope = Async\Scope::inherit();
$c = $scope->spawn(function () {
    var_dump(current_context() === root_context(), current_context()->find('k'), current_context()->findLocal('k'));
    current_context()->set('k', 'scope');
    coroutine_context()->set('mine', 1);
    return [current_context()->get('k'), root_context()->get('k'), coroutine_context()->get('mine')];
});
var_dump(await($c));
$d = $scope->spawn(fn () => [current_context()->get('k'), coroutine_context()->has('mine'), $c->getContext()->get('mine')]);
var_dump(await($d));
?>
--EXPECT--
bool(true)
NULL
bool(false)
string(4) "root"
NULL
array(3) {
  [0]=>
  string(5) "scope"
  [1]=>
  string(4) "root"
  [2]=>
  int(1)
}
array(3) {
  [0]=>
  string(5) "scope"
  [1]=>
  bool(false)
  [2]=>
  int(1)
}

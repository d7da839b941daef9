<?php
/*
 * Writes the declarations of the extension in C++ from weft.stub.php, with PHP's own reflection:
 *   php -n php/tools/arginfo.php php/stubs/weft.stub.php declarations > class_entries.hpp
 *   php -n php/tools/arginfo.php php/stubs/weft.stub.php definitions > arginfo.hpp
 * php-dev's gen_stub.php would do it too, but needs a parser that Debian does not package.
 */

function fail(string $why): never
{
    fwrite(STDERR, "arginfo: $why\n");
    exit(1);
}

function quoted(string $text): string
{
    return '"' . addcslashes($text, "\\\"\n") . '"';
}

function symbol(string $name): string
{
    return str_replace('\\', '_', $name);
}

const MASKS = [
    'mixed' => 'MAY_BE_ANY', 'string' => 'MAY_BE_STRING', 'object' => 'MAY_BE_OBJECT', 'int' => 'MAY_BE_LONG',
    'bool' => 'MAY_BE_BOOL', 'array' => 'MAY_BE_ARRAY', 'void' => 'MAY_BE_VOID', 'callable' => 'MAY_BE_CALLABLE',
    'float' => 'MAY_BE_DOUBLE', 'null' => 'MAY_BE_NULL', 'never' => 'MAY_BE_NEVER',
];

/** [class name or null, mask of the other types] */
function typeOf(ReflectionType $type): array
{
    $parts = $type instanceof ReflectionUnionType ? $type->getTypes() : [$type];
    $class = null;
    $masks = [];
    foreach ($parts as $part) {
        $name = $part->getName();
        if ($name === 'iterable') {
            $class = 'Traversable';
            $masks[] = 'MAY_BE_ARRAY';
        } elseif (isset(MASKS[$name])) {
            $masks[] = MASKS[$name];
        } else {
            $class === null || fail("two classes in one type: $type");
            $class = $name;
        }
    }
    if ($type->allowsNull() && !in_array('MAY_BE_ANY', $masks, true)) {
        $masks[] = 'MAY_BE_NULL';
    }
    return [$class, $masks === [] ? '0' : implode('|', array_unique($masks))];
}

function arginfo(ReflectionFunctionAbstract $function, string $name): string
{
    $required = $function->getNumberOfRequiredParameters();
    $return = $function->getReturnType();
    if ($return === null) {
        $text = "ZEND_BEGIN_ARG_INFO_EX($name, 0, 0, $required)\n";
    } else {
        [$class, $mask] = typeOf($return);
        $text = $class !== null
            ? "ZEND_BEGIN_ARG_WITH_RETURN_OBJ_TYPE_MASK_EX($name, 0, $required, " . symbolic($class) . ", $mask)\n"
            : "ZEND_BEGIN_ARG_WITH_RETURN_TYPE_MASK_EX($name, 0, $required, $mask)\n";
    }
    foreach ($function->getParameters() as $parameter) {
        [$class, $mask] = typeOf($parameter->getType());
        $argument = $parameter->getName();
        if ($parameter->isVariadic()) {
            $text .= "  ZEND_ARG_VARIADIC_TYPE_INFO(0, $argument, IS_MIXED, 0)\n";
            continue;
        }
        $default = $parameter->isDefaultValueAvailable() ? quoted(
            $parameter->isDefaultValueConstant()
                ? ltrim(str_replace('Async\\', '', $parameter->getDefaultValueConstantName()), '\\')
                : ($parameter->getDefaultValue() === [] ? '[]' : strtolower(var_export($parameter->getDefaultValue(), true)))
        ) : 'NULL';
        $text .= $class !== null
            ? "  ZEND_ARG_OBJ_TYPE_MASK(0, $argument, " . symbolic($class) . ", $mask, $default)\n"
            : "  ZEND_ARG_TYPE_MASK(0, $argument, $mask, $default)\n";
    }
    return $text . "ZEND_END_ARG_INFO()\n\n";
}

/** The macros stringify a class name, so that a backslash has to be doubled. */
function symbolic(string $class): string
{
    return str_replace('\\', '\\\\', $class);
}

function flags(ReflectionMethod $method, bool $abstract): string
{
    $flags = [$method->isPrivate() ? 'ZEND_ACC_PRIVATE' : 'ZEND_ACC_PUBLIC'];
    if ($method->isStatic()) $flags[] = 'ZEND_ACC_STATIC';
    if ($abstract) $flags[] = 'ZEND_ACC_ABSTRACT';
    return implode('|', $flags);
}

function value(mixed $value): string
{
    return is_int($value) ? "ZVAL_LONG(&value, $value);"
        : 'ZVAL_STR(&value, zend_string_init_interned(' . quoted($value) . ', ' . strlen($value) . ', 1));';
}

function register(ReflectionClass $class): string
{
    $name = $class->getName();
    $s = symbol($name);
    $text = "zend_class_entry* ce_$s;\n"
        . "static void register_$s() {\n";
    if ($class->isEnum()) {
        $enum = new ReflectionEnum($name);
        $type = $enum->isBacked() ? ($enum->getBackingType()->getName() === 'int' ? 'IS_LONG' : 'IS_STRING') : 'IS_UNDEF';
        $text .= "  ce_$s = zend_register_internal_enum(" . quoted($name) . ", $type, methods_$s);\n";
        foreach ($enum->getCases() as $case) {
            $text .= $enum->isBacked()
                ? "  {\n    zval value;\n    " . value($case->getBackingValue()) . "\n    zend_enum_add_case_cstr(ce_$s, "
                    . quoted($case->getName()) . ", &value);\n  }\n"
                : "  zend_enum_add_case_cstr(ce_$s, " . quoted($case->getName()) . ", nullptr);\n";
        }
        return $text . "}\n\n";
    }
    $text .= "  zend_class_entry made;\n  INIT_CLASS_ENTRY(made, " . quoted($name) . ", methods_$s);\n";
    $parent = $class->getParentClass();
    $text .= $class->isInterface()
        ? "  ce_$s = zend_register_internal_interface(&made);\n"
        : "  ce_$s = zend_register_internal_class_ex(&made, "
            . ($parent ? 'class_named(' . quoted(strtolower($parent->getName())) . ')' : 'nullptr') . ");\n";
    // Those it names itself: not what a parent or another interface brings along.
    $interfaces = array_filter(
        $class->getInterfaceNames(),
        fn ($i) => !($parent && $parent->implementsInterface($i))
            && array_filter($class->getInterfaceNames(), fn ($other) => is_subclass_of($other, $i)) === []
    );
    foreach ($interfaces as $interface) {
        $text .= "  zend_class_implements(ce_$s, 1, class_named(" . quoted(strtolower($interface)) . "));\n";
    }
    if (!$class->isInterface() && !$class->isSubclassOf('Throwable')) {
        $text .= "  ce_{$s}->ce_flags |= ZEND_ACC_FINAL | ZEND_ACC_NO_DYNAMIC_PROPERTIES | ZEND_ACC_NOT_SERIALIZABLE;\n";
        if (!$class->isEnum() && $class->isReadOnly()) $text .= "  ce_{$s}->ce_flags |= ZEND_ACC_READONLY_CLASS;\n";
    } elseif ($class->isFinal()) {
        $text .= "  ce_{$s}->ce_flags |= ZEND_ACC_FINAL;\n";
    }
    foreach ($class->getProperties() as $property) {
        if ($property->getDeclaringClass()->getName() !== $name) continue;
        [$type, $mask] = typeOf($property->getType());
        $text .= "  declare_property(ce_$s, " . quoted($property->getName()) . ', '
            . ($type === null ? 'nullptr' : quoted($type)) . ", $mask, "
            . ($property->isPrivate() ? 'ZEND_ACC_PRIVATE' : 'ZEND_ACC_PUBLIC')
            . ($property->isReadOnly() ? '|ZEND_ACC_READONLY' : '') . ");\n";
    }
    return $text . "}\n\n";
}

$known = get_declared_classes();
$knownInterfaces = get_declared_interfaces();
require $argv[1] ?? fail('usage: arginfo.php FILE declarations|definitions');
$order = [
    ...array_diff(get_declared_interfaces(), $knownInterfaces),
    ...array_diff(get_declared_classes(), $known),
];
// A class comes after what it extends and implements.
usort($order, fn ($a, $b) => is_subclass_of($a, $b) ? 1 : (is_subclass_of($b, $a) ? -1 : 0));
$sorted = [];
$visit = function (string $name) use (&$visit, &$sorted, $order): void {
    if (isset($sorted[$name]) || !in_array($name, $order, true)) return;
    foreach ([...array_values(class_implements($name)), ...array_values(class_parents($name))] as $first) $visit($first);
    $sorted[$name] = new ReflectionClass($name);
};
array_map($visit, $order);

echo "#pragma once\n\n// Generated by php/tools/arginfo.php from php/stubs/weft.stub.php.\n\n";
if (($argv[2] ?? '') === 'declarations') {
    foreach ($sorted as $name => $class) echo 'extern zend_class_entry* ce_', symbol($name), ";\n";
    exit;
}
$methods = '';
$tables = '';
foreach ($sorted as $name => $class) {
    $s = symbol($name);
    $tables .= "static const zend_function_entry methods_{$s}[] = {\n";
    foreach ($class->getMethods() as $method) {
        if ($method->getDeclaringClass()->getName() !== $name || ($class->isEnum() && !$method->isUserDefined())) continue;
        $m = $method->getName();
        $methods .= arginfo($method, "arginfo_{$s}_$m");
        if ($class->isInterface()) {
            $tables .= "  ZEND_RAW_FENTRY(" . quoted($m) . ", nullptr, arginfo_{$s}_$m, " . flags($method, true) . ")\n";
        } else {
            $methods .= "ZEND_METHOD($s, $m);\n\n";
            $tables .= "  ZEND_RAW_FENTRY(" . quoted($m) . ", ZEND_MN({$s}_$m), arginfo_{$s}_$m, " . flags($method, false) . ")\n";
        }
    }
    $tables .= "  ZEND_FE_END\n};\n\n";
}
foreach (get_defined_functions()['user'] as $name) {
    if (!str_starts_with($name, 'async\\')) continue;
    $short = substr($name, 6);
    $methods .= arginfo(new ReflectionFunction($name), "arginfo_Async_$short") . "ZEND_FUNCTION(Async_$short);\n\n";
    $list[] = "  ZEND_RAW_FENTRY(ZEND_NS_NAME(\"Async\", " . quoted($short) . "), ZEND_FN(Async_$short), arginfo_Async_$short, 0)\n";
}
echo $methods, $tables;
echo "static const zend_function_entry all_functions[] = {\n", implode($list), "  ZEND_FE_END\n};\n\n";
foreach ($sorted as $class) echo register($class);
echo "static void register_classes() {\n";
foreach ($sorted as $name => $class) echo '  register_', symbol($name), "();\n";
echo "}\n";

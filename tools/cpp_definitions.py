"""Finds the functions that a C++ file defines, without a compiler.

It reads tokens: namespaces, classes and templates are entered, bodies of functions and initialisers
are skipped. Local classes and lambdas are parts of the body that they stand in. Of #if and #else it
reads both branches.
"""

import collections
import re

Definition = collections.namedtuple("Definition", "name line last is_member")

TOKEN = re.compile(r"""
      (?P<raw>(?:u8|[uUL])?R"(?P<mark>[^()\\\s]{0,16})\((?P<body>.*?)\)(?P=mark)")
    | (?P<skip>//[^\n]*(?:\\\n[^\n]*)* | /\*.*?\*/ | ^[ \t]*\#(?:[^\n\\]|\\.)*)
    | (?P<text>(?:u8|[uUL])?"(?:[^"\\\n]|\\.)*" | (?<![0-9a-zA-Z])'(?:[^'\\\n]|\\.)+')
    | (?P<name>[A-Za-z_]\w*)
    | (?P<number>\.?\d(?:'?[\w.])*)
    | (?P<sign>::|->|<=>|<=|>=|==|!=|&&|\|\||\+\+|--|<<|\[\[|\S)
""", re.VERBOSE | re.DOTALL | re.MULTILINE)

# Words that can stand before a parenthesis which does not open the parameters of a function.
NO_FUNCTION = {"alignas", "decltype", "noexcept", "explicit", "requires", "sizeof", "__attribute__",
               "asm", "if", "for", "while", "switch", "catch", "return", "static_assert"}
BUILT_IN = {"void", "bool", "char", "int", "unsigned", "long", "short", "float", "double", "auto"}
TYPE_WORDS = {"class", "struct", "union", "enum"}
OPENING = {"(", "{", "[", "[["}

Token = collections.namedtuple("Token", "kind text line")


def tokens(text):
    """The tokens of C++ source, without comments and preprocessor lines. A raw string keeps its text."""
    found = []
    line, counted = 1, 0
    for match in TOKEN.finditer(text):
        line += text.count("\n", counted, match.start())
        counted = match.start()
        kind = match.lastgroup if match.lastgroup not in ("mark", "body") else "raw"
        if kind == "skip":
            continue
        found.append(Token(kind, match.group("body") if kind == "raw" else match.group(), line))
    return found


def skip_group(code, at):
    """The index behind the group that opens at `at`."""
    depth = 0
    while at < len(code):
        sign = code[at].text if code[at].kind == "sign" else ""
        if sign == "[[":
            depth += 2
        elif sign in ("(", "{", "["):
            depth += 1
        elif sign in (")", "}", "]"):
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    raise ValueError(f"line {code[-1].line}: a bracket is not closed")


def skip_angles(code, at):
    """The index behind the template brackets that open at `at`, or None if it is a comparison."""
    depth = 0
    while at < len(code):
        sign = code[at].text if code[at].kind == "sign" else ""
        if sign in OPENING:
            at = skip_group(code, at)
            continue
        if sign == "<":
            depth += 1
        elif sign == ">":
            depth -= 1
            if depth == 0:
                return at + 1
        elif sign in (";", ")", "}", "]"):
            return None
        at += 1
    return None


def operator_name(code, at):
    """The name of the operator at `at`, and the index of the parenthesis of its parameters."""
    end = at + 1
    if code[end].text == "(" and code[end + 1].text == ")":
        return "operator()", end + 2
    symbols = code[end].kind == "sign"
    words = []
    while code[end].text != "(":
        words.append(code[end].text)
        end += 1
    return "operator" + ("" if symbols else " ") + ("" if symbols else " ").join(words), end


def function_head(head):
    """The qualified name that `head`, the tokens before a body, declares; the index behind the
    parameters. None if it is no function."""
    at = 0
    path = []  # names joined by :: directly before `at`
    joined = False
    while at < len(head):
        token = head[at]
        if token.text == "operator":
            try:
                name, at = operator_name(head, at)
            except IndexError:
                return None
            return (path if joined else []) + [name], skip_group(head, at)
        if token.kind == "name":
            if at + 1 < len(head) and head[at + 1].text == "(" and token.text in NO_FUNCTION:
                at = skip_group(head, at + 1)
                path, joined = [], False
                continue
            name = token.text
            if at > 0 and head[at - 1].text == "~":
                name = "~" + name
            path = path + [name] if joined else [name]
            joined = False
            at += 1
            continue
        if token.text == "~":
            at += 1
            continue
        if token.text == "::":
            joined = True
            at += 1
            continue
        if token.text == "<" and at > 0 and head[at - 1].kind == "name":
            behind = skip_angles(head, at)
            if behind is None:
                return None
            if head[at - 1].text == "template":
                path = []
            at = behind
            continue
        if token.text == "(" and path:
            return None if path[-1] in BUILT_IN else (path, skip_group(head, at))
        if token.text == "=":
            return None
        if token.text in ("(", "[", "[["):  # of a requires-clause, an attribute
            at = skip_group(head, at)
        else:
            at += 1
        path, joined = [], False
    return None


def has_assignment(code):
    """Whether there is a = outside of all brackets."""
    at = 0
    while at < len(code):
        if code[at].kind == "sign" and code[at].text in OPENING:
            at = skip_group(code, at)
        elif code[at].kind == "sign" and code[at].text == "=":
            return True
        else:
            at += 1
    return False


def scope_of(head):
    """('namespace' or 'type', name) if a body after `head` opens a scope, else None."""
    at = 0
    words = []
    while at < len(head):
        if head[at].text in ("[[", "(") or (head[at].text == "[" and not words):
            at = skip_group(head, at)
        elif head[at].text == "<" and words:  # parameters of a template, arguments of a specialisation
            behind = skip_angles(head, at)
            at = behind if behind is not None else at + 1
        elif head[at].kind == "sign" and head[at].text not in ("::", "<", ">"):
            break
        else:
            words.append(head[at].text)
            at += 1
    words = [word for word in words if word not in ("template", "inline", "export", "typedef", "static")]
    if words[:1] == ["extern"] and len(words) == 2:  # extern "C" {
        return ("namespace", "")
    if words[:1] == ["namespace"]:
        return ("namespace", "".join(words[1:]))
    if words and words[0] in TYPE_WORDS:
        rest = [word for word in words[1:] if word not in TYPE_WORDS | {"final", "alignas"}]
        return ("type", without_arguments("".join(rest)))
    return None


class Reader:
    """Reads the tokens of a file and collects the functions with a body."""

    def __init__(self, text):
        self.code = tokens(text)
        self.found = []

    def read(self):
        self.scope(0, [], False)
        return self.found

    def note(self, scope, name, is_member, first, last):
        path = [part for outer in scope for part in outer.split("::") if part] + name
        self.found.append(Definition("::".join(path), first.line, last.line, is_member))

    def scope(self, at, outer, in_type):
        """Reads declarations up to the end of the scope; the index behind its closing brace."""
        code = self.code
        while at < len(code):
            start = at
            if code[at].text == "}" and code[at].kind == "sign":
                return at + 1
            if in_type and code[at].text in ("public", "private", "protected") and \
                    at + 1 < len(code) and code[at + 1].text == ":":
                at += 2
                continue
            if code[at].text == "asm":
                at = self.assembly(at)
                continue
            at = self.declaration(start, outer, in_type)
        return at

    def assembly(self, at):
        while at < len(self.code) and self.code[at].text != ";":
            token = self.code[at]
            if token.kind in ("raw", "text"):
                labels = re.findall(r"^\s*([A-Za-z_]\w*):", token.text, re.MULTILINE)
                labels += re.findall(r"^\s*\.size\s+([A-Za-z_]\w*)\s*,", token.text, re.MULTILINE)
                for label in dict.fromkeys(labels):
                    self.found.append(Definition(label, token.line,
                                                 token.line + token.text.count("\n"), False))
            at += 1
        return at + 1

    def declaration(self, start, outer, in_type):
        """Reads one declaration that begins at `start`; the index behind it."""
        code, at = self.code, start
        initialising = False  # between the colon of a constructor and its body
        while at < len(code):
            token = code[at]
            sign = token.text if token.kind == "sign" else ""
            if sign == ";":
                self.defaulted(start, at, outer, in_type)
                return at + 1
            if sign == "}":
                return at
            if sign in ("(", "[", "[["):
                at = skip_group(code, at)
                continue
            if sign == ":" and not initialising and code[at - 1].text != ":":
                head = function_head(code[start:at])
                initialising = head is not None
            if sign == "{":
                if initialising and (code[at - 1].kind == "name" or code[at - 1].text == ">") and \
                        code[at - 1].text not in ("try",):
                    at = skip_group(code, at)
                    continue
                return self.body(start, at, outer, in_type)
            at += 1
        return at

    def body(self, start, at, outer, in_type):
        code = self.code
        head = code[start:at]
        scope = scope_of(head)
        if scope is not None:
            kind, name = scope
            is_enum = any(token.text == "enum" for token in head)
            if is_enum:
                return skip_group(code, at)
            function = function_head(head) if kind == "type" else None
            if function is None or self.is_base_clause(head):
                return self.scope(at + 1, outer + [name], kind == "type")
        function = function_head(head)
        behind = skip_group(code, at)
        if function is None or has_assignment(head[function[1]:]):
            return self.initialiser(behind)
        name, _ = function
        self.note(outer, name, in_type or len(name) > 1, code[start], code[behind - 1])
        return behind

    @staticmethod
    def is_base_clause(head):
        """Whether a colon, as before the bases of a type, comes before the first parenthesis."""
        depth = 0
        for token in head:
            if token.text == "<":
                depth += 1
            elif token.text == ">":
                depth -= 1
            elif token.text == ":" and token.kind == "sign" and depth == 0:
                return True
            elif token.text == "(" and depth == 0:
                return False
        return False

    def initialiser(self, at):
        """The rest of a variable that began with braces."""
        code = self.code
        while at < len(code) and code[at].text != ";":
            if code[at].text in ("(", "{", "["):
                at = skip_group(code, at)
            elif code[at].text == "}":
                return at
            else:
                at += 1
        return at + 1

    def defaulted(self, start, end, outer, in_type):
        code = self.code[start:end]
        if len(code) > 2 and code[-1].text == "default" and code[-2].text == "=":
            function = function_head(code[:-2])
            if function is not None:
                self.note(outer, function[0], in_type or len(function[0]) > 1, code[0], code[-1])


def definitions(text):
    """The functions that C++ source defines. Raises ValueError if its brackets do not match."""
    return Reader(text).read()


def without_arguments(name):
    """`Channel<T>::send(T&&)` as `Channel::send`."""
    if "operator" not in name:
        name = re.sub(r"\([^()]*\)(?:\s*const)?$", "", name)
        while re.search(r"<[^<>]*>", name):
            name = re.sub(r"<[^<>]*>", "", name)
    elif not name.endswith("operator()"):
        name = re.sub(r"(operator.+?)\(\)$", r"\1", name)
    return name.strip()


def ends_with(qualified, name):
    """Whether `name`, which may leave outer scopes out, can mean the function `qualified`."""
    qualified, name = qualified.replace(" ", ""), name.replace(" ", "")
    return qualified == name or qualified.endswith("::" + name)

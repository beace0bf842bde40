"""Finds SQL that is not static text, as a type checker that knows `LiteralString` would.

An argument for a parameter or field of the type `Sql` or `LiteralString`, and any argument of
psycopg2's `SQL(...)` or `cursor.execute(...)`, must be one of these: a literal, a name or field of
such a type, a constant made of literals, or `Composed`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

STATIC_TYPES = ("LiteralString", "Composed", "Prepared", "Sql")
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Declared:
    """What all modules declare. A private name counts in its own module, as `path:name`."""

    #: By function or class: its parameters that take static text, and their positions.
    parameters: dict[str, dict[str, int]] = field(
        default_factory=lambda: {"SQL": {"string": 0}, "cursor.execute": {"query": 0}}
    )
    #: Functions that return static text.
    functions: set[str] = field(default_factory=lambda: {"SQL"})
    #: Fields of classes and constants of modules that are static text, or dicts of it.
    names: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class Module:
    path: str
    tree: ast.Module

    def key(self, name: str) -> str:
        last = name.rpartition(".")[2]
        return f"{self.path}:{last}" if last.startswith("_") else last


@dataclass(frozen=True)
class Scope:
    module: Module
    declared: Declared
    #: What is assigned to each name.
    values: Mapping[str, list[ast.expr]]
    #: Names that are declared to be static text, or dicts of it.
    static: frozenset[str]
    parameters: frozenset[str]


def find_dynamic_sql(sources: Mapping[str, str]) -> list[str]:
    """`path:line` of each place in `sources` (by path) where SQL is put together at run time."""
    modules = [Module(path, ast.parse(source)) for path, source in sources.items()]
    declared = Declared()
    for module in modules:
        _declare(module, declared)
    return [
        f"{module.path}:{line}" for module in modules for line in _dynamic_lines(module, declared)
    ]


def _declare(module: Module, declared: Declared) -> None:
    for node in ast.walk(module.tree):
        if isinstance(node, Function):
            key = module.key(node.name)
            static = {arg.arg: at for at, arg in enumerate(_args(node)) if _is_typed(arg)}
            declared.parameters.setdefault(key, {}).update(static)
            if _is_static(node.returns):
                declared.functions.add(key)
        elif isinstance(node, ast.ClassDef | ast.Module):
            fields = [member for member in node.body if isinstance(member, ast.AnnAssign)]
            static = {
                ast.unparse(member.target): at
                for at, member in enumerate(fields)
                if _is_typed(member)
            }
            declared.names.update(static)
            if isinstance(node, ast.ClassDef):
                declared.parameters.setdefault(module.key(node.name), {}).update(static)


def _dynamic_lines(module: Module, declared: Declared) -> Iterator[int]:
    functions = [node for node in ast.walk(module.tree) if isinstance(node, Function)]
    inside = {id(node) for function in functions for node in ast.walk(function)}
    outer = _scope(module, declared, module.tree.body, [])
    yield from _check((n for n in ast.walk(module.tree) if id(n) not in inside), outer)
    for function in functions:
        function_scope = _scope(module, declared, function.body, _args(function))
        hidden = function_scope.parameters | function_scope.values.keys()
        values = {name: value for name, value in outer.values.items() if name not in hidden}
        scope = Scope(
            module=module,
            declared=declared,
            values=values | dict(function_scope.values),
            static=function_scope.static | (outer.static - hidden),
            parameters=function_scope.parameters,
        )
        yield from _check(ast.walk(function), scope)


def _scope(
    module: Module, declared: Declared, body: Iterable[ast.stmt], args: list[ast.arg]
) -> Scope:
    values: dict[str, list[ast.expr]] = {}
    static = {arg.arg for arg in args if _is_typed(arg)}
    nodes = [node for statement in body for node in _walk_scope(statement)]
    for node in nodes:
        if isinstance(node, ast.AnnAssign) and _is_typed(node):
            static.add(ast.unparse(node.target))
        elif isinstance(node, ast.Assign | ast.AugAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                values.setdefault(ast.unparse(target), []).append(node.value)
        elif isinstance(node, ast.For | ast.comprehension):
            looped = ast.unparse(node.iter).removesuffix(".items()")
            if looped in static | declared.names:
                static |= {name.id for name in ast.walk(node.target) if isinstance(name, ast.Name)}
    parameters = frozenset(arg.arg for arg in args)
    return Scope(module, declared, values, frozenset(static), parameters)


def _walk_scope(node: ast.AST) -> Iterator[ast.AST]:
    """`node` and what is below it, but for the bodies of functions and classes."""
    yield node
    if not isinstance(node, Function | ast.ClassDef):
        for child in ast.iter_child_nodes(node):
            yield from _walk_scope(child)


def _check(nodes: Iterable[ast.AST], scope: Scope) -> Iterator[int]:
    known = scope.declared.parameters
    for node in nodes:
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            static = known.get(called) or known.get(scope.module.key(called), {})
            arguments = [node.args[at] for at in static.values() if at < len(node.args)]
            arguments += [argument.value for argument in node.keywords if argument.arg in static]
            yield from (argument.lineno for argument in arguments if not _is_text(argument, scope))


def _is_text(node: ast.expr, scope: Scope) -> bool:
    """Whether the expression can only be text that stands in the source, or composed of such."""
    match node:
        case ast.Constant(value=str()):
            return True
        case ast.Name(id=name) if name in scope.static:
            return True
        case ast.Name(id=name) if name in scope.values:
            inner = replace(scope, static=scope.static | {name})  # it may be assigned from itself
            return all(_is_text(value, inner) for value in scope.values[name])
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in scope.declared.names and name not in scope.parameters
        case ast.BinOp(left=left, op=ast.Add() | ast.BitOr(), right=right):
            return _is_text(left, scope) and _is_text(right, scope)
        case ast.IfExp(body=body, orelse=otherwise):
            return _is_text(body, scope) and _is_text(otherwise, scope)
        case ast.Call(func=ast.Attribute(value=ast.Call() as composable, attr="format" | "join")):
            return _is_text(composable, scope)
        case ast.Call(func=function):
            return scope.module.key(ast.unparse(function)) in scope.declared.functions
    return False


def _args(function: Function) -> list[ast.arg]:
    return [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]


def _is_typed(node: ast.arg | ast.AnnAssign) -> bool:
    return _is_static(node.annotation)


def _is_static(annotation: ast.expr | None) -> bool:
    return annotation is not None and any(
        isinstance(node, ast.Name) and node.id in STATIC_TYPES for node in ast.walk(annotation)
    )

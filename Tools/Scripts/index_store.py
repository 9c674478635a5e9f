"""Reads the index store that the compiler writes: which declarations there are, and which ones each one uses.

The functions are those of `indexstore/indexstore.h` in the toolchain.
"""

import ctypes
from collections import defaultdict
from pathlib import Path

REFERENCE, IMPLICIT = 1 << 2, 1 << 8
DEFINITIONS = 0b11
CHILD, BASE, OVERRIDE, CALLED, EXTENDED, ACCESSOR, CONTAINED = (1 << bit for bit in (9, 10, 11, 13, 14, 15, 16))
RECORD = 2


class Text(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.bytes, self.length).decode()


Visitor = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)
TextVisitor = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, Text)


class Occurrence:
    """A place in a source file that declares or uses something."""

    def __init__(self, symbol, roles, line, relations):
        self.symbol, self.roles, self.line, self.relations = symbol, roles, line, relations


class Symbol:
    def __init__(self, identifier, name, kind):
        self.identifier, self.name, self.kind = identifier, name, kind


class IndexStore:
    def __init__(self, library, path):
        self._library = ctypes.CDLL(str(library))
        pointer = ctypes.c_void_p
        for name, result, *arguments in [
            ("store_create", pointer, ctypes.c_char_p, pointer),
            ("store_units_apply_f", ctypes.c_bool, pointer, ctypes.c_uint, pointer, TextVisitor),
            ("unit_reader_create", pointer, pointer, ctypes.c_char_p, pointer),
            ("unit_reader_dispose", None, pointer),
            ("unit_reader_get_main_file", Text, pointer),
            ("unit_reader_get_modification_time", None, pointer, pointer, pointer),
            ("unit_reader_dependencies_apply_f", ctypes.c_bool, pointer, pointer, Visitor),
            ("unit_dependency_get_kind", ctypes.c_int, pointer),
            ("unit_dependency_get_filepath", Text, pointer),
            ("unit_dependency_get_name", Text, pointer),
            ("record_reader_create", pointer, pointer, ctypes.c_char_p, pointer),
            ("record_reader_dispose", None, pointer),
            ("record_reader_occurrences_apply_f", ctypes.c_bool, pointer, pointer, Visitor),
            ("occurrence_get_symbol", pointer, pointer),
            ("occurrence_get_roles", ctypes.c_uint64, pointer),
            ("occurrence_get_line_col", None, pointer, pointer, pointer),
            ("occurrence_relations_apply_f", ctypes.c_bool, pointer, pointer, Visitor),
            ("symbol_relation_get_symbol", pointer, pointer),
            ("symbol_relation_get_roles", ctypes.c_uint64, pointer),
            ("symbol_get_usr", Text, pointer),
            ("symbol_get_name", Text, pointer),
            ("symbol_get_kind", ctypes.c_int, pointer),
        ]:
            function = getattr(self._library, f"indexstore_{name}")
            function.restype, function.argtypes = result, arguments
            setattr(self, f"_{name}", function)
        self._store = self._store_create(str(path).encode(), None)
        if not self._store:
            raise FileNotFoundError(path)

    def records(self):
        """The newest record of each source file, and when it was compiled, by the path of the file."""
        names, found = [], {}
        self._store_units_apply_f(self._store, 1, None, TextVisitor(lambda _, name: names.append(str(name)) or True))
        for name in names:
            reader = self._unit_reader_create(self._store, name.encode(), None)
            if not reader:
                continue
            main = str(self._unit_reader_get_main_file(reader))
            seconds, nanoseconds = ctypes.c_int64(), ctypes.c_int64()
            self._unit_reader_get_modification_time(reader, ctypes.byref(seconds), ctypes.byref(nanoseconds))
            time = seconds.value + nanoseconds.value / 1e9

            def visit(_, dependency, main=main, time=time):
                if self._unit_dependency_get_kind(dependency) == RECORD:
                    is_main = str(self._unit_dependency_get_filepath(dependency)) == main
                    if is_main and time > found.get(main, ("", 0))[1]:
                        found[main] = (str(self._unit_dependency_get_name(dependency)), time)
                return True

            self._unit_reader_dependencies_apply_f(reader, None, Visitor(visit))
            self._unit_reader_dispose(reader)
        return found

    def occurrences(self, record):
        """Everything that is declared and used in a source file."""
        reader = self._record_reader_create(self._store, record.encode(), None)
        symbols, found = {}, []
        line, column = ctypes.c_uint(), ctypes.c_uint()

        def symbol(pointer):
            if pointer not in symbols:
                symbols[pointer] = Symbol(
                    str(self._symbol_get_usr(pointer)), str(self._symbol_get_name(pointer)),
                    self._symbol_get_kind(pointer),
                )
            return symbols[pointer]

        def visit(_, occurrence):
            relations = []

            def relate(_, relation):
                related = symbol(self._symbol_relation_get_symbol(relation))
                relations.append((self._symbol_relation_get_roles(relation), related.identifier))
                return True

            self._occurrence_relations_apply_f(occurrence, None, Visitor(relate))
            self._occurrence_get_line_col(occurrence, ctypes.byref(line), ctypes.byref(column))
            found.append(Occurrence(
                symbol(self._occurrence_get_symbol(occurrence)), self._occurrence_get_roles(occurrence),
                line.value, relations,
            ))
            return True

        self._record_reader_occurrences_apply_f(reader, None, Visitor(visit))
        self._record_reader_dispose(reader)
        return found


class Graph:
    """Which declarations each declaration uses."""

    def __init__(self):
        self.uses = defaultdict(set)
        # The declarations of each file, with their lines.
        self.declared = defaultdict(list)

    def add(self, path, occurrences):
        for each in occurrences:
            identifier = each.symbol.identifier
            parents = {other for roles, other in each.relations if roles & (CHILD | CONTAINED)}
            for roles, other in each.relations:
                if roles & ACCESSOR:
                    self.uses[identifier].add(other)
                    self.uses[other].add(identifier)
                if roles & OVERRIDE:
                    # Who calls the requirement may call its implementation, and so may other libraries.
                    for user in {other, *parents}:
                        self.uses[user].add(identifier)
            if each.roles & DEFINITIONS:
                self.uses[identifier] |= parents
                if not each.roles & IMPLICIT:
                    self.declared[path].append((each.symbol, each.line))
            if each.roles & REFERENCE:
                users = [other for roles, other in each.relations if roles & (CALLED | CONTAINED | BASE | EXTENDED)]
                for user in users or [path]:
                    self.uses[user].add(identifier)

    def reached(self, roots):
        found, waiting = set(), list(roots)
        while waiting:
            each = waiting.pop()
            if each not in found:
                found.add(each)
                waiting += self.uses[each]
        return found

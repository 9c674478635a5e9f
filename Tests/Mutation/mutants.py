"""Generates mutants of Swift source files: variants in which one line is wrong."""

import re
from dataclasses import dataclass

# An operator between spaces. Without spaces, it could be a generic argument or a sign.
OPERATORS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">",
    "==": "!=", "!=": "==", "&&": "||", "||": "&&",
    "+": "-", "-": "+", "+=": "-=", "-=": "+=",
}
OPERATOR = re.compile(r"(?<= )(" + "|".join(
    re.escape(op) for op in sorted(OPERATORS, key=len, reverse=True)) + r")(?= )")
RANGE = re.compile(r"(?<=[\w)])(\.\.<|\.\.\.)(?=[\w(])")
BOOLEAN = re.compile(r"\b(true|false)\b")
LIMIT = re.compile(r"(?<![\w.])(?:Swift\.)?(min|max)\(")
CONDITION = re.compile(r"^\s*(?:\} else )?(?:guard|if|while) (.+?) (?:else )?\{")
# A statement that is only a call or only an assignment. Assignments like `self.x = x` are excluded,
# because an initializer does not compile without them.
CALL = re.compile(r"^\s*(?:_ = )?(?:try\??\s+)?(?:await\s+)?(?!\.?[A-Z])[\w.\[\]?]+\(.*\)$")
ASSIGNMENT = re.compile(r"^\s*(?!self\.(\w+) = \1$)(?!let |var |case |static |public |private )[\w.\[\]?]+ [-+]?= \S.*$")
NO_STATEMENT = re.compile(
    r"^\s*(return|throw|guard|if|while|for|switch|case|let|var|func|init|precondition|self\.init|"
    r"super\.init|defer|repeat|public|private|static|mutating|import|typealias|extension|@|#)\b"
    r"|^\s*[@#.]")
CONTINUED = re.compile(r"([=(,\[:?+\-*/&|<>]|\breturn|\belse)$")
# The start of a body whose only line may be an implicit return.
IMPLICIT_RETURN = re.compile(r"(->.*|\bvar \w+: .*|[^)] in|\bin|= *)\{?$")


@dataclass(frozen=True)
class Mutant:
    path: str
    line: int  # counted from 1
    before: str
    after: str

    @property
    def key(self):
        """Identifies the mutant, even if its line moves."""
        return (self.path, self.before.strip(), self.after.strip())

    @property
    def package(self):
        return self.path.split("/")[1]


def masked(line):
    """The line with the text of strings and comments replaced, so that all columns stay the same."""
    line = re.sub(r'#?"(?:\\.|[^"\\])*"#?', lambda m: '"' + "_" * (len(m[0]) - 2) + '"', line)
    return re.sub(r"//.*$", lambda m: " " * len(m[0]), line)


def end_of_argument(code, start):
    """The index of the comma or bracket after the argument at `start`; None if the line has none."""
    depth = 0
    for index in range(start, len(code)):
        if code[index] in "([{":
            depth += 1
        elif code[index] in ")]}":
            if depth == 0:
                return index
            depth -= 1
        elif code[index] == "," and depth == 0:
            return index
    return None


def without_limits(line, code):
    for match in LIMIT.finditer(code):
        comma = end_of_argument(code, match.end())
        if comma is None or code[comma] != ",":
            continue
        end = end_of_argument(code, comma + 1)
        if end is None or code[end] != ")":
            continue
        for argument in (line[match.end():comma], line[comma + 1:end].strip()):
            yield f"{line[:match.start()]}({argument}){line[end + 1:]}"


def with_swapped_branches(line, code):
    for match in re.finditer(r" \? ", code):
        colon = code.find(" : ", match.end())
        if colon < 0 or " ? " in code[match.end():colon]:
            continue
        end = end_of_argument(code, colon + 3)
        end = len(code.rstrip()) if end is None else end
        while end > colon and code[end - 1] == " ":
            end -= 1
        first, second = line[match.end():colon], line[colon + 3:end]
        yield f"{line[:match.end()]}{second} : {first}{line[end:]}"


def variants(line, previous):
    """All mutations of one line of code."""
    code = masked(line)
    for pattern, other in (
        (OPERATOR, OPERATORS.get),
        (RANGE, {"..<": "...", "...": "..<"}.get),
        (BOOLEAN, {"true": "false", "false": "true"}.get),
    ):
        for match in pattern.finditer(code):
            yield line[:match.start()] + other(match[0]) + line[match.end():]
    yield from without_limits(line, code)
    yield from with_swapped_branches(line, code)
    condition = CONDITION.match(code)
    if condition and not re.search(r"\b(let|var|case)\b|,|#available", condition[1]):
        start, end = condition.span(1)
        yield f"{line[:start]}!({line[start:end]}){line[end:]}"
    is_statement = not (NO_STATEMENT.match(code) or CONTINUED.search(previous.rstrip())
                        or IMPLICIT_RETURN.search(previous.rstrip()))
    is_balanced = all(code.count(a) == code.count(b) for a, b in ("()", "[]", "{}"))
    if is_statement and is_balanced and (CALL.match(code) or ASSIGNMENT.match(code)):
        yield ""


def mutants_of(path, text):
    """All mutants of one file, without repetitions of the same line."""
    mutants = {}
    previous, in_text = "", False
    for number, line in enumerate(text.splitlines(), 1):
        was_text, in_text = in_text, in_text ^ (line.count('"""') % 2 == 1)
        code = masked(line)
        if was_text or in_text or not code.strip() or code.strip().startswith("import "):
            continue
        for after in variants(line, previous):
            mutant = Mutant(path, number, line, after)
            mutants.setdefault(mutant.key, mutant)
        previous = code
    return list(mutants.values())

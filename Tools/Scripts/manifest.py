#!/usr/bin/env python3
"""Writes the root Package.swift from the manifests of the packages, or checks that it is current.

Usage: manifest.py [--check] SCRATCH PACKAGE...

The result omits test targets, targets that only tests need, and the products of system libraries, which
only other packages of this repository use. Anything in a manifest that this
script does not support is an error, so that nothing is lost silently. The names of targets that are
not products must begin with NovaBlend, so that they do not collide with a consumer's targets.
"""

import json
import os
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OUTPUT = ROOT / "Package.swift"
HEADER = """\
// swift-tools-version: 6.2
// Generated from the packages' manifests: edit those, then run `make manifest`.
import PackageDescription
"""
FACTORIES = {"regular": "target", "executable": "executableTarget", "system": "systemLibrary"}
TARGET_KEYS = {
    "dependencies", "exclude", "name", "packageAccess", "path", "pkgConfig", "providers",
    "resources", "settings", "type",
}


def evaluate(scratch, package):
    """The manifest of a package as SwiftPM evaluates it."""
    command = [
        os.environ.get("SWIFT", "swift"), "package", "dump-package",
        "--package-path", ROOT / package, "--scratch-path", Path(scratch) / Path(package).name,
    ]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def dump(scratch, package):
    """The manifest of a package without its tests. Paths of targets are relative to the root."""
    manifest = evaluate(scratch, package)
    targets = [target for target in manifest["targets"] if target["type"] != "test"]
    for target in targets:
        unknown = set(target) - TARGET_KEYS
        if unknown or target["exclude"]:
            names = ", ".join(sorted(unknown)) or "exclude"
            sys.exit(f"{package}: target {target['name']} uses {names}, which the root manifest cannot have")
        if target["type"] == "system" and not target.get("providers"):
            sys.exit(f"{package}: target {target['name']} names no Debian package")
        target["path"] = f"{package}/{target.get('path') or 'Sources/' + target['name']}"
    return manifest | {"targets": targets}


def quoted(names):
    return ", ".join(f'"{name}"' for name in names)


def call(name, arguments, indent):
    """A call on one line if it fits, otherwise with one argument per line."""
    line = f"{indent}.{name}({', '.join(arguments)}),"
    if len(line) <= 100 and "\n" not in line:
        return line
    lines = ",\n".join(f"{indent}    {argument}" for argument in arguments)
    return f"{indent}.{name}(\n{lines}\n{indent}),"


def setting(kind):
    ((name, value),) = kind.items()
    return f'.{name}("{value["_0"]}")'


def resource(each):
    """A resource that is compiled in: others would need a bundle next to the program."""
    if list(each["rule"]) != ["embedInCode"]:
        sys.exit(f"resource {each['path']} must use embedInCode, the only rule that the root manifest can have")
    return f'.embedInCode("{each["path"]}")'


def settings_by_tool(target):
    tools = {}
    for each in target["settings"]:
        tools.setdefault(each["tool"], []).append(setting(each["kind"]))
    return tools


def dependency_names(target, described, products):
    """The targets that a target depends on. Products of other packages become their targets."""
    names = []
    for dependency in described:
        ((kind, (name, *details)),) = dependency.items()
        if any(details[1:] if kind == "product" else details):
            sys.exit(f"{target}: the dependency {name} has a condition or an alias")
        names += products.get(name, [name])
    return list(dict.fromkeys(names))


def dependencies(target, products):
    return dependency_names(target["name"], target["dependencies"], products)


def product(each):
    ((kind, details),) = each["type"].items()
    if details not in (None, ["automatic"]) or each["settings"]:
        sys.exit(f"product {each['name']} has a type or settings, which the root manifest cannot have")
    return call(kind, [f'name: "{each["name"]}"', f"targets: [{quoted(each['targets'])}]"], " " * 8)


def target(each, products, swift_settings):
    arguments = [f'name: "{each["name"]}"']
    if names := quoted(dependencies(each, products)):
        line = f"dependencies: [{names}]"
        # The line has an indentation of 12, and a comma. swift-format breaks a list that would end in the
        # last column.
        if len(line) >= 100 - 13:
            line = "dependencies: [\n" + textwrap.indent(
                textwrap.fill(names, 83) + ",\n", " " * 16
            ) + " " * 12 + "]"
        arguments.append(line)
    arguments.append(f'path: "{each["path"]}"')
    if each.get("pkgConfig"):
        arguments.append(f'pkgConfig: "{each["pkgConfig"]}"')
    if each.get("providers"):
        providers = [
            f".{kind}([{quoted(names)}])"
            for provider in each["providers"]
            for kind, (names,) in provider.items()
        ]
        arguments.append(f"providers: [{', '.join(providers)}]")
    if resources := each.get("resources"):
        arguments.append(f"resources: [{', '.join(map(resource, resources))}]")
    for tool, found in settings_by_tool(each).items():
        added = [each for each in found if each not in swift_settings]
        if found == swift_settings:
            written = "settings"
        elif found == swift_settings + added:
            written = f"settings + [{', '.join(added)}]"
        else:
            written = f"[{', '.join(found)}]"
        arguments.append(f"{tool}Settings: {written}")
    return call(FACTORIES[each["type"]], arguments, " " * 8)


def every(manifests, key):
    return [each for manifest in manifests for each in manifest[key]]


def reachable(manifests, products):
    """The targets that any product needs, in the order of the manifests."""
    targets = {each["name"]: each for each in every(manifests, "targets")}
    found = set()
    waiting = [name for names in products.values() for name in names]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += dependencies(targets[name], products)
    return [each for name, each in targets.items() if name in found]


def render(manifests):
    products = {each["name"]: each["targets"] for each in every(manifests, "products")}
    targets = reachable(manifests, products)
    for each in targets:
        if each["name"] not in products and not each["name"].startswith("NovaBlend"):
            sys.exit(f"{each['name']} is not a product: its name must begin with NovaBlend")
    swift_settings = next(
        tools["swift"] for tools in map(settings_by_tool, targets) if "swift" in tools
    )
    standards = {each["cxxLanguageStandard"] for each in manifests} - {None}
    if len(standards) > 1 or any(each["cLanguageStandard"] for each in manifests):
        sys.exit("the packages' language standards differ")
    lines = [HEADER, "let settings: [SwiftSetting] = ["]
    lines += [f"    {each}," for each in swift_settings]
    lines += ["]", "", "let package = Package(", '    name: "NovaBlend",', "    products: ["]
    systems = {each["name"] for each in targets if each["type"] == "system"}
    lines += [
        product(each)
        for each in every(manifests, "products")
        if not systems.issuperset(each["targets"])
    ]
    lines += ["    ],", "    targets: ["]
    lines += [target(each, products, swift_settings) for each in targets]
    lines += ["    ]" + "".join(
        f",\n    cxxLanguageStandard: .{each.replace('c++', 'cxx')}" for each in standards
    ), ")", ""]
    return "\n".join(lines)


def main(arguments):
    check = arguments[0] == "--check"
    scratch, *packages = arguments[check:]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        text = render(list(pool.map(lambda package: dump(scratch, package), packages)))
    if not check:
        OUTPUT.write_text(text)
    elif not OUTPUT.exists() or OUTPUT.read_text() != text:
        sys.exit("Package.swift does not match the packages' manifests: run `make manifest`")


if __name__ == "__main__":
    main(sys.argv[1:])

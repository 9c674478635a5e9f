"""The bill of materials of all artifacts, in the format SPDX 2.3."""

import hashlib
import json
import os
import re

import registry
from components import Component, query
from licenses import STATIC
from release import ROOT

DOCUMENT, PROGRAMS, SWIFT = "SPDXRef-DOCUMENT", "SPDXRef-novablend", "SPDXRef-swift"
AUTHORS = "Organization: The NovaBlend authors"


def make(release, contents, dist):
    """Writes the bill of materials. `contents` has Debian's packages in artifacts, by the end of an artifact's name."""
    static = [Component.named(package) for package in STATIC.values()]
    components, packages = set(static), []
    relations = [(PROGRAMS, "STATIC_LINK", part) for part in [SWIFT, *map(identifier, static)]]
    for path in sorted(path for path in dist.iterdir() if path.name != "server.json"):
        packages.append(artifact(path, release))
        included = next((contents[end] for end in contents if path.name.endswith(end)), [])
        components |= set(included)
        name = packages[-1]["SPDXID"]
        relations.append((DOCUMENT, "DESCRIBES", name))
        relations += [(name, "CONTAINS", part) for part in [PROGRAMS, *map(identifier, included)]]
    document = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": DOCUMENT,
        "name": f"novablend-{release.version}",
        "documentNamespace": f"{registry.HOME}/spdx/{release.version}-{release.commit}",
        "creationInfo": {"created": release.date, "creators": [AUTHORS]},
        "packages": [*packages, programs(release), swift(), *map(described, sorted(components))],
        "relationships": [
            {"spdxElementId": source, "relationshipType": kind, "relatedSpdxElement": target}
            for source, kind, target in relations
        ],
        "hasExtractedLicensingInfos": [public_domain()],
    }
    (dist / f"novablend-{release.version}.spdx.json").write_text(json.dumps(document, indent=2) + "\n")


def package(name, reference, version, license, **members):
    return {
        "name": name,
        "SPDXID": reference,
        "versionInfo": version,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": license,
        "licenseDeclared": license,
        "copyrightText": "NOASSERTION",
    } | members


def artifact(path, release):
    checksum = {"algorithm": "SHA256", "checksumValue": hashlib.sha256(path.read_bytes()).hexdigest()}
    return package(
        path.name,
        "SPDXRef-file-" + re.sub("[^A-Za-z0-9.-]", "-", path.name),
        release.version,
        # Its parts have different licenses.
        "NOASSERTION",
        packageFileName=path.name,
        checksums=[checksum],
        supplier=AUTHORS,
    )


def programs(release):
    return package(
        "novablend",
        PROGRAMS,
        release.version,
        "MIT",
        downloadLocation=f"git+{registry.HOME}.git@{release.commit}",
        copyrightText=re.search("Copyright.*", (ROOT / "LICENSE").read_text())[0],
        supplier=AUTHORS,
    )


def swift():
    """The standard library and the runtime of the compiler that built the programs."""
    version = re.search(r"Swift version (\S+)", query(os.environ.get("SWIFT", "swift"), "--version"))[1]
    return package("swift", SWIFT, version, "Apache-2.0 WITH Swift-exception", supplier="Organization: Swift project")


def identifier(component):
    return "SPDXRef-debian-" + re.sub("[^A-Za-z0-9.-]", "-", component.package)


def described(component):
    version = component.version.replace(":", "%3A").replace("+", "%2B")
    locator = f"pkg:deb/debian/{component.package}@{version}?arch=amd64"
    reference = {
        "referenceCategory": "PACKAGE-MANAGER",
        "referenceType": "purl",
        "referenceLocator": locator,
    }
    return package(
        component.package,
        identifier(component),
        component.version,
        component.license,
        supplier="Organization: Debian",
        externalRefs=[reference],
    )


def public_domain():
    notice = Component.named("tzdata").notice.decode()
    return {"licenseId": "LicenseRef-public-domain", "name": "Public domain", "extractedText": notice}

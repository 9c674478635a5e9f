import hashlib
import io
import json
import subprocess
import tarfile
import zipfile

import pytest
from spdx_tools.spdx.parser.parse_anything import parse_file
from spdx_tools.spdx.validation.document_validator import validate_full_spdx_document


@pytest.fixture
def path(dist, version):
    return dist / f"novablend-{version}.spdx.json"


@pytest.fixture
def document(path):
    return json.loads(path.read_text())


@pytest.fixture
def packages(document):
    return {package["name"]: package for package in document["packages"]}


def test_it_is_valid(path):
    assert validate_full_spdx_document(parse_file(str(path))) == []


def test_it_has_the_digest_of_every_artifact(dist, packages, path):
    for file in dist.iterdir():
        if file.name not in {path.name, "server.json", "SHA256SUMS"}:
            [checksum] = packages[file.name]["checksums"]
            assert checksum["checksumValue"] == hashlib.sha256(file.read_bytes()).hexdigest()


@pytest.mark.parametrize("end", [".whl", ".tar.zst", "-image.tar"])
def test_it_names_the_package_of_every_library(dist, document, packages, end):
    [file] = dist.glob(f"*{end}")
    identifiers = {package["SPDXID"]: package["name"] for package in document["packages"]}
    contained = {
        identifiers[relation["relatedSpdxElement"]]
        for relation in document["relationships"]
        if relation["relationshipType"] == "CONTAINS" and relation["spdxElementId"] == packages[file.name]["SPDXID"]
    }
    libraries = {name.split("/")[-1] for name in names(file) if ".so." in name}
    assert len(libraries) > 10
    owners = {owner(name) for name in libraries}
    assert owners <= contained
    # The rest of the image is certificates and time zones.
    assert contained - owners <= {"novablend", "ca-certificates", "tzdata"}


def names(file):
    if file.suffix == ".whl":
        return zipfile.ZipFile(file).namelist()
    if file.suffix == ".zst":
        return subprocess.run(["tar", "--zstd", "-tf", file], check=True, capture_output=True, text=True).stdout.split()
    with tarfile.open(file) as image:
        return tarfile.open(fileobj=io.BytesIO(image.extractfile("layer.tar").read())).getnames()


def owner(library):
    """The Debian package that has the library on this machine, where the artifacts were built."""
    command = ["dpkg-query", "--search", f"*/x86_64-linux-gnu/{library}"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split(":")[0]

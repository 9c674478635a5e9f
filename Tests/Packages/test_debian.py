"""The Debian packages in a fresh Debian 12: installation, upgrade, removal, and what can go wrong."""

import json
import re
import subprocess
import threading
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAMS = ["novablend", "novablend-backend"]
SYSTEMCTL = ROOT / "Tests/Clients/operations/systemctl.py"
DATA = "var/lib/novablend"
DEADLINE = 120


@pytest.fixture(scope="session")
def packages(dist):
    """The files of the packages, by name."""
    return {file.name.split("_")[0]: file for file in dist.glob("*.deb")}


@pytest.fixture(scope="session")
def older(packages, tmp_path_factory):
    """Copies of the packages with a lower version."""
    directory = tmp_path_factory.mktemp("older")
    files = {}
    for name in PROGRAMS:
        content = directory / name
        subprocess.run(["dpkg-deb", "--raw-extract", packages[name], content], check=True)
        control = content / "DEBIAN/control"
        control.write_text(re.sub("(?m)^Version: .*$", "Version: 0.0.1", control.read_text()))
        files[name] = directory / f"{name}_0.0.1_amd64.deb"
        command = ["dpkg-deb", "--root-owner-group", "--build", content, files[name]]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return files


@pytest.fixture
def system(debian, packages):
    """A Debian 12 with what the packages depend on, but without them."""
    return debian(packages=dependencies(packages))


def dependencies(packages):
    names = {"python3", "bash-completion", "man-db", "gdb-minimal", "libpq5"}
    for name in PROGRAMS:
        fields = subprocess.run(
            ["dpkg-deb", "--field", packages[name], "Depends"], check=True, capture_output=True, text=True
        ).stdout
        names |= {re.split(r"[ (|]", part.strip())[0] for part in fields.split(",")}
    return sorted(names)


def install(system, files, check=True):
    for file in files.values():
        system.copy(file, f"/root/{file.name}")
    paths = [f"/root/{file.name}" for file in files.values()]
    result = system.run("dpkg", "--install", *paths, environment={"DEBIAN_FRONTEND": "noninteractive"})
    assert not check or result.returncode == 0, result.stderr
    return result


def both(packages):
    return {name: packages[name] for name in PROGRAMS}


def dpkg(system, *words, **options):
    environment = {"DEBIAN_FRONTEND": "noninteractive"}
    return system.output("dpkg", *words, environment=environment, **options)


def test_lintian_finds_nothing(packages):
    result = subprocess.run(
        ["lintian", "--fail-on=error,warning", *packages.values()],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert (result.returncode, result.stdout) == (0, "")


def test_every_override_states_its_reason(packages):
    for file in (ROOT / "Tools/Packaging/debian").glob("*.lintian-overrides"):
        lines = file.read_text().splitlines()
        for number, line in enumerate(lines):
            assert line.startswith("#") or lines[number - 1].startswith("#"), f"{file.name}:{number + 1}"


def test_the_session_of_the_readme_works(system, packages):
    install(system, both(packages))
    [session] = re.findall(r"(?ms)^A session in a terminal:\n\n```console\n(.*?)^```", (ROOT / "README.md").read_text())
    commands = [line[2:].replace("bin/", "") for line in session.splitlines() if line.startswith("$ ")]
    commands.insert(1, "until novablend-backend health 2>/dev/null; do :; done")
    output = system.output("bash", "-e", "-m", "-c", "\n".join(commands), environment={"TZ": "UTC"})
    assert "Night Owl Barbers  3 Temple Bar, Dublin" in output
    assert "\nBooked\n" in output
    assert re.search(r"T20:00:00\S+ +20:30 +Night Owl Barbers +booked +\+353 1 5550199", output)


def test_manual_pages_completions_and_versions(system, packages, version):
    install(system, both(packages))
    for program in PROGRAMS:
        assert system.output("man", "--where", program).endswith(f"/{program}.1.gz\n")
        loaded = f"source /usr/share/bash-completion/bash_completion; _completion_loader {program}; complete -p {program}"
        assert "-F" in system.output("bash", "-c", loaded)
        assert system.output(program, "--version").startswith(f"{program} {version} (")
    found = json.loads(system.output("novablend", "doctor", "--json"))["checks"]
    [program] = [check["found"] for check in found if check["check"] == "program"]
    assert program.endswith(", Debian package, /usr/bin/novablend")


def test_a_debugger_finds_the_symbols(system, packages):
    install(system, packages)
    for program in PROGRAMS:
        output = system.output("gdb", "--batch", "-ex", "info line main", f"/usr/bin/{program}")
        assert 'of "' in output and "main.c" in output, output


def test_an_upgrade_keeps_a_changed_configuration(system, packages, older):
    install(system, older)
    configuration = system.path / "etc/novablend/backend.conf"
    configuration.write_text("port = 9000\n")
    install(system, both(packages))
    assert configuration.read_text() == "port = 9000\n"
    listed = dpkg(system, "--list", *PROGRAMS)
    assert "0.0.1" not in listed and listed.count("\nii ") == 2


def test_a_removal_keeps_data_and_configuration(system, packages):
    install(system, both(packages))
    assert (system.path / DATA).stat().st_mode & 0o777 == 0o700
    salon = "name,location,open_time,close_time\\nAda,Berlin,09:00,17:00\\n"
    system.output("sh", "-c", f"printf '{salon}' > /root/s.csv; novablend-backend salons import /root/s.csv")
    dpkg(system, "--remove", *PROGRAMS)
    assert not (system.path / "usr/bin/novablend-backend").exists()
    assert not (system.path / "usr/lib/novablend").exists()
    assert (system.path / "etc/novablend/backend.conf").exists()
    install(system, both(packages))
    assert "Ada" in system.output("novablend-backend", "salons", "export")


@pytest.mark.parametrize("answer", ["false", "true", None])
def test_a_purge_deletes_data_only_if_someone_agrees(system, packages, answer):
    install(system, both(packages))
    private = system.path / "var/lib/private/novablend"
    private.mkdir(parents=True)
    (private / "backend.sqlite").write_text("data")
    (system.path / DATA).rmdir()
    (system.path / DATA).symlink_to("private/novablend")
    if answer:
        line = f"novablend-backend novablend-backend/delete-data boolean {answer}"
        system.output("debconf-set-selections", input=line)
    dpkg(system, "--purge", *PROGRAMS)
    assert private.exists() == (system.path / DATA).is_symlink() == (answer != "true")
    assert not (system.path / "etc/novablend").exists()
    assert "delete-data" not in system.output("debconf-show", "novablend-backend")


def test_a_purge_deletes_an_empty_directory_without_a_question(system, packages):
    install(system, both(packages))
    dpkg(system, "--purge", *PROGRAMS)
    assert not (system.path / DATA).exists()


def test_a_full_disk_during_an_upgrade_leaves_the_older_programs(system, packages, older):
    install(system, older)
    for file in both(packages).values():
        system.copy(file, f"/root/{file.name}")
    with system.full_disk(free=4 << 20):
        result = install_copied(system, packages)
        assert result.returncode != 0
        assert "No space left on device" in result.stderr
    for program in PROGRAMS:
        assert system.run(program, "--version").returncode == 0
    listed = dpkg(system, "--list", *PROGRAMS)
    assert "0.0.1" in listed
    assert install_copied(system, packages).returncode == 0
    assert "0.0.1" not in dpkg(system, "--list", *PROGRAMS)


def install_copied(system, packages):
    paths = [f"/root/{file.name}" for file in both(packages).values()]
    return system.run("dpkg", "--install", *paths, environment={"DEBIAN_FRONTEND": "noninteractive"})


@pytest.mark.parametrize(
    "missing, check, words",
    [
        ("usr/lib/x86_64-linux-gnu/libcurl.so.4", "server", ["libcurl.so.4", "libcurl4"]),
        ("usr/share/zoneinfo", "zones", ["not found in /usr/share/zoneinfo", "apt install tzdata"]),
    ],
)
def test_the_doctor_names_what_is_missing(system, packages, missing, check, words):
    install(system, both(packages))
    system.output("rm", "-r", f"/{missing}")
    result = system.run("novablend", "doctor", "--json", "--base-url", "http://127.0.0.1:9")
    found = {entry["check"]: entry for entry in json.loads(result.stdout)["checks"]}
    assert result.returncode == 1 and found[check]["state"] == "fail"
    text = f"{found[check]['found']} {found[check].get('advice')}"
    assert all(word in text for word in words), text


def test_an_upgrade_while_the_backend_serves_bookings_loses_none(system, packages, older):
    (system.path / "usr/sbin/policy-rc.d").unlink()
    (system.path / "run/systemd/system").mkdir(parents=True)
    system.copy(SYSTEMCTL, "/usr/bin/systemctl")
    (system.path / "usr/bin/systemctl").chmod(0o755)
    install(system, older)
    bookings = Bookings(system)
    bookings.start()
    bookings.wait_for(20)
    before = backend_processes(system)
    install(system, both(packages))
    bookings.wait_for(bookings.count + 20)
    bookings.finish()
    assert backend_processes(system) != before
    assert bookings.most_attempts <= 2
    listed = json.loads(system.output("novablend", "appointments", "--json", *bookings.server))
    ids = {appointment["id"] for appointment in listed["appointments"]}
    assert ids == set(bookings.ids) and len(bookings.ids) == bookings.count


def backend_processes(system):
    return system.output("sh", "-c", "cat /run/novablend-backend.started")


class Bookings(threading.Thread):
    """Books one time after the other. An attempt that fails is repeated when the backend is ready again."""

    server = ["--base-url", "http://127.0.0.1:8080"]

    def __init__(self, system):
        super().__init__(daemon=True)
        self.ids, self.most_attempts = [], 0
        self._system = system
        self._changed = threading.Condition()
        self._is_finished = False
        self._error = None

    @property
    def count(self):
        return len(self.ids)

    def run(self):
        try:
            number = 0
            while not self._is_finished:
                self._book(number)
                number += 1
        except Exception as error:
            self._error = error
            with self._changed:
                self._changed.notify_all()

    def _book(self, number):
        # Half an hour each, from 19:00 to 22:00.
        day, slot = divmod(number, 6)
        date = datetime.now(timezone.utc).date() + timedelta(days=day + 2)
        time = f"{date} {19 + slot // 2}:{slot % 2 * 30:02}"
        words = ["novablend", "book", "Night Owl", time, "--phone", "+353 1 5550199"]
        words += ["--key", f"upgrade-{number:04}", "--json", *self.server]
        for attempt in range(1, 10):
            result = self._system.run(*words)
            if result.returncode == 0:
                break
            self._system.output("sh", "-c", "until novablend-backend health 2>/dev/null; do :; done")
        assert result.returncode == 0, result.stderr
        self.most_attempts = max(self.most_attempts, attempt)
        with self._changed:
            self.ids.append(json.loads(result.stdout)["appointment"]["id"])
            self._changed.notify_all()

    def wait_for(self, count):
        with self._changed:
            done = self._changed.wait_for(lambda: self._error or self.count >= count, DEADLINE)
        assert done and not self._error, self._error

    def finish(self):
        self._is_finished = True
        self.join(DEADLINE)
        assert not self._error, self._error

"""Fresh installations of Debian, in which tests install the packages. They need root."""

import hashlib
import os
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

# A mirror of Debian, if it is not the default one.
MIRROR = [os.environ["DEBIAN_MIRROR"]] if "DEBIAN_MIRROR" in os.environ else []
# How long a command may take on a busy machine, in seconds.
DEADLINE = 300
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
# Services of packages are not started: nothing but the tests starts processes in the root.
POLICY = "#!/bin/sh\nexit 101\n"


def debootstrapped(release, roots):
    """The path of a minimal installation of the release. Later runs use it again."""
    base = roots / release
    if not base.exists():
        new = roots / f"{release}.new"
        shutil.rmtree(new, ignore_errors=True)
        new.parent.mkdir(parents=True, exist_ok=True)
        command = ["debootstrap", "--variant=minbase", release, new, *MIRROR]
        log = new.with_suffix(".log")
        with log.open("w") as output:
            if subprocess.run(command, stdout=output, stderr=subprocess.STDOUT).returncode != 0:
                raise RuntimeError(f"debootstrap failed\n{log.read_text()}")
        policy = new / "usr/sbin/policy-rc.d"
        policy.write_text(POLICY)
        policy.chmod(0o755)
        new.rename(base)
    return base


def with_packages(base, packages):
    """The path of a copy of an installation that also has packages of Debian. Later runs use it again."""
    digest = hashlib.sha256(" ".join(packages).encode()).hexdigest()[:12]
    path = base.with_name(f"{base.name}-{digest}")
    if not path.exists():
        root = Root(base)
        try:
            root.install(*packages)
            new = path.with_name(f"{path.name}.new")
            shutil.rmtree(new, ignore_errors=True)
            root.save(new)
            new.rename(path)
        finally:
            root.stop()
    return path


class Root:
    """A copy of a directory tree, with its own processes and loopback addresses, that ends with `stop`.

    What is written goes to memory, and the tree stays as it is."""

    def __init__(self, base):
        self._layers = Path(tempfile.mkdtemp(prefix="root-"))
        unshare = "unshare --mount --net --pid --fork --kill-child sh -euc"
        self._holder = subprocess.Popen(
            [*unshare.split(), SETUP, "sh", str(base), str(self._layers)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self._holder.stdout.readline() == b"ready\n", "the root could not be mounted"
        children = Path(f"/proc/{self._holder.pid}/task/{self._holder.pid}/children").read_text()
        self._process = children.split()[0]
        # The path at which this process finds the files of the root.
        self.path = Path(f"/proc/{self._process}/root{self._layers}/root")

    def command(self, words, network=False, user=None, environment=None):
        """The words of a command for this process that runs `words` in the root.

        It has the network of this machine if `network` is set, and otherwise only loopback addresses.
        `user` has the form USER or UID:GID."""
        spaces = ["--mount", "--pid"] + ([] if network else ["--net"])
        variables = {"PATH": PATH, "HOME": "/root", "LANG": "C.UTF-8"} | (environment or {})
        return [
            "nsenter", f"--target={self._process}", *spaces,
            "chroot", *([f"--userspec={user}"] if user else []), f"{self._layers}/root",
            "env", "-i", *(f"{name}={value}" for name, value in variables.items()), *map(str, words),
        ]

    def run(self, *words, input=None, **options):
        """Runs a command, and returns its exit code, its output, and its errors as text."""
        return subprocess.run(
            self.command(words, **options),
            input=input,
            **({} if input is not None else {"stdin": subprocess.DEVNULL}),
            capture_output=True,
            text=True,
            timeout=DEADLINE,
        )

    def output(self, *words, **options):
        """The output of a command that must succeed."""
        result = self.run(*words, **options)
        assert result.returncode == 0, f"{words}\n{result.stdout}\n{result.stderr}"
        return result.stdout

    def start(self, *words, **options):
        """Starts a command whose input, output, and errors are pipes of text."""
        pipes = {name: subprocess.PIPE for name in ["stdin", "stdout", "stderr"]}
        return subprocess.Popen(self.command(words, **options), **pipes, text=True)

    def copy(self, source, target):
        """Copies a file or a directory of this machine to an absolute path in the root."""
        path = self.path / str(target).lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, path, symlinks=True, dirs_exist_ok=True)
        else:
            shutil.copy(source, path)

    def install(self, *packages):
        """Installs packages of Debian, which may be paths of files in the root that begin with `/`."""
        self.output("apt-get", "update", "-qq", network=True)
        self.output(
            "apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages,
            network=True,
            environment={"DEBIAN_FRONTEND": "noninteractive"},
        )

    def save(self, path):
        """Copies all files to a new directory of this machine."""
        command = ["cp", "--archive", "--one-file-system", f"{self._layers}/root", path]
        subprocess.run(["nsenter", f"--target={self._process}", "--mount", *command], check=True)

    @contextmanager
    def full_disk(self, free):
        """Leaves only `free` bytes for what is written."""
        used = int(self._mount("df", "--block-size=1", "--output=used", self._layers).split()[1])
        self._mount("mount", "-o", f"remount,size={used + free}", self._layers)
        try:
            yield
        finally:
            self._mount("mount", "-o", "remount,size=50%", self._layers)

    def _mount(self, *words):
        command = ["nsenter", f"--target={self._process}", "--mount", *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def stop(self):
        """Kills all processes in the root, and deletes what was written."""
        self._holder.stdin.close()
        self._holder.stdout.close()
        self._holder.wait(DEADLINE)
        self._layers.rmdir()


# The last command waits until the input is closed.
SETUP = """
base=$1; layers=$2; root=$layers/root
mount -t tmpfs tmpfs "$layers"
mkdir "$layers/upper" "$layers/work" "$root"
mount -t overlay overlay "$root" -o "lowerdir=$base,upperdir=$layers/upper,workdir=$layers/work"
mkdir -p "$root/proc" "$root/dev" "$root/tmp" "$root/etc"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
cat /etc/resolv.conf > "$root/etc/resolv.conf"
ip link set lo up
echo ready
cat
"""

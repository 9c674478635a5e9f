"""What the programs use in a root: PostgreSQL, and a proxy that adds TLS to the backend."""

import subprocess
from pathlib import Path

PACKAGES = ["ca-certificates", "curl", "postgresql", "python3-venv", "stunnel4", "tzdata"]
AUTHORITY = "/usr/local/share/ca-certificates/test.crt"
PASSWORD = "secret"
DATABASE = f"postgresql://salons@localhost/salons?sslmode=verify-full&sslrootcert={AUTHORITY}"
HTTPS = "https://localhost:8443"

PROXY = """
pid = /run/stunnel.pid
[backend]
accept = 127.0.0.1:8443
connect = 127.0.0.1:8080
cert = /etc/test/server.pem
key = /etc/test/server.key
"""

# Starts PostgreSQL with one database, and the proxy.
START = """
chmod 755 /etc/test
cat /etc/test/authority.pem > /usr/local/share/ca-certificates/test.crt
update-ca-certificates > /dev/null
install -o postgres -m 600 /etc/test/server.key /etc/test/postgres.key
version=$(ls /etc/postgresql)
cat >> /etc/postgresql/$version/main/postgresql.conf << end
ssl = on
ssl_cert_file = '/etc/test/server.pem'
ssl_key_file = '/etc/test/postgres.key'
fsync = off
end
pg_ctlcluster $version main start
runuser -u postgres -- psql -q -c "CREATE ROLE salons LOGIN PASSWORD 'secret'" -c "CREATE DATABASE salons OWNER salons"
stunnel /etc/test/proxy.conf 2> /dev/null
"""

CERTIFICATES = """
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=Test -keyout authority.key -out authority.pem
openssl req -newkey rsa:2048 -nodes -subj /CN=localhost -keyout server.key -out server.csr
echo subjectAltName=DNS:localhost > names
openssl x509 -req -days 2 -in server.csr -CA authority.pem -CAkey authority.key -CAcreateserial -extfile names \
    -out server.pem
"""


def start(root, directory: Path):
    """Installs and starts the services. Their certificates are created in a directory of this machine."""
    subprocess.run(["sh", "-ec", CERTIFICATES], cwd=directory, check=True, capture_output=True)
    (directory / "proxy.conf").write_text(PROXY)
    root.install(*PACKAGES)
    root.copy(directory, "/etc/test")
    root.output("sh", "-euc", START)


def forget(root):
    """Deletes everything in the database."""
    for statement in ["DROP DATABASE salons WITH (FORCE)", "CREATE DATABASE salons OWNER salons"]:
        root.output("runuser", "-u", "postgres", "--", "psql", "-q", "-c", statement)


def stored(root):
    """The number of appointments in the database."""
    query = "SELECT count(*) FROM appointments"
    return int(root.output("runuser", "-u", "postgres", "--", "psql", "-q", "-t", "-d", "salons", "-c", query))

"""The journals that a relay can have: a file of SQLite's, or a schema of a PostgreSQL server that runs as long as the tests do."""

import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path


class SQLite:
    name = "SQLite"

    @staticmethod
    def is_available():
        return True

    def __init__(self, folder):
        self.url = f"sqlite:{folder}/journal.sqlite"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


class Postgres:
    """A server of its own on loopback, in a temporary folder."""

    name = "PostgreSQL"

    @staticmethod
    def programs():
        """The folder of Debian's `initdb` and `pg_ctl`, or their folder on the path; None without them."""
        installed = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name.split(".")[0]))
        on_path = shutil.which("initdb")
        return installed[-1] if installed else Path(on_path).parent if on_path else None

    @staticmethod
    def is_available():
        return Postgres.programs() is not None

    def __init__(self, _):
        # The folder is not below the tests' folder, which the server's user may not enter.
        self.folder = Path(tempfile.mkdtemp(prefix="payrelay-postgres.", dir="/tmp"))
        # The server refuses to run as root.
        self.user = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        if self.user:
            shutil.chown(self.folder, "postgres")

    def __enter__(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.run("initdb", "-D", self.folder / "data", "-U", "payrelay", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        options = f"-c port={port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self.folder} -c fsync=off"
        self.run("pg_ctl", "-D", self.folder / "data", "-l", self.folder / "log", "-w", "-o", options, "start")
        self.url = f"postgres://payrelay@127.0.0.1:{port}/postgres"
        return self

    def __exit__(self, *_):
        self.run("pg_ctl", "-D", self.folder / "data", "-m", "immediate", "stop")
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, program, *arguments):
        subprocess.run(
            [*self.user, str(self.programs() / program), *map(str, arguments)], cwd="/", check=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

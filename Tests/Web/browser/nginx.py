"""nginx as the documentation configures it, in front of the shop's pages and the relay."""

import contextlib
import http.client
import re
import shutil
import socket
import subprocess
import time
from pathlib import Path

from shop import block

PROGRAM = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")

CONFIGURATION = """
pid {folder}/nginx.pid;
error_log {folder}/nginx.log;
daemon off;
events {{ }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port};
        location / {{ proxy_pass {shop}; }}
        {documented}
    }}
}}
"""


class Nginx:
    def __init__(self, shop, relay_port, folder):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.folder = Path(folder, "nginx")
        self.folder.mkdir()
        documented = re.sub(r"http://127\.0\.0\.1:8080", f"http://127.0.0.1:{relay_port}", block("nginx"))
        Path(self.folder, "nginx.conf").write_text(CONFIGURATION.format(
            folder=self.folder, port=self.port, shop=shop.url, documented=documented))
        self.url = f"http://127.0.0.1:{self.port}/"

    def __enter__(self):
        self.process = subprocess.Popen([PROGRAM, "-p", self.folder, "-c", f"{self.folder}/nginx.conf"])
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return self
            time.sleep(0.05)
        raise RuntimeError(Path(self.folder, "nginx.log").read_text())

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(20)

    def status(self, method, path):
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port)) as connection:
            connection.request(method, path)
            return connection.getresponse().status

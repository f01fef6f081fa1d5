#!/usr/bin/env python3
"""Two relays behind nginx pay from a journal in PostgreSQL under Patroni, while its primary is killed, cut off and switched over, and
then while each relay is replaced in its turn.

Three nodes with synchronous replication, each in a network namespace of its own, and etcd. The load tester pays through nginx for the
whole time, and its audit holds the sandbox's books against what the relays answered: nothing lost, nothing twice, and nothing charged
that was refused; and while relays are replaced, nothing refused, where a client sends again what nginx had no answer to. Needs root,
and Debian's patroni, etcd-server, postgresql, nginx and iproute2.

  PAYRELAY   the binary; a debug build is too slow for the rate
  FAULTS     how many faults, in turn (10)
  RATE       payments a second (200)
"""

import contextlib
import http.client
import http.server
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

PROGRAM = os.environ["PAYRELAY"]
FAULTS = int(os.environ.get("FAULTS") or 10)
RATE = int(os.environ.get("RATE") or 200)
# The time for a fault, for Patroni to have three nodes again, and some rest.
SECONDS_PER_FAULT = 45
WARM_UP = 15
SECONDS_OF_UPGRADE = 40
NETWORK = "10.213.47"
HOST = f"{NETWORK}.1"
BRIDGE = "payrelay-br"
LEASE_SECONDS = 20
ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def wait_for(what, seconds, condition):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = condition()
        if found:
            return found
        time.sleep(0.1)
    raise SystemExit(f"failover-check: waited {seconds} s for {what}")


def get(url, method="GET", body=None, timeout=2):
    """The status and the JSON of an answer; None if there is none in time."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            status, text = answer.status, answer.read()
    except urllib.error.HTTPError as error:
        status, text = error.code, error.read()
    except OSError:
        return None
    try:
        return status, json.loads(text)
    except ValueError:
        return status, None


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Node:
    """PostgreSQL and its Patroni in a network namespace."""

    def __init__(self, number, folder, programs):
        self.name = f"payrelay-pg{number}"
        self.link = f"payrelay-v{number}"
        self.address = f"{NETWORK}.{10 + number}"
        self.log = open(folder / f"{self.name}.log", "w")
        self.process = None
        data = folder / self.name
        data.mkdir(mode=0o700)
        shutil.chown(data, "postgres")
        self.configuration = folder / f"{self.name}.yaml"
        self.configuration.write_text(f"""
scope: payrelay
name: {self.name}
restapi: {{listen: "{self.address}:8008", connect_address: "{self.address}:8008"}}
etcd3: {{hosts: ["{HOST}:23790"]}}
bootstrap:
  dcs:
    ttl: {LEASE_SECONDS}
    loop_wait: 2
    retry_timeout: 3
    synchronous_mode: true
    synchronous_mode_strict: true
    # A standby that lost its primary looks for the next one after wal_retrieve_retry_interval, five seconds by default. No
    # commit is acknowledged until a standby streams.
    postgresql:
      use_pg_rewind: true
      parameters: {{max_connections: 200, wal_log_hints: "on", wal_retrieve_retry_interval: 500ms}}
  initdb: [{{encoding: UTF8}}, {{locale: C}}]
postgresql:
  listen: "{self.address}:5432"
  connect_address: "{self.address}:5432"
  data_dir: {data}/data
  bin_dir: {programs}
  parameters: {{unix_socket_directories: "{data}"}}
  authentication:
    superuser: {{username: payrelay, password: check}}
    replication: {{username: replicator, password: check}}
  pg_hba: ["local all all trust", "host all all {NETWORK}.0/24 trust", "host replication all {NETWORK}.0/24 trust"]
""")

    def connect(self):
        run("ip", "netns", "add", self.name)
        run("ip", "link", "add", self.link, "type", "veth", "peer", "name", "eth0", "netns", self.name)
        run("ip", "link", "set", self.link, "master", BRIDGE, "up")
        run("ip", "-n", self.name, "addr", "add", f"{self.address}/24", "dev", "eth0")
        run("ip", "-n", self.name, "link", "set", "eth0", "up")
        run("ip", "-n", self.name, "link", "set", "lo", "up")

    def start(self):
        self.process = subprocess.Popen(
            ["ip", "netns", "exec", self.name, "runuser", "-u", "postgres", "--", "patroni", self.configuration],
            stdout=self.log, stderr=self.log, cwd="/")

    def kill(self):
        """Ends all that runs there, at once."""
        for pid in run("ip", "netns", "pids", self.name).split():
            try:
                os.kill(int(pid), signal.SIGKILL)
            except ProcessLookupError:
                pass
        if self.process:
            self.process.wait()

    def cut_off(self, isCut):
        run("ip", "link", "set", self.link, "down" if isCut else "up")

    def remove(self):
        subprocess.run(["ip", "netns", "del", self.name], capture_output=True)
        subprocess.run(["ip", "link", "del", self.link], capture_output=True)


class Cluster:
    def __init__(self, folder):
        programs = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))[-1]
        subprocess.run(["ip", "link", "del", BRIDGE], capture_output=True)
        run("ip", "link", "add", BRIDGE, "type", "bridge")
        run("ip", "addr", "add", f"{HOST}/24", "dev", BRIDGE)
        run("ip", "link", "set", BRIDGE, "up")
        self.etcd = subprocess.Popen(
            ["etcd", "--data-dir", folder / "etcd", "--listen-client-urls", f"http://{HOST}:23790",
             "--advertise-client-urls", f"http://{HOST}:23790", "--listen-peer-urls", f"http://{HOST}:23800"],
            stdout=open(folder / "etcd.log", "w"), stderr=subprocess.STDOUT)
        self.nodes = [Node(number, folder, programs) for number in (1, 2, 3)]
        for node in self.nodes:
            node.remove()
            node.connect()
            node.start()

    @property
    def url(self):
        hosts = ",".join(f"{node.address}:5432" for node in self.nodes)
        return f"postgres://payrelay@{hosts}/postgres"

    def primary(self):
        """The node that says it is the primary; None while none does."""
        return next((n for n in self.nodes if (get(f"http://{n.address}:8008/primary", timeout=1) or (0,))[0] == 200), None)

    def is_whole(self):
        """Whether there are a primary and two replicas, one of them synchronous, that stream."""
        primary = self.primary()
        answer = primary and get(f"http://{primary.address}:8008/cluster")
        if not answer or not answer[1]:
            return False
        members = answer[1]["members"]
        return len(members) == 3 and all(m["state"] in ("running", "streaming") for m in members) and any(
            m["role"] == "sync_standby" for m in members)

    def remove(self):
        for node in self.nodes:
            node.kill()
            node.remove()
        self.etcd.kill()
        subprocess.run(["ip", "link", "del", BRIDGE], capture_output=True)


class Relay:
    def __init__(self, number, folder, settings):
        self.number, self.folder, self.settings, self.starts = number, folder, settings, 0
        self.start("0", "0")

    def start(self, port, admin):
        self.starts += 1
        self.log = self.folder / f"relay{self.number}.{self.starts}.log"
        settings = self.settings | {"PAYRELAY_HTTP_PORT": str(port), "PAYRELAY_ADMIN_PORT": str(admin)}
        self.process = subprocess.Popen(
            [PROGRAM, "serve"], env=os.environ | settings, stdout=open(self.log, "w"), stderr=subprocess.STDOUT)
        self.port, self.admin = wait_for("a relay", 60, self.ports)

    def replace(self):
        """As an upgrade does: one process ends by itself, and another takes its place."""
        self.process.terminate()
        self.process.wait(timeout=60)
        self.start(self.port, self.admin)
        wait_for("the relay that took another's place", 60, self.is_ready)

    def ports(self):
        text = self.log.read_text()
        if self.process.poll() is not None:
            raise SystemExit(f"failover-check: a relay ended: {text[-2000:]}")
        ports = {}
        for line in text.splitlines():
            try:
                entry = json.loads(line)
            except ValueError:
                continue
            if entry["message"] in ("listening", "admin listening"):
                ports[entry["message"]] = int(entry["port"])
        return (ports["listening"], ports["admin listening"]) if len(ports) == 2 else None

    def is_ready(self):
        return (get(f"http://127.0.0.1:{self.admin}/ready", timeout=1) or (0,))[0] == 200


def sandbox(folder):
    log = folder / "sandbox.log"
    process = subprocess.Popen([PROGRAM + "-dev", "sandbox", "--port", "0"], stdout=open(log, "w"), stderr=subprocess.STDOUT)
    text = wait_for("the sandbox", 60, lambda: (t := log.read_text()) and "PORTMONE_CURRENCIES" in t and t)
    settings = dict(re.findall(r"export (\w+)=(\S+)", text))
    settings = {name: value for name, value in settings.items() if "_FORT_" in name}
    return process, settings | {"PAYRELAY_TOKEN_TRUST_ANCHOR_FILE": str(ROOT / "certs/sandbox/root-ca.pem")}


def balancer(folder, relays):
    port = free_port()
    configuration = folder / "nginx.conf"
    servers = "".join(f"server 127.0.0.1:{relay.port} max_fails=0;" for relay in relays)
    configuration.write_text(f"""
worker_processes 1; daemon off; pid {folder}/nginx.pid; error_log {folder}/nginx.log;
events {{ worker_connections 16384; }}
http {{
  access_log off; client_body_temp_path {folder}/nginx; proxy_temp_path {folder}/nginx;
  upstream relays {{ {servers} keepalive 256; }}
  server {{
    listen 127.0.0.1:{port} backlog=4096; keepalive_requests 1000000;
    location / {{
      proxy_pass http://relays; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $host;
      proxy_next_upstream error; proxy_read_timeout 120s;
    }}
  }}
}}
""")
    return subprocess.Popen(["nginx", "-c", configuration, "-p", folder]), port


class Client(http.server.ThreadingHTTPServer):
    """Before the balancer: sends a payment again that this had no answer to, as payrelay's clients do."""

    daemon_threads = True
    request_queue_size = 1024

    def __init__(self, balancer):
        super().__init__(("127.0.0.1", 0), Attempts)
        self.balancer, self.repeats = balancer, 0
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Attempts(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        status, content = self.attempt(body)
        deadline, is_repeated = time.monotonic() + 30, False
        # A repeated request may arrive while the first is still being paid. It then gets 409.
        while (status == 502 or is_repeated and status == 409) and time.monotonic() < deadline:
            is_repeated = True
            self.server.repeats += 1
            time.sleep(0.25)
            status, content = self.attempt(body)
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def attempt(self, body):
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.server.balancer, timeout=120)) as connection:
            connection.request("POST", self.path, body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            return answer.status, answer.read()

    def log_message(self, *arguments):
        pass


class Load:
    """The load tester, which pays and holds the books against the answers."""

    def __init__(self, name, folder, port, seconds, *options):
        self.log, self.seconds, self.output = folder / f"{name}.log", seconds, []
        self.process = subprocess.Popen(
            [PROGRAM + "-dev", "loadtest", "--target", f"http://127.0.0.1:{port}", "--rate", str(RATE), "--duration", f"{seconds}s",
             "--connections", "8000", "--json", *options],
            stdout=subprocess.PIPE, stderr=open(self.log, "w"), text=True)
        self.reader = threading.Thread(target=lambda: self.output.append(self.process.stdout.read()))
        self.reader.start()
        wait_for("the first payments", 120, lambda: "ended" in self.log.read_text())

    def report(self):
        self.reader.join(timeout=self.seconds + 300)
        if not self.output or not self.output[0]:
            raise SystemExit(f"failover-check: the load tester told nothing: {self.log.read_text()[-2000:]}")
        report = json.loads(self.output[0])
        print(f"payments {report['payments']}, successes {report['successes']}, outcomes {report['outcomes']}")
        print(f"refused or failed {report['errors']}, left out {report['left_out']}")
        return report


class Watch(threading.Thread):
    """Looks ten times a second whether each relay is ready."""

    def __init__(self, relays):
        super().__init__(daemon=True)
        self.relays, self.seen, self.ends = relays, [], False

    def run(self):
        while not self.ends:
            self.seen.append((time.monotonic(), all(relay.is_ready() for relay in self.relays)))
            time.sleep(0.1)

    def seconds_without_service(self, begun):
        """From the first look after a moment that found a relay not ready, to the last one."""
        down = [at for at, is_ready in self.seen if at >= begun and not is_ready]
        return down[-1] - down[0] if down else 0.0


def inflict(fault, cluster):
    """Returns what heals it, and the moment when another primary was there."""
    primary = wait_for("a primary", 60, cluster.primary)
    begun = time.monotonic()
    if fault == "kill -9":
        primary.kill()
        heal = primary.start
    elif fault == "cut off":
        primary.cut_off(True)
        heal = lambda: primary.cut_off(False)
    else:
        candidates = get(f"http://{primary.address}:8008/cluster")[1]["members"]
        candidate = next(m["name"] for m in candidates if m["role"] == "sync_standby")
        get(f"http://{primary.address}:8008/switchover", "POST", {"leader": primary.name, "candidate": candidate}, 60)
        heal = lambda: None
    wait_for("another primary", 120, lambda: (p := cluster.primary()) and p is not primary)
    return begun, time.monotonic(), heal


def main():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="payrelay-failover."))
    folder.chmod(0o755)
    processes, relays, cluster, is_right = [], [], None, False
    try:
        cluster = Cluster(folder)
        wait_for("three nodes", 180, cluster.is_whole)
        process, settings = sandbox(folder)
        processes.append(process)
        settings |= {"PAYRELAY_JOURNAL": cluster.url}
        for number in (1, 2):
            relays.append(Relay(number, folder, settings))
        process, port = balancer(folder, relays)
        processes.append(process)
        address = settings["PAYRELAY_FORT_ENDPOINT"].removesuffix("/FortAPI/paymentApi")
        load = Load("load", folder, port, WARM_UP + FAULTS * SECONDS_PER_FAULT, "--sandbox", address)
        processes.append(load.process)
        watch = Watch(relays)
        watch.start()
        time.sleep(WARM_UP)
        print(f"{RATE} payments a second; Patroni's lease is {LEASE_SECONDS} s")
        print(f"{'fault':12} {'primary after':>14} {'relays not ready':>17} {'beyond Patroni':>15}")
        for number in range(FAULTS):
            fault = ("kill -9", "cut off", "switchover")[number % 3]
            started = time.monotonic()
            begun, elected, heal = inflict(fault, cluster)
            wait_for("both relays", 60, lambda: all(relay.is_ready() for relay in relays))
            time.sleep(1)
            without, patroni = watch.seconds_without_service(begun), elected - begun
            print(f"{fault:12} {patroni:12.1f} s {without:15.1f} s {max(0, without - patroni):13.1f} s", flush=True)
            heal()
            wait_for("three nodes", 120, cluster.is_whole)
            time.sleep(max(0, started + SECONDS_PER_FAULT - time.monotonic()))
        watch.ends = True
        books = load.report()["books"]
        print(f"books {books}")
        print("each relay is replaced in its turn", flush=True)
        # The sandbox is left out, because its books already have the other payments.
        client = Client(port)
        load = Load("upgrade", folder, client.server_port, SECONDS_OF_UPGRADE)
        processes.append(load.process)
        for relay in relays:
            relay.replace()
        upgrade = load.report()
        print(f"sent again {client.repeats}")
        is_right = books["equal"] and upgrade["successes"] == upgrade["payments"] and upgrade["left_out"] == 0
    finally:
        for process in reversed(processes + [relay.process for relay in relays]):
            process.terminate()
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
        if cluster:
            cluster.remove()
        if is_right and not os.environ.get("KEEP"):
            shutil.rmtree(folder)
        else:
            print(f"the logs are in {folder}", file=sys.stderr)
    print("failover-check: " + ("nothing lost, nothing twice" if is_right else "the books differ, or an upgrade cost payments"))
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())

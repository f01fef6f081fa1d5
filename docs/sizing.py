#!/usr/bin/env python3
"""What a number of payments a day takes, computed from measured costs.

The defaults are docs/performance.md's machine: two cores, which the relay shared with PostgreSQL, the sandbox and the load. Give
another machine's numbers as options; --help lists them. --check PAGE compares the table in a page with what is printed.
"""

import argparse
import math
import pathlib
import sys

COSTS = [
    # name, default, unit and meaning
    ("payments-a-day", 10_000_000, "payments in the day to be sized for"),
    ("peak", 3.0, "the busiest minute's rate, as a multiple of the day's mean"),
    ("gateway-seconds", 1.5, "how long the gateway takes to answer"),
    ("relay-cpu-us", 342.0, "microseconds of the relay's processor time for a payment (make bench, PostgreSQL)"),
    ("database-cpu-us", 1400.0, "microseconds of PostgreSQL's processor time for a payment, of which none shares a commit"),
    ("utilisation", 0.5, "share of a core that may be busy at the peak"),
    ("relay-cores", 4, "cores of an instance"),
    ("relay-mib", 59.0, "MiB of an instance that waits for nothing"),
    ("waiting-kib", 95.0, "KiB for a payment that waits for the gateway: its connection, body and request"),
    ("commits", 2, "durable commits of a payment, if none is shared"),
    ("journal-kib", 1.6, "KiB of the journal for a payment, indexes included"),
    ("wal-kib", 5.4, "KiB of write-ahead log for a payment, sent to each standby"),
    ("days-kept", 400, "days until payments are put away"),
    ("network-kib", 9.7, "KiB to and from a relay for a payment: from the app, to the gateway, back"),
    ("in-flight-max", 20_000, "PAYRELAY_FORT_REQUESTS_IN_FLIGHT_MAX at most"),
]


def table(cost):
    mean = cost.payments_a_day / 86_400
    peak = mean * cost.peak
    waiting = peak * cost.gateway_seconds
    by_cores = math.ceil(peak * cost.relay_cpu_us / 1e6 / (cost.relay_cores * cost.utilisation))
    by_waiting = math.ceil(waiting / cost.in_flight_max)
    # One may fail at the peak.
    instances = max(by_cores, by_waiting) + 1
    left = instances - 1
    each = waiting / left
    rows = [
        ("payments a second, mean; peak", f"{mean:,.0f}; {peak:,.0f}"),
        ("waiting for the gateway at the peak", f"{waiting:,.0f}"),
        (f"instances of {cost.relay_cores} cores, one of them spare", f"{instances}"),
        ("memory of each, the spare one gone", f"{cost.relay_mib + each * cost.waiting_kib / 1024:,.0f} MiB"),
        ("`PAYRELAY_FORT_REQUESTS_IN_FLIGHT_MAX` of each", f"{math.ceil(each / 100) * 100:,}"),
        ("network of all instances at the peak", f"{peak * cost.network_kib * 8 / 1024:,.0f} Mbit/s"),
        ("cores of the database", f"{math.ceil(peak * cost.database_cpu_us / 1e6 / cost.utilisation)}"),
        ("commits a second, if none is shared", f"{peak * cost.commits:,.0f}"),
        ("write-ahead log at the peak, for each standby", f"{peak * cost.wal_kib * 8 / 1024:,.0f} Mbit/s"),
        (f"disk a day; in {cost.days_kept:.0f} days", size(cost, 1) + "; " + size(cost, cost.days_kept)),
        ("agreed with the gateway: requests a second; at once", f"{peak:,.0f}; {waiting:,.0f}"),
    ]
    return "\n".join(["| | |", "|---|---|"] + [f"| {name} | {value} |" for name, value in rows])


def size(cost, days):
    gib = cost.payments_a_day * cost.journal_kib * days / 1024**2
    return f"{gib:,.0f} GiB" if gib < 1024 else f"{gib / 1024:,.1f} TiB"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default, meaning in COSTS:
        parser.add_argument(f"--{name}", type=type(default), default=default, help=f"{meaning} (default: %(default)s)")
    parser.add_argument("--check", metavar="PAGE", type=pathlib.Path)
    cost = parser.parse_args()
    for name, _, _ in COSTS:
        if not 0 < getattr(cost, name.replace("-", "_")) < math.inf:
            parser.error(f"--{name} must be a number above 0")
    if cost.utilisation > 1:
        parser.error("--utilisation must be at most 1")
    printed = table(cost)
    if cost.check and printed not in cost.check.read_text():
        sys.exit(f"{cost.check} has not the table that {sys.argv[0]} prints:\n{printed}")
    print(printed)


if __name__ == "__main__":
    main()

<?php
// Receives payrelay's events: docs/events.md says what a receiver has to do. PHP 8.1 or later, without packages.
declare(strict_types=1);

/** @param list<string> $secrets */
function isSigned(string $id, string $time, string $signatures, string $body, array $secrets): bool
{
    if (!preg_match('/^[\w-]{1,100}$/D', $id) || !preg_match('/^[0-9]{1,12}$/D', $time) || abs(time() - (int) $time) > 300) {
        return false;
    }
    foreach ($secrets as $secret) {
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$time.$body", $secret, true));
        foreach (explode(' ', $signatures) as $given) {
            if (hash_equals($expected, $given)) return true;
        }
    }
    return false;
}

/**
 * Records an event once. It is on the disk before it is acknowledged, and what it means is worked out afterwards: it pays an order only if
 * payment.amount, payment.currency and payment.account are that order's.
 */
function record(string $id, string $body): bool
{
    $log = fopen(getenv('EVENTS_FILE') ?: 'events.log', 'a+');
    // Every request is a process or a thread of its own.
    if (!$log || !flock($log, LOCK_EX)) return false;
    rewind($log);
    // A line is an id, the base64 of the body and a full stop. Without the full stop it is torn and was never acknowledged.
    while (($line = fgets($log)) !== false) {
        if (str_starts_with($line, "$id ") && str_ends_with(rtrim($line, "\n"), ' .')) return true;
    }
    $record = "\n$id " . base64_encode($body) . ' .';
    if (fwrite($log, $record) !== strlen($record) || !fsync($log)) return false;
    error_log("received $id");
    return true;
}

function receive(): int
{
    if ($_SERVER['REQUEST_METHOD'] !== 'POST' || $_SERVER['REQUEST_URI'] !== '/events') return 404;
    $body = (string) file_get_contents('php://input', false, null, 0, 65_537);
    if (strlen($body) > 65_536) return 413;
    // Two of them, separated by a space, while the secret is changed.
    $texts = preg_split('/\s+/', (string) getenv('EVENTS_SECRET'), -1, PREG_SPLIT_NO_EMPTY);
    $secrets = array_map(fn ($text) => (string) base64_decode(substr($text, strlen('whsec_')), true), $texts);
    if (!$secrets || min(array_map('strlen', $secrets)) < 24) return 500;
    $header = fn (string $name): string => (string) ($_SERVER["HTTP_WEBHOOK_$name"] ?? '');
    if (!isSigned($header('ID'), $header('TIMESTAMP'), $header('SIGNATURE'), $body, $secrets)) return 401;
    return record($header('ID'), $body) ? 204 : 500;
}

http_response_code(receive());

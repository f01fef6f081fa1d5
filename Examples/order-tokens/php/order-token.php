<?php
declare(strict_types=1);

/** $order: what the token pins. $key: a JWK of the kind oct. $lifetime: in seconds. */
function orderToken(array $order, array $key, int $lifetime = 300): string
{
    $encode = fn (string $bytes): string => rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
    $part = fn (array $members): string => $encode(json_encode($members, JSON_THROW_ON_ERROR));
    $header = ['alg' => 'HS256', 'kid' => $key['kid']];
    $claims = ['aud' => 'payrelay', 'exp' => time() + $lifetime] + $order;
    $signed = $part($header) . '.' . $part($claims);
    $secret = base64_decode(strtr($key['k'], '-_', '+/'), true);
    return $signed . '.' . $encode(hash_hmac('sha256', $signed, $secret, true));
}

if (realpath($_SERVER['argv'][0] ?? '') === __FILE__) {
    $set = json_decode(file_get_contents(getenv('ORDER_TOKEN_KEY_FILE')), true, 512, JSON_THROW_ON_ERROR);
    $order = json_decode(file_get_contents('php://stdin'), true, 512, JSON_THROW_ON_ERROR);
    echo orderToken($order, $set['keys'][0]), "\n";
}

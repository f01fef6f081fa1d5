<?php
/**
 * Sends to FORT what APS's own PHP SDK (payfort/payfort-php-sdk 2.0.0) sends for a recurring payment, or for an Apple Pay purchase,
 * and verifies the answer as the SDK does. It is an implementation of its own, so that neither the relay's code nor the sandbox's
 * can share a mistake with it.
 *
 * Read off the SDK: which parameters it sends and in which order, that the amount is a JSON number, that `eci` is RECURRING, that the
 * signature is a plain hash over the pairs sorted by ksort between two phrases, with `apple_header` as {a=1, b=2} in the order in
 * which it is sent, and that the body is json_encode's, with \/ and \u escapes.
 *
 * Standard input: {"url", "account": {"access_code", "merchant_identifier", "request_phrase", "response_phrase", "sha"},
 * "payment": {...}, "token": Apple's, for a purchase by Apple Pay}. Standard output: {"sent", "answer", "signed"}.
 */

$input = json_decode(stream_get_contents(STDIN), true, 512, JSON_THROW_ON_ERROR);
$account = $input['account'];

function signature(array $parameters, string $phrase, string $sha): string
{
    ksort($parameters);
    $text = '';
    foreach ($parameters as $name => $value) {
        if (is_array($value)) {
            $pairs = array_map(fn ($inner) => "$inner={$value[$inner]}", array_keys($value));
            $value = '{' . implode(', ', $pairs) . '}';
        }
        $text .= "$name=$value";
    }
    return hash($sha, $phrase . $text . $phrase);
}

$parameters = [
    'access_code' => $account['access_code'],
    'merchant_identifier' => $account['merchant_identifier'],
];
$token = $input['token'] ?? null;
if ($token) {
    $data = $token['paymentData'];
    $input['payment'] += [
        'digital_wallet' => 'APPLE_PAY',
        'apple_data' => $data['data'],
        'apple_signature' => $data['signature'],
        'apple_header' => [
            'apple_transactionId' => $data['header']['transactionId'],
            'apple_publicKeyHash' => $data['header']['publicKeyHash'],
            'apple_ephemeralPublicKey' => $data['header']['ephemeralPublicKey'],
        ],
        'apple_paymentMethod' => [
            'apple_displayName' => $token['paymentMethod']['displayName'],
            'apple_network' => $token['paymentMethod']['network'],
            'apple_type' => $token['paymentMethod']['type'],
        ],
    ];
    $names = [
        'digital_wallet', 'command', 'merchant_reference', 'amount', 'currency', 'language', 'customer_email',
        'apple_data', 'apple_signature', 'apple_header', 'apple_paymentMethod', 'customer_ip', 'customer_name',
        // Not among the SDK's, which cannot begin a subscription with Apple Pay; the page "Apple Pay API" has it.
        'recurring_mode',
    ];
} else {
    $names = [
        'command', 'merchant_reference', 'amount', 'currency', 'language', 'customer_email', 'eci', 'token_name',
        'payment_option', 'order_description', 'customer_name', 'merchant_extra', 'merchant_extra1',
        'merchant_extra2', 'merchant_extra3', 'merchant_extra4', 'merchant_extra5', 'phone_number',
        'settlement_reference', 'agreement_id',
    ];
    $input['payment']['eci'] = 'RECURRING';
}
$input['payment']['command'] = 'PURCHASE';
foreach ($names as $name) {
    if (isset($input['payment'][$name])) {
        $parameters[$name] = $name === 'amount' ? (int)$input['payment'][$name] : $input['payment'][$name];
    }
}
$parameters['signature'] = signature($parameters, $account['request_phrase'], $account['sha']);

$body = json_encode($parameters);
$answer = file_get_contents($input['url'], false, stream_context_create(['http' => [
    'method' => 'POST', 'content' => $body, 'timeout' => 30,
    'header' => "Content-Type: application/json\r\ncharset: UTF-8\r\n",
]]));
$answer = json_decode($answer, true, 512, JSON_THROW_ON_ERROR);
$received = $answer['signature'] ?? '';
unset($answer['signature']);
echo json_encode([
    'sent' => $parameters,
    'answer' => $answer,
    'signed' => $received === signature($answer, $account['response_phrase'], $account['sha']),
]);

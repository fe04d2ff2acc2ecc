<?php // php -S 127.0.0.1:8000 receiver.php

function is_genuine(string $secret, string $body): bool {
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (abs(time() - (int) $timestamp) > 300) return false;
    $key = base64_decode(str_replace('whsec_', '', $secret));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    // While a secret is rotated, there are several signatures.
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $given) {
        if (hash_equals($expected, $given)) return true;
    }
    return false;
}

$body = file_get_contents('php://input');
if (!is_genuine(getenv('SONDE_WEBHOOK_SECRET'), $body)) {
    http_response_code(401);
    exit;
}
http_response_code(204);

// A delivery may come twice. Store the ids you have seen, here as one file each.
$seen = sys_get_temp_dir() . '/sonde-' . hash('sha256', $_SERVER['HTTP_WEBHOOK_ID']);
if (!($first = @fopen($seen, 'x'))) exit;
$event = json_decode($body, true);
$what = isset($event['results']) ? count($event['results']) . ' results' : "read them at {$event['results_url']}";
file_put_contents('php://stderr', "{$event['batch_id']} {$event['status']} $what\n");

import base64
import hashlib
import hmac
import time


def is_genuine(secret, headers, body):
    """Returns whether a webhook is genuine and at most five minutes old. `body` is the raw bytes."""
    message_id, timestamp = headers.get("webhook-id"), headers.get("webhook-timestamp") or "0"
    if abs(time.time() - int(timestamp)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    # While a secret is rotated, there are several signatures.
    given = (headers.get("webhook-signature") or "").split(" ")
    return any(hmac.compare_digest(signature, f"v1,{expected}") for signature in given)

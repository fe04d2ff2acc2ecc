import json
import os
import time
import urllib.error
import urllib.request
import uuid


def sonde(path, body=None):
    """Calls the API. Retries 429, 500, 503 and lost connections after Retry-After, up to five times."""
    request = urllib.request.Request(
        "http://localhost:3000/api/v1/" + path,
        data=None if body is None else json.dumps(body).encode(),
        headers={
            "Authorization": "Bearer " + os.environ["SONDE_TOKEN"],
            "Content-Type": "application/json",
            # The same key for all attempts, so that a repeated request is done and charged once.
            "Idempotency-Key": str(uuid.uuid4()),
        },
    )
    for tries in range(6):
        wait = 2**tries
        try:
            with urllib.request.urlopen(request) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            problem = json.load(error)["message"]
            if error.code not in (429, 500, 503):
                break
            wait = int(error.headers.get("Retry-After", wait))
        except OSError as error:
            problem = str(error)
        if tries < 5:
            time.sleep(wait)
    raise SystemExit(problem)

import json
import os
import urllib.error
import urllib.request

TOKEN = os.environ["SONDE_TOKEN"]


def sonde(url, body=None):
    request = urllib.request.Request(
        url,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        raise SystemExit(json.load(error)["message"])


# One index check, answered while you wait.
check = sonde("http://localhost:3000/api/v1/check", {"url": "https://example.com/"})
print(check["url"], "is in Google" if check["is_indexed"] else "is not in Google")

# Many at once: a batch in the background. Poll until it ends, for half an hour at most.
urls = ["https://example.com/", "https://example.com/missing"]
accepted = sonde("http://localhost:3000/api/v1/http-status/bulk", {"urls": urls})
for _ in range(90):
    batch = sonde(accepted["poll_url"] + "?wait=20")
    if batch["completed_at"]:
        break
for result in batch.get("results", []):
    print(result["url"], result["error"] or result["status"])

import time

from sonde import sonde

urls = ["https://example.com/", "https://example.com/missing"]
accepted = sonde("http-status/bulk", {"urls": urls})
seen = set()
batch = {"completed_at": None}
while not batch["completed_at"]:
    batch = sonde("batch/" + accepted["batch_id"] + "?results=partial")
    for result in batch["results"]:
        if result["request_id"] not in seen:
            print(result["url"], result["error"] or result["status"])
        seen.add(result["request_id"])
    time.sleep(1)

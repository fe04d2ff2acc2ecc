import time

from sonde import sonde

urls = ["https://example.com/", "https://example.com/missing"]
accepted = sonde("http-status/bulk", {"urls": urls})
seen = set()
# Poll every second until the batch ends, for half an hour at most.
for _ in range(1800):
    batch = sonde("batch/" + accepted["batch_id"] + "?results=partial")
    for result in batch["results"]:
        if result["request_id"] not in seen:
            print(result["url"], result["error"] or result["status"])
        seen.add(result["request_id"])
    if batch["completed_at"]:
        break
    time.sleep(1)

from sonde import sonde

urls = ["https://example.com/", "https://example.com/missing"]
accepted = sonde("http-status/bulk", {"urls": urls})
canceled = sonde("batch/" + accepted["batch_id"] + "/cancel", {})
print(canceled["failed"], "refunded,", canceled["successful"], "answered before")

# A new batch of the checks without an answer.
if canceled["failed"] > 0:
    again = sonde("batch/" + accepted["batch_id"] + "/retry", {})
    print(again["total"], "retried as", again["batch_id"])

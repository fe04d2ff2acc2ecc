from sonde import sonde

cursor = ""
while cursor is not None:
    page = sonde("batches?per_page=2" + cursor)
    for batch in page["data"]:
        print(batch["batch_id"], batch["status"])
    cursor = page["next_cursor"] and "&cursor=" + page["next_cursor"]

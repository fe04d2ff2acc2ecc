from sonde import sonde

# Two keywords in two countries, with a competitor: 4 queries, 4 credits.
queries = [
    {"url": "example.com", "keyword": keyword, "country": country, "competitors": ["rank-7.example"]}
    for country in ("US", "DE")
    for keyword in ("running shoes", "trail shoes")
]
accepted = sonde("keyword-track", {"queries": queries, "reference": "this morning"})

# Poll until the batch ends, for half an hour at most.
for _ in range(90):
    batch = sonde("batch/" + accepted["batch_id"] + "?wait=20")
    if batch["completed_at"]:
        break
for result in batch.get("results", []):
    others = ", ".join(f"{other['url']} {other['rank'] or '-'}" for other in result.get("competitors", []))
    found = result["error"] if result["state"] == "failed" else result["rank"] or "not found"
    print(result["country"], result["keyword"], found, others)

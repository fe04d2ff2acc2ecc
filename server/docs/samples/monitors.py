from sonde import sonde

# Checks two pages every day at 06:00 in Berlin. Each run costs 2 credits, charged when it starts.
monitor = sonde("monitors", {
    "name": "Shop",
    "type": "http",
    "urls": ["https://example.com/", "https://example.com/missing"],
    "schedule": {"every": "day", "at": "06:00", "timezone": "Europe/Berlin"},
})["monitor"]
print(monitor["monitor_id"], "next run", monitor["next_run_at"], monitor["credits_per_month"], "credits in 30 days")

# Changes so far. There are none before the second run.
for change in sonde("monitors/" + monitor["monitor_id"] + "/changes?per_page=100")["data"]:
    print(change["at"], change["kind"], change["subject"], change["before"], change["after"])

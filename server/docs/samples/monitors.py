from sonde import sonde

# Two pages, every day at six in Berlin. Nothing is charged before the first run; 2 credits then.
monitor = sonde("monitors", {
    "name": "Shop",
    "type": "http",
    "urls": ["https://example.com/", "https://example.com/missing"],
    "schedule": {"every": "day", "at": "06:00", "timezone": "Europe/Berlin"},
})["monitor"]
print(monitor["monitor_id"], "next run", monitor["next_run_at"], monitor["credits_per_month"], "credits in 30 days")

# What changed so far: nothing, until a second run finds another answer than the first.
for change in sonde("monitors/" + monitor["monitor_id"] + "/changes?per_page=100")["data"]:
    print(change["at"], change["kind"], change["subject"], change["before"], change["after"])

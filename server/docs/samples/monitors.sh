. ./sonde.sh

# Two pages, every day at six in Berlin. Nothing is charged before the first run; 2 credits then.
MONITOR=$(sonde monitors '{"name": "Shop", "type": "http",
  "urls": ["https://example.com/", "https://example.com/missing"],
  "schedule": {"every": "day", "at": "06:00", "timezone": "Europe/Berlin"}}' \
  | tee monitor.json | sed -n 's/.*"monitor_id":"\([^"]*\)".*/\1/p')
cat monitor.json; echo
[ "$MONITOR" ] || exit 1

# What changed so far: nothing, until a second run finds another answer than the first.
sonde "monitors/$MONITOR/changes?per_page=100"

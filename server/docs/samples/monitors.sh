. ./sonde.sh

# Checks two pages every day at 06:00 in Berlin. Each run costs 2 credits, charged when it starts.
MONITOR=$(sonde monitors '{"name": "Shop", "type": "http",
  "urls": ["https://example.com/", "https://example.com/missing"],
  "schedule": {"every": "day", "at": "06:00", "timezone": "Europe/Berlin"}}' \
  | tee monitor.json | sed -n 's/.*"monitor_id":"\([^"]*\)".*/\1/p')
cat monitor.json; echo
[ "$MONITOR" ] || exit 1

# Changes so far. There are none before the second run.
sonde "monitors/$MONITOR/changes?per_page=100"

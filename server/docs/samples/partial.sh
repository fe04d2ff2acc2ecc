. ./sonde.sh

BATCH=$(sonde http-status/bulk '{"urls": ["https://example.com/", "https://example.com/missing"]}' |
  tee batch.json | sed -n 's/.*"batch_id":"\([^"]*\)".*/\1/p')
[ "$BATCH" ] || { cat batch.json; exit 1; }
# Poll every second until the batch ends, for half an hour at most.
for _ in $(seq 1800); do
  sonde "batch/$BATCH?results=partial" > batch.json || break
  if grep -q '"completed_at":"' batch.json; then break; fi
  grep -o '"progress":"[^"]*"' batch.json
  sleep 1
done
cat batch.json; grep -q '"success":true' batch.json

. ./sonde.sh

BATCH=$(sonde http-status/bulk '{"urls": ["https://example.com/", "https://example.com/missing"]}' | sed -n 's/.*"batch_id":"\([^"]*\)".*/\1/p')
# What is settled so far, each second until all of it is.
until sonde "batch/$BATCH?results=partial" | tee batch.json | grep -q '"completed_at":"'; do
  grep -o '"progress":"[^"]*"' batch.json
  sleep 1
done
cat batch.json

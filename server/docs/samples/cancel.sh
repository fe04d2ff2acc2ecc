. ./sonde.sh

BATCH=$(sonde http-status/bulk '{"urls": ["https://example.com/", "https://example.com/missing"]}' |
  sed -n 's/.*"batch_id":"\([^"]*\)".*/\1/p')
sonde "batch/$BATCH/cancel" ''
echo
# A new batch of those that got no answer; 422 validation_failed when there are none.
sonde "batch/$BATCH/retry" ''

. ./sonde.sh

BATCH=$(sonde http-status/bulk '{"urls": ["https://example.com/", "https://example.com/missing"]}' |
  sed -n 's/.*"batch_id":"\([^"]*\)".*/\1/p')
sonde "batch/$BATCH/cancel" ''
echo
# A new batch of those that got no answer; 409 nothing_to_retry when all had one already.
sonde "batch/$BATCH/retry" ''

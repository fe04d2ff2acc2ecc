. ./sonde.sh

BATCH=$(sonde http-status/bulk '{"urls": ["https://example.com/", "https://example.com/missing"]}' |
  sed -n 's/.*"batch_id":"\([^"]*\)".*/\1/p')
sonde "batch/$BATCH/cancel" ''
echo
# A new batch of the checks without an answer. Without any, this is a 422 validation_failed.
sonde "batch/$BATCH/retry" ''

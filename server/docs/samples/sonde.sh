# sonde PATH [BODY]: calls the API. Retries 429, 500, 503 and lost connections after Retry-After, up to five times.
sonde() {
  local answer status
  answer=$(mktemp)
  # The same key for all attempts, so that a repeated request is done and charged once.
  curl -sS --fail-with-body --retry 5 --retry-connrefused -o "$answer" \
    -H "Authorization: Bearer $SONDE_TOKEN" \
    -H 'Content-Type: application/json' \
    -H "Idempotency-Key: $(date +%s)-$RANDOM-$RANDOM" \
    ${2+--data "$2"} "http://localhost:3000/api/v1/$1"
  status=$?
  cat "$answer"
  rm "$answer"
  return $status
}

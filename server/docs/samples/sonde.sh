# sonde PATH [BODY]: asks the API; at 429, 500, 503 and a lost connection it asks again, after Retry-After, five times.
sonde() {
  local answer status
  answer=$(mktemp)
  # The key is the same for every try, so that a repeated request is done and charged once.
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

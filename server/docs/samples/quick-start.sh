export SONDE_TOKEN='your token, from the dashboard'

# One index check, answered while you wait.
curl -sS http://localhost:3000/api/v1/check -H "Authorization: Bearer $SONDE_TOKEN" \
  -H 'Content-Type: application/json' -d '{"url": "https://example.com/"}'

# Many at once: a batch in the background, with the URL to poll.
POLL_URL=$(curl -sS http://localhost:3000/api/v1/http-status/bulk \
  -H "Authorization: Bearer $SONDE_TOKEN" -H 'Content-Type: application/json' \
  -d '{"urls": ["https://example.com/", "https://example.com/missing"]}' |
  tee batch.json | sed -n 's/.*"poll_url":"\([^"]*\)".*/\1/p')

# Poll until the batch ends, for half an hour at most. Stop at an error.
# Results are in the order of your list.
TRIES=90
while [ "$POLL_URL" ] && [ "$((TRIES -= 1))" -gt 0 ] &&
  curl -sS --fail-with-body --retry 5 "$POLL_URL?wait=20" \
    -H "Authorization: Bearer $SONDE_TOKEN" -o batch.json &&
  ! grep -q '"completed_at":"' batch.json; do sleep 1; done
cat batch.json; grep -q '"success":true' batch.json

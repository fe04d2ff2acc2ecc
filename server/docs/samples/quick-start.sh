export SONDE_TOKEN='your token, from the dashboard'

# One index check, answered while you wait.
curl -sS http://localhost:3000/api/v1/check -H "Authorization: Bearer $SONDE_TOKEN" -H 'Content-Type: application/json' -d '{"url": "https://example.com/"}'

# Many at once: queued, with the address to ask for them.
POLL_URL=$(curl -sS http://localhost:3000/api/v1/http-status/bulk -H "Authorization: Bearer $SONDE_TOKEN" -H 'Content-Type: application/json' -d '{"urls": ["https://example.com/", "https://example.com/missing"]}' | sed -n 's/.*"poll_url":"\([^"]*\)".*/\1/p')

# Ask until they are done; the results are in the order you sent.
until curl -sS "$POLL_URL" -H "Authorization: Bearer $SONDE_TOKEN" | tee batch.json | grep -q '"completed_at":"'; do sleep 2; done
cat batch.json

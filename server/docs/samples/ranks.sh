. ./sonde.sh

# Two keywords in two countries, with a competitor: 4 queries, 4 credits.
QUERIES=$(for country in US DE; do for keyword in 'running shoes' 'trail shoes'; do
  printf '{"url": "example.com", "keyword": "%s", "country": "%s", "competitors": ["rank-7.example"]}\n' \
    "$keyword" "$country"
done; done | paste -sd, -)
BATCH=$(sonde keyword-track "{\"queries\": [$QUERIES], \"reference\": \"this morning\"}" |
  tee batch.json | sed -n 's/.*"batch_id":"\([^"]*\)".*/\1/p')
[ "$BATCH" ] || { cat batch.json; exit 1; }

# Poll until the batch ends, for half an hour at most.
for _ in $(seq 90); do
  sonde "batch/$BATCH?wait=20&results=none" > batch.json || break
  if grep -q '"completed_at":"' batch.json; then break; fi
done
curl -sS --fail-with-body "http://localhost:3000/api/v1/batch/$BATCH/results.csv" \
  -H "Authorization: Bearer $SONDE_TOKEN"

. ./sonde.sh

# Two keywords in two countries, with a competitor: 4 queries, 4 credits.
QUERIES=$(for country in US DE; do for keyword in 'running shoes' 'trail shoes'; do
  echo "{\"url\": \"example.com\", \"keyword\": \"$keyword\", \"country\": \"$country\", \"competitors\": [\"rank-7.example\"]}"
done; done | paste -sd, -)
BATCH=$(sonde keyword-track "{\"queries\": [$QUERIES], \"reference\": \"this morning\"}" | sed -n 's/.*"batch_id":"\([^"]*\)".*/\1/p')

until sonde "batch/$BATCH?wait=20&results=none" | grep -q '"completed_at":"'; do sleep 1; done
curl -sS "http://localhost:3000/api/v1/batch/$BATCH/results.csv" -H "Authorization: Bearer $SONDE_TOKEN"

# Ranks of example.com and a competitor, all results, and the queries to Google.
# The token is in SONDE_TOKEN.
curl -sS 'http://localhost:3000/api/v1/keyword-track?include=evidence' \
  -H "Authorization: Bearer $SONDE_TOKEN" \
  -H 'Content-Type: application/json' \
  -d '{"queries": [{"url": "example.com", "keyword": "running shoes",
    "competitors": ["rank-7.example"], "include": ["results"],
    "full": true, "end_page": 3}]}'

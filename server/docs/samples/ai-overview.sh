# The blocks of the results page and its AI Overview: does it cite example.com?
# The token is in SONDE_TOKEN.
curl -sS http://localhost:3000/api/v1/keyword-track \
  -H "Authorization: Bearer $SONDE_TOKEN" \
  -H 'Content-Type: application/json' \
  -d '{"queries": [{"url": "example.com", "keyword": "running shoes overview-shown",
    "competitors": ["rank-2.example"], "include": ["features", "ai_overview"]}]}'

. ./sonde.sh

# Creates a test token that ends in 30 days. Its answers are simulated and free. It is shown only once.
END=$(date -u -d '30 days' +%FT%TZ 2>/dev/null || date -u -v+30d +%FT%TZ)
MADE=$(sonde tokens '{"name": "Tests", "scope": "check", "is_test": true, "expires_at": "'"$END"'"}')
SONDE_TOKEN=$(echo "$MADE" | sed -n 's/.*"token":"\([^"]*\)".*/\1/p')
[ "$SONDE_TOKEN" ] || { echo "$MADE"; exit 1; }
sonde me && echo
for HOST in status-404.example soft404.example silent.example; do
  sonde http-status '{"url": "https://'$HOST'/"}' && echo || exit 1
done

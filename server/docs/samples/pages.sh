. ./sonde.sh

CURSOR=
while :; do
  PAGE=$(sonde "batches?per_page=2$CURSOR") || break
  echo "$PAGE" | grep -o '"batch_id":"[^"]*"'
  NEXT=$(echo "$PAGE" | sed -n 's/.*"next_cursor":"\([^"]*\)".*/\1/p')
  [ "$NEXT" ] || break
  CURSOR="&cursor=$NEXT"
done

export SONDE_URL=http://localhost:3000
printf '%s\n' https://indexed.example/ https://not-indexed.example/ > urls.txt
MONITOR=$(sonde watch urls.txt --every day --type index)   # prints its id; what it costs goes to the terminal
sonde monitor run "$MONITOR"
sonde monitor changes "$MONITOR"                           # also: list, show, runs, pause, resume, delete

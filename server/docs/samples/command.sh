export SONDE_URL=http://localhost:3000
printf '%s\n' https://indexed.example/ https://not-indexed.example/ > urls.txt
sonde index urls.txt --output indexed.csv   # also: sonde http, sonde rank; see sonde --help
sonde credits

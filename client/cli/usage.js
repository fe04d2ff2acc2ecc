const head = `Usage: sonde <command> [options]

  sonde http <file>          what the addresses in a file really answer, and which are soft 404s
  sonde index <file>         which of the addresses are in Google
  sonde rank <file.csv>      where sites rank; columns: url, keyword, and if you like
                             country, language, start_page, end_page, device, match, tag,
                             competitors (several with ;), full (yes: read on after the match;
                             without end_page to page 2 only)
  sonde batch <id ...>       the results of batches; --watch waits for them
  sonde list [status]        your batches, newest first
  sonde cancel <id ...>      end batches; what has no answer yet is refunded
  sonde retry <id ...>       check again what got no answer, as a new batch; prints its id
  sonde sitemap <address>    the addresses in a sitemap or an index of them, for: | sonde http -
  sonde credits              the balance

A file of addresses has one per line; empty lines and lines that begin with # do not count. - reads from standard
input. More than 2,000 lines become several batches.
`;

const tail = `
Options:
  --format <table|csv|json|ndjson>   table, unless --output says otherwise by its ending
  --output <file>                    write there instead of to standard output
  --reference <text>                 your own name for the batches
  --dedupe                           check and charge equal entries once
  --skip-invalid                     let what is no address keep its place as failed instead of refusing all
  --no-follow                        http: report the first answer, redirect or not
  --user-agent <name>                http: ask as sonde, googlebot or browser
  --watch                            batch: wait until it has ended
  --url <address>                    of the service; else SONDE_URL, else http://localhost:3000
  --help                             this text
  --version                          of this command

The token is read from SONDE_TOKEN. Ctrl-C leaves the batches running and prints how to come back to them.

Exit codes:
  0    all good: pages answer and are no soft 404s, addresses are indexed, sites rank
  1    some are not
  2    wrong arguments, or the service refused the input
  3    no token, or not a valid one
  4    not enough credits
  5    no answer: the service cannot be reached, or items failed (refunded; see their error)
  70   a fault of this command
  130  interrupted
`;

export const usage = `${head}${tail}`;

const head = `Usage: sonde <command> [options]

  sonde http <file>          check the HTTP status of the URLs in a file, and find soft 404s
  sonde index <file>         check which URLs of a file are in the Google index
  sonde rank <file>          check the ranks of sites for the keywords in a file. Set a value for one keyword in a
                             column, or for all keywords with an option: site (or url), country, location (a city),
                             language, device, match, tag, competitors. Result pages: columns start_page and end_page,
                             or the option pages (3 or 2-4). Only as a column: full (yes: continue after a match, by
                             default to page 2)
  sonde batch <id ...>       print the results of batches; --watch waits for them
  sonde list [status]        list your batches, newest first
  sonde cancel <id ...>      cancel batches; checks without an answer are refunded
  sonde retry <id ...>       retry failed checks as a new batch, and print its id
  sonde again <id ...>       check batches again as new batches; --show dead: only dead URLs; --type: with another type
  sonde name <id> <name>     rename a batch
  sonde watch <file>         create a monitor that checks a file regularly, with --every day. --sitemap <url> checks a
                             sitemap instead. Prints the cost and the id of the monitor
  sonde monitor <list|show|create|run|runs|pause|resume|delete|changes|digest> [id ...]
                             manage your monitors. create is the same as watch. digest shows when emails about monitors
                             are sent, and changes it with --every run or day, --at and --timezone
  sonde sitemap <url>        print the URLs of a sitemap or an index of sitemaps, for example to pipe: | sonde http -
  sonde credits              print your balance

A file has one URL or keyword per line, or it is a table: CSV, Excel (.xlsx), JSON, or a ZIP of tables such as the
export of Search Console. It can also be a sitemap, an access log or a bookmarks file, compressed with gzip or not. The
command prints what it reads, and adds https:// to URLs without it. Empty lines and comment lines that begin with # are
ignored. Equal entries are checked once. - reads from standard input. More than 2,000 entries become several batches.
`;

const tail = `
Options:
  --format <table|csv|json|ndjson>   output format; default: the extension of --output, or table
  --output <file>                    write to a file instead of standard output
  --reference <text>                 your own label for the batches
  --column <name or number>          column of the URLs or keywords, if several are possible; for another field of
                                     ranks such as the site: --column "site=URL", or --column site=none for no column.
                                     The host of paths: --column host=Hostname, or --column host=none
  --sheet <name or number>           sheet of a workbook, table of a ZIP, or list of a JSON
  --host <host>                      host of paths such as /shoes or index.php; for example www.example.com
  --encoding <name>                  encoding of the file, such as windows-1250
  --lines, --table                   read each line as one entry, or its separators as the columns of a table
  --header, --no-header              whether the first row of a table names its columns
  --dry-run                          print what would be checked and its cost, and send nothing. Exit code 2 if entries
                                     are invalid
  --site, --country, --location, --language, --device, --match, --pages, --tag, --competitors <value>
                                     rank: for all keywords that do not set their own value. country: name or code, such
                                     as DE; language: de or pt-BR; device: desktop or mobile; match: site, host, page
                                     or prefix; pages: 3 or 2-4
  --features                         rank: list the blocks of the first page, such as featured snippets
  --ai-overview                      rank: report whether an AI Overview cites the site; 1 more credit per keyword,
                                     refunded if no overview was shown or its sources could not be read
  --as-keywords                      rank: accept keywords that look like URLs
  --skip-invalid                     skip invalid entries (not charged) instead of rejecting the file. They cause exit
                                     code 5 only if no entry was checked
  --no-follow                        http: report the first response, even if it is a redirect
  --user-agent <name>                http: user agent of the requests: sonde, googlebot or browser
  --show <result>                    again: only inputs with this result: dead, soft404, not_indexed, not_ranked, failed
  --type <http|index|rank>           again, watch: type of the checks; default of watch: http
  --every <hour|day|week|month>      watch: interval
  --at <06:00>, --timezone <zone>    watch: local time of the runs and its time zone; default UTC
  --on <mon,thu or 1,15>             watch: weekdays or days of the month; --on=-1 is the last day
  --name <text>                      watch: name of the monitor; default: the file name
  --sitemap <url>                    watch: check the URLs that the sitemap lists at each run
  --webhook <url>                    watch: URL that receives the changes
  --watch                            batch: wait until the batch has ended
  --url <url>                        URL of the service; default SONDE_URL or http://localhost:3000
  --help                             print this text
  --version                          print the version of this command

The token is read from SONDE_TOKEN. Ctrl-C leaves the batches running and prints how to see their results.

Exit codes:
  0    all good: URLs have a status of 2xx or 3xx and are not soft 404s, are indexed, or sites rank
  1    some URLs are broken, soft 404s or not indexed, or some sites do not rank
  2    wrong arguments, or the service rejected the input
  3    the token is missing or invalid
  4    not enough credits
  5    no answer: the service cannot be reached, or checks failed (refunded; see their error)
  6    the file can be read in several ways, and one of the options above must decide; nothing was sent
  70   a bug of this command
  130  interrupted
`;

export const usage = `${head}${tail}`;

const head = `Usage: sonde <command> [options]

  sonde http <file>          what the addresses in a file really answer, and which are soft 404s
  sonde index <file>         which of the addresses are in Google
  sonde rank <file>          where sites rank for the keywords in a file; for each of them in
                             columns, or for all in options: site (or url), country, language,
                             device, match, pages (3 or 2-4), tag, competitors; in columns only:
                             full (yes: read on after the match; without end_page to page 2)
  sonde batch <id ...>       the results of batches; --watch waits for them
  sonde list [status]        your batches, newest first
  sonde cancel <id ...>      end batches; what has no answer yet is refunded
  sonde retry <id ...>       check again what got no answer, as a new batch; prints its id
  sonde again <id ...>       check batches again, as new ones; --show dead: only what was; --type: for something else
  sonde name <id> <name>     call a batch something
  sonde watch <file>         check a file again and again: --every day; --sitemap <address> in place of a file. Says what
                             it will cost, and prints the id of the monitor
  sonde monitor <list|show|create|run|runs|pause|resume|delete|changes|digest> [id ...]
                             your monitors; create is watch; digest: when mails about them come, and with --every
                             run or day, --at and --timezone, when they shall
  sonde sitemap <address>    the addresses in a sitemap or an index of them, for: | sonde http -
  sonde credits              the balance

A file has an address or a keyword per line, or it is a table: a spreadsheet or an export of Search Console, Screaming
Frog, Ahrefs, Semrush, Sitebulb, with any separator. What is read of it, and what is not used, is said first. Empty
lines do not count, nor do addresses after a #. - reads from standard input. More than 2,000 become several batches.
`;

const tail = `
Options:
  --format <table|csv|json|ndjson>   table, unless --output says otherwise by its ending
  --output <file>                    write there instead of to standard output
  --reference <text>                 your own name for the batches
  --column <name>                    the column of the addresses or keywords, where several may be
  --lines, --table                   whether a comma is part of the address or ends it
  --add-https                        http, index: put https:// before addresses without a scheme
  --site, --country, --language, --device, --match, --pages, --tag, --competitors <value>
                                     rank: for all keywords that do not say it themselves
  --as-keywords                      rank: keywords that look like addresses are meant
  --dedupe                           check and charge equal entries once
  --skip-invalid                     let what is no address keep its place, unchecked and not charged, instead of
                                     refusing all; no reason for 5 where others were checked
  --no-follow                        http: report the first answer, redirect or not
  --user-agent <name>                http: ask as sonde, googlebot or browser
  --show <result>                    again: only what had it: dead, soft404, not_indexed, not_ranked, failed …
  --type <http|index|rank>           again, watch: what is checked; watch: http unless given
  --every <hour|day|week|month>      watch: how often
  --at <06:00>, --timezone <zone>    watch: when, by the clock on the wall of a zone; UTC unless given
  --on <mon,thu or 1,15>             watch: on which days, of the week or the month; --on=-1 is its last
  --name <text>                      watch: what it is called; the file unless given
  --sitemap <address>                watch: what it lists at each run
  --webhook <address>                watch: who is told what changed
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

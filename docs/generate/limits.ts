import { dearly, limitOf } from '../../adapters/node/limited.ts'
import { counts, networks, type Rate, rates } from '../../adapters/node/limits.ts'
import type { Operation } from '../../engine/index.ts'
import { code, page, table } from './markdown.ts'

/** How much each key, account and source may request. */
export function limitsPage(operations: readonly Operation[]): string {
  return page(
    'Limits of requests',
    ['adapters/node/limits.ts', 'adapters/node/limited.ts'],
    [
      `How much each key, account and source may request. \`OTEP_LIMITS\` or \`otep serve --limits\` changes these defaults:
\`off\`, or a list such as \`public_reads=100/s:400,sign_in=5/m,misses=off,streams=50\`. A rate is a number of requests
a second, minute or hour (\`s\`, \`m\`, \`h\`), and after the colon the burst: how many may follow each other at once.
Without a burst it is the number itself.

A source is an IPv4 address or the /64 network of an IPv6 address: that of the peer, or the one that a [trusted
proxy](../how-to/run-the-server.md#behind-a-proxy) forwards. Limits hold for each server: two nodes allow twice as
much.`,
      ...ratesPart(),
      '## Things that are open at a time',
      table(
        ['limit', 'of', 'by', 'default'],
        Object.entries(counts).map(([name, { of, by, count }]) => [code(name), of, by, String(count)]),
      ),
      `Connections of a trusted proxy are not limited. \`GET /healthz\`, \`/readyz\` and \`/metrics\` have no limit.`,
      '## The refusal',
      `429 \`too_many_requests\` with \`Retry-After\` and the fields of
[draft-ietf-httpapi-ratelimit-headers](https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/): \`r\` is what
is left, \`t\` the seconds until there is more, \`q\` the burst, \`w\` the seconds in which an empty bucket fills. A
connection above the limit is closed.`,
      `\`\`\`http
HTTP/1.1 429 Too Many Requests
Retry-After: 1
RateLimit: "public_reads";r=0;t=1
RateLimit-Policy: "public_reads";q=200;w=4
\`\`\``,
      '## Which limit an operation counts against',
      table(
        ['limit', 'operations'],
        [
          ...rowsOf(operations).map(([limit, names]) => [code(limit), names.map(code).join(', ')]),
          [code('calls'), 'all others'],
        ],
      ),
      `A tool of an agent and a field of GraphQL count against the limit of their operation as well as against \`mcp\` or
\`graphql\`.`,
    ],
  )
}

/** How often something may be requested, and by whom together. */
function ratesPart(): readonly string[] {
  return [
    '## Rates',
    table(
      ['limit', 'of', 'by', 'default', 'burst'],
      Object.entries(rates).map(([name, { of, by, ...rate }]) => [code(name), of, by, said(rate), String(rate.burst)]),
    ),
    `An attempt to sign in counts whether it succeeds or fails. \`failed_sign_ins\` does not concern an account that has
signed in from the same source within the last 30 days. A batch counts each number that it does not find as a miss; a
source without a token of \`misses\` is refused before anything is looked up, and so is what it looked up at the same time
and did not find.

While \`all_misses\` is used up, a lookup without credentials that does not find all that it asks for is answered with 429
and counts as ${dearly} misses of its source and its networks. What is found, and callers with credentials, do not notice.`,
    '## Networks',
    `What counts by source and networks also counts in the networks around the source, each of which has more room. A
source is refused while one of them is empty; with another rate of \`OTEP_LIMITS\` they have as many times that one.`,
    table(
      ['network', 'as many times as a source'],
      networks.map(({ version, bits, times }) => [`/${bits} of IPv${version}`, String(times)]),
    ),
  ]
}

function said({ count, seconds }: Rate): string {
  const unit = { 1: 'second', 60: 'minute' }[seconds] ?? `${seconds} seconds`
  return `${count.toLocaleString('en')} a ${unit}`
}

/** The operations that do not count against `calls`, by limit. */
function rowsOf(operations: readonly Operation[]): readonly (readonly [string, readonly string[]])[] {
  const rows = new Map<string, string[]>()
  for (const operation of operations.filter(({ rest }) => rest !== undefined)) {
    const limit = limitOf(operation)
    if (limit !== 'calls') rows.set(limit, [...(rows.get(limit) ?? []), operation.name])
  }
  return [...rows]
}

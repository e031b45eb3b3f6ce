import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { run } from '../adapters/cli/run.ts'
import { startServer } from '../adapters/main.ts'
import { configFrom } from '../adapters/node/config.ts'
import { backUp } from '../adapters/sqlite/facts/backup.ts'
import { restore } from '../adapters/sqlite/facts/restore.ts'
import { openModels } from '../adapters/sqlite/models/open.ts'

const base = '/api/v1/otep'

/** A restarted server has the address that it had. */
const fixed = { OTEP_BASE_URL: 'http://otep.example', OTEP_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') }

/** Two servers on one store, each of which sees the commits of the other as those of another process. */
async function servers(t: Test, settings: Readonly<Record<string, string>> = {}) {
  const env = {
    PORT: '0',
    HOST: '127.0.0.1',
    OTEP_LOG_LEVEL: 'silent',
    OTEP_DATA_DIR: t.testdir(),
    OTEP_PUBLIC_VIEW: 'full',
    ...fixed,
    ...settings,
  }
  const first = await startServer(configFrom(env))
  const second = await startServer(configFrom(env))
  t.teardown(() => Promise.all([first.stop(), second.stop()]))
  const otep = async (...line: readonly string[]) => {
    const texts: string[] = []
    const write = (text: string | Uint8Array) => texts.push(Buffer.from(text as string).toString()) > 0
    const stdin = Object.assign(Readable.from(['']), { isTTY: false })
    await run(line, { env, stdin, stdout: { write }, stderr: { write, isTTY: false, columns: 80 } } as never)
    return texts.join('')
  }
  const [key = ''] = /otep_\S+/.exec(await otep('provider', 'add', 'acme', '--all-businesses', '--init')) ?? []
  const post = (at: string, document: unknown) =>
    fetch(`${at}${base}/ingest`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(document),
    })
  const stop = () => Promise.all([first.stop(), second.stop()])
  return { urls: [first.url, second.url] as const, otep, post, stop, env, directory: env.OTEP_DATA_DIR }
}

/** What a caller gets, without what belongs to the exchange itself. */
async function got(url: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(url, { headers })
  const own = new Set(['x-request-id', 'date', 'keep-alive', 'connection', 'ratelimit'])
  const kept = [...response.headers].filter(([name]) => !own.has(name))
  return { status: response.status, headers: Object.fromEntries(kept), body: await response.text() }
}

let fresh = 0

/** The same read under an address that was never read before, so that no answer to it is at hand: white space does not count in numbers. */
const unread = (url: string) => {
  const spaces = (fresh++).toString(2).replaceAll('0', '%20').replaceAll('1', '%09')
  return url.replace(/(\/trackings\/[^/?]+)/, `$1${spaces}`)
}

/** The same number in other small and capital letters, by the bits of `choice`. */
const inLetters = (number: string, choice: number) =>
  [...number].map((letter, at) => ((choice >> at) % 2 === 1 ? letter.toUpperCase() : letter)).join('')

/** An event of a parcel. */
const eventOf = (index: number, more: object = {}) => ({
  ...{ event_id: `e-${index}`, status_code: 'in_transit', description: `Stop ${index}` },
  occurred_at: new Date(Date.parse('2026-06-10T08:00:00Z') + index * 60_000).toISOString(),
  ...more,
})

t.test('given a read timeline, when it is read again, then the answer and its headers are the same', async (t) => {
  const { urls, post } = await servers(t, { OTEP_HSTS: 'on' })
  await post(urls[0], { subject: { tracking_number: 'SR1' }, events: [eventOf(1)] })
  for (const path of [`${base}/trackings/SR1`, `${base}/trackings/SR1?format=epcis`, '/api/v1/otep/codebook']) {
    const first = await got(urls[0] + path)
    t.same(await got(urls[0] + path), first, path)
    t.same(await got(unread(urls[0] + path)), first)
    const known = { 'if-none-match': first.headers.etag ?? '' }
    const unchanged = await got(urls[0] + path, known)
    t.same(unchanged, await got(unread(urls[0] + path), known))
    t.equal(unchanged.status, first.status === 200 ? 304 : first.status)
    const asked = await fetch(urls[0] + path, { headers: { 'x-request-id': 'of-mine' } })
    t.equal(asked.headers.get('x-request-id'), 'of-mine')
    const head = await fetch(urls[0] + path, { method: 'HEAD' })
    t.same([head.status, await head.text()], [first.status, ''])
  }
})

t.test(
  'given events, enrichments, withdrawals and erasures from two processes, when timelines are read over and over, then each answer is that of the store',
  async (t) => {
    const { urls, post, otep } = await servers(t, { OTEP_LIMITS: 'off' })
    const step = fc.record({
      number: fc.constantFrom('parcel-one', 'parcel-two'),
      by: fc.constantFrom(...urls),
      what: fc.constantFrom('event', 'event', 'event', 'enrichment', 'withdrawal', 'erasure', 'nothing', 'nothing'),
      query: fc.constantFrom('', '?format=epcis', '?lang=de'),
      wait: fc.constantFrom(0, 0, 150),
    })
    let index = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const round = index++
        for (const { number, by, what, query, wait } of steps) {
          const own = `${number}-${round}`
          const subject = { tracking_number: own }
          if (what === 'event') await post(by, { subject, events: [eventOf(index++)] })
          if (what === 'enrichment') await post(by, { subject, events: [eventOf(0, { incident_reason: 'other' })] })
          if (what === 'withdrawal') {
            const withdrawn = { declared_at: '2026-06-12T00:00:00Z' }
            await post(by, { subject, events: [eventOf(0, { withdrawn })] })
          }
          if (what === 'erasure') await otep('forget', own, '--yes')
          for (const url of urls) {
            const path = `${url}${base}/trackings/${own}${query}`
            const now = await got(unread(path))
            // Written otherwise, it is in no memory, but its answer may have been kept.
            const other = `${url}${base}/trackings/${inLetters(own, fresh++)}`
            for (const address of query === '' ? [path, path, other] : [path, path]) {
              const read = await got(address)
              if (JSON.stringify(read) !== JSON.stringify(now))
                throw new Error(`${address} answers ${JSON.stringify(read)} and not ${JSON.stringify(now)}`)
            }
          }
          // Answers are kept a tenth of a second later.
          if (wait > 0) await setTimeout(wait)
        }
      }),
      { numRuns: 8, endOnFailure: true },
    )
    t.ok(index > 8)
  },
)

t.test('given one source, when it reads the same over and over, then it is limited and counted as ever', async (t) => {
  const { urls, post } = await servers(t, { OTEP_LIMITS: 'public_reads=1/h:20' })
  await post(urls[0], { subject: { tracking_number: 'SR1' }, events: [eventOf(1)] })
  const statuses = []
  for (let time = 0; time < 22; time++) statuses.push((await fetch(`${urls[0]}${base}/trackings/SR1`)).status)
  t.same(statuses, [...Array(20).fill(200), 429, 429])
  const metrics = await (await fetch(`${urls[0]}/metrics`)).text()
  const counted = /otep_http_request_duration_seconds_count\{[^}]*trackings\/:tracking_number"[^}]*2xx[^}]*\} (\d+)/
  t.match(metrics, counted)
  t.equal(counted.exec(metrics)?.[1], '20')
  t.match(metrics, 'otep_refused_requests_total{limit="public_reads"} 2\n', 'each refusal is counted once')
})

t.test('given a private view, when it is read after the public one, then neither is taken for the other', async (t) => {
  const { urls, post } = await servers(t, { OTEP_PUBLIC_VIEW: 'reduced' })
  const at = { address: { locality: 'Toronto', country: 'CA', street: 'Queen Street 5', postal_code: 'M5V 2T6' } }
  const event = eventOf(1, { status_code: 'delivered', location: at })
  await post(urls[0], { subject: { tracking_number: 'SR1' }, events: [event] })
  const url = `${urls[0]}${base}/trackings/SR1`
  for (let time = 0; time < 3; time++) {
    t.notMatch((await got(url)).body, 'Queen Street')
    t.match((await got(url, { 'x-postal-code': 'M5V 2T6' })).body, 'Queen Street')
    t.equal((await got(url, { authorization: 'Bearer wrong' })).status, 401)
  }
})

/** The entity tags of the answers that are kept in a directory, by number. */
function keptIn(directory: string): ReadonlyMap<string, string> {
  const database = openModels(join(directory, 'models.db'))
  try {
    const rows = database.prepare('SELECT number, tag FROM answers WHERE sealed = 1').all() as {
      number: string
      tag: string
    }[]
    return new Map(rows.map(({ number, tag }) => [number, tag]))
  } finally {
    database.close()
  }
}

/** Waits until the answer with this tag is kept. */
async function untilKept(directory: string, number: string, tag: string | undefined) {
  while (keptIn(directory).get(number) !== tag) await setTimeout(20)
}

/** How many documents a server has made. */
async function madeBy(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  return Number(/otep_projection_duration_seconds_count\{[^}]*format="otep"[^}]*\} (\d+)/.exec(metrics)?.[1] ?? 0)
}

t.test(
  'given a kept answer, when it is asked for anew, then nothing is made, until an event or an erasure',
  async (t) => {
    const { urls, post, otep, directory } = await servers(t)
    await post(urls[0], { subject: { tracking_number: 'SR1' }, events: [eventOf(1, { description: 'For Adaline' })] })
    const first = await got(`${urls[0]}${base}/trackings/SR1`)
    t.match(first.body, 'Adaline')
    await untilKept(directory, 'SR1', first.headers.etag)
    const bytes = () =>
      readdirSync(directory)
        .map((name) => readFileSync(join(directory, name), 'latin1'))
        .join()
    t.notMatch(bytes(), 'Adaline')
    for (const url of urls) {
      // The first answer of a process may not be a kept one: its secret is not proved yet.
      await got(`${url}${base}/trackings/Sr1`)
      const made = await madeBy(url)
      t.same(await got(`${url}${base}/trackings/sR1`), first)
      const known = await got(`${url}${base}/trackings/sr1`, { 'if-none-match': first.headers.etag ?? '' })
      t.same([known.status, known.body, known.headers.etag], [304, '', first.headers.etag])
      t.equal(await madeBy(url), made)
    }
    for (const accept of ['image/png', 'application/json;q=x', '*/*;q=0'])
      t.same(
        await got(`${urls[1]}${base}/trackings/sR1`, { accept }),
        await got(unread(`${urls[1]}${base}/trackings/sR1`), { accept }),
      )
    await post(urls[1], { subject: { tracking_number: 'SR1' }, events: [eventOf(2, { description: 'For Bertil' })] })
    for (const url of urls) t.match((await got(`${url}${base}/trackings/SR1?`)).body, 'Bertil')
    const second = await got(`${urls[0]}${base}/trackings/sR1`)
    t.match(second.body, 'Bertil')
    await untilKept(directory, 'SR1', second.headers.etag)
    await otep('forget', 'SR1', '--yes')
    for (const url of urls)
      for (const number of ['SR1', 'sR1', 'Sr1', 'sr1'])
        t.notMatch((await got(`${url}${base}/trackings/${number}`)).body, /Adaline|Bertil/)
    t.same([...keptIn(directory)], [])
  },
)

t.test(
  'given many kept answers, when they are asked for at once, then each gets its own, and what has none is made',
  async (t) => {
    const { urls, post, otep, directory } = await servers(t)
    const numbers = Array.from({ length: 150 }, (_, index) => `SR${index}`)
    const told = new Map<string, string>()
    for (const [index, number] of numbers.entries()) {
      await post(urls[0], { subject: { tracking_number: number }, events: [eventOf(index)] })
      const { body, headers } = await got(`${urls[0]}${base}/trackings/${number}`)
      told.set(number, body)
      await untilKept(directory, number, headers.etag)
    }
    await post(urls[0], { subject: { tracking_number: 'SR7' }, events: [eventOf(200, { description: 'Grown' })] })
    await otep('forget', 'SR8', '--yes')
    const at = (number: string) => `${urls[1]}${base}/trackings/${number}`
    await got(at('SR0'))
    const made = await madeBy(urls[1])
    const asked = [...numbers, 'SR-unknown', 'sr9', 'SR9']
    const answers = await Promise.all(asked.map((number) => got(at(number), { accept: 'application/json' })))
    const due = (number: string) => told.get(number.toUpperCase())
    for (const [index, { status, body }] of answers.entries()) {
      const number = asked[index] ?? ''
      if (number === 'SR7') t.match(body, 'Grown')
      else if (number === 'SR8') t.notMatch(body, 'Stop 8')
      else if (number === 'SR-unknown') t.equal(status, 404)
      else t.equal(body, due(number))
    }
    t.ok((await madeBy(urls[1])) - made <= 2, 'only the grown and the erased one are made')
  },
)

t.test('given a kept answer, when an older backup is put back and others follow, then it is not of them', async (t) => {
  const { urls, post, stop, directory, env } = await servers(t)
  const store = join(directory, 'otep.db')
  const add = (url: string, index: number) =>
    post(url, { subject: { tracking_number: 'SR1' }, events: [eventOf(index, { description: `Word ${index}` })] })
  await add(urls[0], 1)
  await backUp(store, join(directory, 'backup'))
  await add(urls[0], 2)
  const before = await got(`${urls[0]}${base}/trackings/SR1`)
  await untilKept(directory, 'SR1', before.headers.etag)
  await stop()
  await restore(join(directory, 'backup'), store, { force: true })
  const again = await startServer(configFrom(env))
  t.teardown(again.stop)
  await add(again.url, 3)
  const now = await got(unread(`${again.url}${base}/trackings/SR1`))
  t.match(now.body, 'Word 3')
  for (const number of ['SR1', 'sr1']) t.same(await got(`${again.url}${base}/trackings/${number}`), now)
})

t.test(
  'given a kept answer that says something else, when the store is verified, then it is found, and gone',
  async (t) => {
    const { urls, post, otep, stop, directory } = await servers(t)
    await post(urls[0], { subject: { tracking_number: 'SR1' }, events: [eventOf(1, { description: undefined })] })
    const first = await got(`${urls[0]}${base}/trackings/SR1`)
    const database = openModels(join(directory, 'models.db'))
    const count = database.prepare('SELECT count(*) AS count FROM answers')
    while ((count.get() as { count: number }).count === 0) await setTimeout(20)
    await stop()
    t.match(await otep('verify'), 'whole')
    const select = database.prepare('SELECT stream, maker, tag, ends FROM answers')
    const { stream, maker, tag, ends } = select.get() as Record<'stream' | 'maker' | 'tag' | 'ends', string>
    const wrong = Buffer.from(first.body.replace('in_transit', 'delivered!'))
    const sum = crc32(wrong, crc32(['SR1', stream, maker, tag, ends].join('\0')))
    database.prepare('UPDATE answers SET body = ?, sum = ?').run(wrong, sum)
    t.match(await otep('verify'), /^answers: tracking-tracking_number:SR1: /m)
    t.match(await otep('verify'), 'whole')
    t.same(count.get(), { count: 0 })
    database.close()
  },
)

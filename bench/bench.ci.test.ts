import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { openDatabase } from '../adapters/sqlite/facts/open.ts'
import { append } from './append.ts'
import { backup } from './backup.ts'
import { prepareBatches } from './batches.ts'
import { deadlines } from './deadlines.ts'
import { type Case, inTurn, median, rowsOf, runRounds, type Sample } from './harness.ts'
import { requestOf, send } from './load.ts'
import { orders } from './orders.ts'
import { createPeers, installPeers } from './peers/load.ts'
import { programAt, runProgram } from './program.ts'
import { holdGoals, namesIn, runPrograms, runSmall, small } from './small.test.fixture.ts'
import { tableOf } from './table.ts'
import { feedOf, steadyAfter, timelineLength } from './timelines.ts'

function sample(units: number, seconds: number, cpuSeconds: number): Sample {
  return { units, seconds, cpuSeconds }
}

t.test('given numbers, when the median is computed, then it is the middle, or the mean of the two', async (t) => {
  t.equal(median([9, 1, 5]), 5)
  t.equal(median([10, 2, 4, 1]), 3)
  t.equal(median([7]), 7)
})

t.test(
  'given cases, when they are run, then the order turns every other round and the first round does not count',
  async (t) => {
    t.same(
      [0, 1, 2].map((round) => inTurn(['a', 'b', 'c'], round).join('')),
      ['abc', 'cba', 'abc'],
    )
    const ran: string[] = []
    const caseOf = (name: string): Case => ({
      name,
      run: async () => {
        ran.push(name)
        return sample(ran.length, 1, 1)
      },
    })
    const reported: string[] = []
    const settings = { rounds: 2, scale: 1, directory: '', progress: (done: string) => reported.push(done) }
    const samples = await runRounds({ cases: [caseOf('a'), caseOf('b')] }, settings)
    t.equal(ran.join(''), 'abbaab')
    t.same(
      samples.get('a')?.map(({ units }) => units),
      [4, 5],
    )
    t.same(reported, ['warming up', 'round 1 of 2', 'round 2 of 2'])
  },
)

t.test('given samples, when rows are made, then a ratio is the median of the ratios of the rounds', async (t) => {
  const run = async () => sample(1, 1, 1)
  const cases: readonly Case[] = [
    { name: 'own', reference: 'other', run },
    { name: 'other', run },
  ]
  const samples = new Map([
    ['own', [sample(10, 1, 1), sample(10, 2, 2), sample(10, 5, 1)]],
    ['other', [sample(20, 1, 1), sample(10, 1, 1), sample(10, 4, 4)]],
  ])
  const [own, other] = rowsOf(cases, samples)
  t.same(own, { name: 'own', rate: 5, cpuMicros: 100_000, reference: 'other', ratio: 0.5, cpuRatio: 0.5 })
  t.same(other, { name: 'other', rate: 10, cpuMicros: 100_000 })
  const both = rowsOf([{ name: 'own', reference: ['other', 'own'], run }], samples)
  t.same(
    both.map(({ name, reference, ratio }) => [name, reference, ratio]),
    [
      ['own', 'other', 0.5],
      ['own', 'own', 1],
    ],
    'held against two, it has two rows',
  )
  const topic = { name: 'x', summary: '', unit: 'event', prepare: () => Promise.reject(new Error('not here')) }
  t.same(tableOf(topic, rowsOf(cases, samples)).split('\n'), [
    'case   events/s  CPU us/event  ratio  CPU ratio  to',
    'own           5      100000.0   0.50       0.50  other',
    'other        10      100000.0',
  ])
})

t.test('given the feed, when it is steady, then each ten events begin one parcel and go on with nine', async (t) => {
  const lines = feedOf(steadyAfter + 1000).slice(steadyAfter)
  const ages = lines.map((line) => (JSON.parse(line) as { event_id: string }).event_id.slice(-1))
  for (let age = 0; age < timelineLength; age++) {
    t.equal(ages.filter((one) => one === String(age)).length, 100)
  }
  t.same(feedOf(300), feedOf(500).slice(0, 300), 'it is always the same')
})

t.test('given a server, when a load is sent, then each request is sent once, and a wrong answer ends it', async (t) => {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(request.url ?? '')
    if (request.url === '/unchanged') response.writeHead(304).end()
    else response.writeHead(200, { 'Content-Length': 200_000 }).end('x'.repeat(200_000))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.closeAllConnections() ?? server.close())
  const { port } = server.address() as AddressInfo
  const paths = Array.from({ length: 20 }, (_, index) => `/${index}`)
  await send({ port, connections: 3, status: 200, requests: paths.map((path) => requestOf('GET', path)) })
  t.same(new Set(seen), new Set(paths))
  t.equal(seen.length, 20)
  const unchanged = [requestOf('GET', '/unchanged'), requestOf('POST', '/unchanged', { 'X-Y': 'z' }, '{}')]
  await send({ port, connections: 1, status: 304, requests: unchanged })
  await t.rejects(send({ port, connections: 1, status: 200, requests: unchanged }), { message: /304 and not 200/ })
})

t.test(
  'given a small run of ingest, when it is over, then the engine and raw insertion have written the same rows',
  async (t) => {
    const directory = t.testdir()
    const settings = small(directory)
    const { cases, notes, close } = await prepareBatches(settings)
    namesIn({ name: 'ingest' }, cases)
    const rows = rowsOf(cases, await runRounds({ cases }, settings))
    await close()
    t.equal(notes.length, 1)
    for (const row of rows) {
      t.ok(row.rate > 0 && row.cpuMicros > 0, row.name)
      t.equal((row.ratio ?? 0) > 0, row.name.startsWith('engine'))
    }
    for (const size of [1, 10, 100, 1000])
      t.same(contentOf(join(directory, `raw-${size}.db`)), contentOf(join(directory, `engine-${size}.db`)))
  },
)

t.test(
  'given a small run of appending, when it is over, then the engine and raw insertion have written the same rows, and no file is left',
  async (t) => {
    const directory = t.testdir()
    await runSmall(t, append, directory, () => {
      const plans = readdirSync(directory).filter((name) => /^append-store-\d\.db$/.test(name))
      t.equal(plans.length, 6)
      for (const file of plans)
        t.same(contentOf(join(directory, file)), contentOf(join(directory, file.replace('store', 'raw'))), file)
    })
    t.same(readdirSync(directory), [])
  },
)

t.test('given a built program, when it is measured, then it does its work or says why not', async (t) => {
  await runPrograms(t, [backup])
  const byHand = programAt('bench', 'programs', 'by-hand')
  await t.rejects(runProgram(1, [byHand, 'nothing']), { message: /There is no read model nothing/ })
})

t.test(
  'given small runs of orders and of deadlines, when they are over, then each case has a rate, and no file is left',
  async (t) => {
    const directory = t.testdir()
    for (const topic of [orders, deadlines]) await runSmall(t, topic, directory)
    t.same(readdirSync(directory), [])
  },
)

t.test('given the goals, when topics have run, then each uses existing cases', async (t) => {
  holdGoals(t)
})

t.test('given a folder of peers, when one is requested, then it is only loaded from there', async (t) => {
  const manifest = (name: string, more: object = {}) => ({
    'package.json': JSON.stringify({ name, version: '1.0.0', ...more }),
  })
  const inside = { ...manifest('other', { main: 'main.cjs' }), 'main.cjs': 'exports.says = "here"' }
  const folder = t.testdir({
    ...manifest('peers', { dependencies: { other: '1.0.0' } }),
    node_modules: { other: inside },
  })
  const peer = createPeers(folder)
  t.same(peer('other'), { says: 'here' })
  t.equal(peer('valibot'), undefined, 'though the project itself has it')
  t.equal(installPeers(folder), true, 'what is there is not installed again')
})

/** The comparable parts of the rows in the file of a store: all but the times and values derived from them. */
function contentOf(file: string): object {
  const database = openDatabase(file)
  const sums =
    'count(*) AS events, sum(length(data)) AS data, sum(length(meta)) AS meta, sum(rev) AS revisions, count(DISTINCT id) AS ids, count(sum) AS sums'
  const content = database
    .prepare(
      `SELECT ${sums}, (SELECT count(*) FROM streams) AS streams, (SELECT count(*) FROM keys JOIN streams ON subject = name) AS keys FROM events`,
    )
    .get()
  database.close()
  return { ...(content as object) }
}

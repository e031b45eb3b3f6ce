import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, existsSync, readdirSync, readFileSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { startDouble } from '../../../conformance/eventstore/double.ts'
import { program } from '../../../conformance/program/files.ts'
import { startServer } from '../../../conformance/program/server.ts'
import { configFrom } from '../../node/config.ts'
import { chooseDriver } from '../../sqlite/database.ts'
import { sealCopy, unsealCopy } from '../../sqlite/models/copy.ts'
import { openModels } from '../../sqlite/models/open.ts'
import { beginWithModels } from '../models-copy.ts'
import { newFile } from '../new-file.ts'
import { run } from '../run.ts'

const secret = '11'.repeat(32)

/** Runs the program in this process with its data in a directory. */
function at(dataDir: string, store?: string) {
  const env = { OTEP_DATA_DIR: dataDir, OTEP_SECRET_KEY: secret, ...(store === undefined ? {} : { OTEP_STORE: store }) }
  return async (line: readonly string[], input = '') => {
    const [out, error]: [string[], string[]] = [[], []]
    const stdout = { write: (text: string) => out.push(text) > 0 }
    const stderr = { write: (text: string) => error.push(text) > 0, isTTY: false, columns: 80 } as never
    const code = await run(line, { env, stdin: Readable.from([input]), stdout, stderr })
    return { code, out: out.join(''), error: error.join('') }
  }
}

function parcels(from: number, count: number): string {
  return Array.from({ length: count }, (_, number) =>
    JSON.stringify({
      ...{ otep_version: '0.1', profile: 'parcel' },
      subject: { tracking_number: `SR${from + number}`, order_id: from + number },
      ...{
        event_id: `SR${from + number}-1`,
        occurred_at: '2026-06-10T08:42:10Z',
        status_code: 'information_submitted',
      },
      ...{ phase: 'pre_shipment', source: { type: 'self_delivery', code: 'ORDER_IN' } },
      description: `Left with Zebulon Quillfeather ${from + number}`,
    }),
  ).join('\n')
}

/** Puts a copy in place as `otep serve` does before it serves, and returns what it says. */
async function begin(dataDir: string, copy: string, store?: string): Promise<string> {
  const env = { OTEP_DATA_DIR: dataDir, OTEP_SECRET_KEY: secret, ...(store === undefined ? {} : { OTEP_STORE: store }) }
  const out: string[] = []
  const stdout = { write: (text: string) => out.push(text) > 0 }
  const [stdin, stderr] = [Readable.from([]), { ...stdout, isTTY: false, columns: 80 } as never]
  const invocation = { env, stdin, stdout, stderr, positionals: [], values: {}, plugins: [] }
  await beginWithModels(configFrom(env), invocation, copy)
  return out.join('')
}

/** A node whose read models are built, and a copy of them. */
async function copied(t: Test, store?: string, directory = t.testdir({ node: {}, new: {} })) {
  const [node, copy] = [join(directory, 'node'), join(directory, 'models.copy')]
  const otep = at(node, store)
  t.match(await otep(['ingest', '-'], parcels(1, 60)), { code: 0 })
  t.match(await otep(['verify']), { code: 0 }, 'which brings all read models up')
  t.match(await otep(['backup', '--models', copy]), { code: 0, out: /^\d+ read models, \d+ rows, \d+ bytes, last/ })
  return { otep, copy, node, next: join(directory, 'new') }
}

t.test(
  'given a copy of a node, when another begins with it, then it answers, and reads only what came since',
  async (t) => {
    const double = await startDouble()
    t.teardown(() => double.close())
    const store = `${double.connectionString}&otepPrefix=shop.`
    const { otep, copy, next } = await copied(t, store)
    t.match(await otep(['ingest', '-'], parcels(1_001, 5)), { code: 0 })
    const own = double.events().length
    const before = double.tally.events()
    t.match(await begin(join(next, 'counted'), copy, store), /begins with/)
    t.match(await at(join(next, 'counted'), store)(['rebuild']), { code: 0 }, 'which brings the models up')
    const sent = double.tally.events() - before
    t.ok(sent < own / 2, `${sent} events were sent, of ${own}`)
    const settings = { OTEP_LIMITS: 'off', OTEP_STORE: store, OTEP_SECRET_KEY: secret }
    const server = await startServer(program, next, [], ['--models-from', copy], settings)
    t.teardown(() => server.stop())
    const url = `http://127.0.0.1:${server.port}`
    for (let left = 400; left > 0 && (await fetch(`${url}/readyz`)).status !== 200; left--) await setTimeout(50)
    for (const number of ['SR7', 'SR60', 'SR1003'])
      t.match(await (await fetch(`${url}/api/v1/track/${number}`)).json(), { events: [{}] }, number)
    t.match(await at(next, store)(['doctor']), { out: /^ok +models +of the history/m })
    t.match(await at(next, store)(['verify']), { code: 0 })
  },
)

t.test(
  'given what is no copy of this history, when a node is to begin with it, then it says why and has no models',
  async (t) => {
    const double = await startDouble()
    t.teardown(() => double.close())
    const store = `${double.connectionString}&otepPrefix=shop.`
    const { copy, next } = await copied(t, store)
    const changed = (name: string, change: (file: string) => void) => {
      const file = `${copy}.${name}`
      copyFileSync(copy, file)
      change(file)
      return file
    }
    const resealed = async (name: string, sql: string) => {
      const file = `${copy}.${name}`
      await unsealCopy(copy, file)
      const database = new (chooseDriver())(file)
      database.exec(sql)
      database.close()
      await sealCopy(file)
      return file
    }
    const flipped = changed('flipped', (file) => {
      const bytes = readFileSync(file)
      const place = bytes.length >> 1
      bytes.writeUInt8(bytes.readUInt8(place) ^ 1, place)
      writeFileSync(file, bytes)
    })
    const cases: readonly (readonly [string, RegExp, string?])[] = [
      [flipped, /is damaged/],
      [changed('cut', (file) => truncateSync(file, 5_000)), /is not a copy of read models/],
      [changed('empty', (file) => truncateSync(file, 0)), /is not a copy of read models/],
      [
        await resealed('older', 'ALTER TABLE generations DROP COLUMN history'),
        /does not hold read models of this version/,
      ],
      [await resealed('later', 'PRAGMA user_version = 9'), /does not hold read models of this version/],
      [
        await resealed('model', `UPDATE generations SET version = 0 WHERE model = 'identifiers'`),
        /no read model identifiers/,
      ],
      [
        await resealed('event', `UPDATE generations SET id = '1', history = NULL WHERE id IS NOT NULL`),
        /has not the event/,
      ],
      [
        copy,
        /of the history [0-9a-f-]{36}, and the store has the history/,
        `${double.connectionString}&otepPrefix=other.`,
      ],
      [`${copy}.absent`, /no such file|ENOENT/],
    ]
    for (const [file, why, elsewhere = store] of cases) {
      const told = await at(next, elsewhere)(['serve', '--port', '0', '--models-from', file])
      t.match(told, { code: 1, error: why }, file)
      t.match(told.error, /cannot begin with .* Without --models-from, the server builds its read models/)
      t.same(readdirSync(next), [], 'nothing is left')
    }
  },
)

t.test('given models of a node, when it is told to begin with a copy, then it keeps its own', async (t) => {
  const { otep, copy, node } = await copied(t)
  const before = readFileSync(join(node, 'models.db'))
  t.match(await begin(node, `${copy}.absent`), /models.db is there already, so .* is not needed/)
  t.same(readFileSync(join(node, 'models.db')), before)
  t.match(await otep(['show', 'SR7']), { code: 0 })
})

t.test(
  'given a node that builds a model, when a copy is made, then it is refused, and so is a directory of copies',
  async (t) => {
    const { otep, copy, node } = await copied(t)
    const database = openModels(join(node, 'models.db'))
    database.exec(`UPDATE generations SET serves = 0 WHERE model = 'orders'`)
    database.close()
    t.match(await otep(['backup', '--models', copy]), { code: 1, error: /exists already/ })
    t.match(await otep(['backup', '--models', copy, '--force']), {
      code: 1,
      error: /orders of this node is still being built/,
    })
    t.match(await otep(['backup', '--models', copy, '--keep', '2']), { code: 2 })
    t.match(await at(join(node, 'nowhere'))(['backup', '--models', `${copy}.2`]), {
      code: 1,
      error: /no read models here/,
    })
    t.match(await otep(['backup', '--models', join(node, 'models.db'), '--force']), {
      code: 1,
      error: /belongs to the store/,
    })
  },
)

t.test(
  'given a copy, when a person in it is erased and a node begins with it, then nothing tells of the person',
  async (t) => {
    const { otep, copy, next } = await copied(t)
    const number = 'SR42'
    t.match(await otep(['show', number, '--json']), { code: 0, out: /Quillfeather 42/ })
    t.match(await otep(['backup', '--models', copy, '--force']), { code: 0 })
    const bytes = readFileSync(copy, 'latin1')
    t.notMatch(bytes, /Quillfeather/, 'no name is in it')
    t.notMatch(bytes, /CREATE TABLE (snapshots|answers)/, 'and no folded timeline')
    t.match(await otep(['forget', number, '--yes']), { code: 0 })
    t.match(await otep(['backup', join(next, 'otep.db')]), { code: 0 })
    t.match(await begin(next, copy), /begins with/)
    t.ok(existsSync(join(next, 'models.db')))
    t.notMatch((await at(next)(['show', number, '--json'])).out, /Quillfeather/)
    t.match(await at(next)(['verify']), { code: 0 })
  },
)

t.test(
  'given a copy that is killed, when the next one is made, then what it left goes, and what others write stays',
  async (t) => {
    const directory = t.testdir({})
    const library = new URL('../new-file.js', import.meta.url).href
    const program = `
    const { newFile } = await import(${JSON.stringify(library)})
    setInterval(() => {}, 1_000)
    await newFile(process.argv[1], false, () => { console.log('writes'); return new Promise(() => {}) })`
    const begin = async (name: string) => {
      const words = ['--input-type=module', '-e', program, join(directory, name)]
      const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
      t.teardown(() => child.kill('SIGKILL'))
      await once(child.stdout, 'data')
      return child
    }
    const killed = await begin('one.db')
    await begin('two.db')
    killed.kill('SIGKILL')
    await once(killed, 'exit')
    const old = `three.db.${randomUUID()}.partial`
    const others = ['mine.partial', `four.db.${randomUUID()}.partial`]
    for (const name of [old, ...others]) writeFileSync(join(directory, name), '')
    utimesSync(join(directory, old), 0, 0)
    t.equal(readdirSync(directory).length, 5)
    await newFile(join(directory, 'five.db'), false, async () => undefined)
    const left = readdirSync(directory).filter((name) => !others.includes(name))
    t.match(left.sort(), ['five.db', /^two\.db\..*\.partial$/])
  },
)

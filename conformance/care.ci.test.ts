import { randomInt } from 'node:crypto'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { run } from '../adapters/cli/run.ts'
import { createApp, createParts } from '../adapters/main.ts'
import { backUp } from '../adapters/sqlite/facts/backup.ts'
import { checkFile } from '../adapters/sqlite/facts/check.ts'
import { clock, contentOf, fact } from '../adapters/sqlite/facts/events.test.fixture.ts'
import { createSqliteStore } from '../adapters/sqlite/facts/index.ts'
import { type Answered, startWriter } from '../adapters/sqlite/facts/processes/writers.test.fixture.ts'
import { restore } from '../adapters/sqlite/facts/restore.ts'
import { type Context, call, en, otepIngest, type RecordedEvent, type Storage, sha256 } from '../engine/index.ts'
import { startCommand } from './care/program.ts'
import { untilMoment } from './kill/moment.ts'
import { program, projectFile } from './program/files.ts'
import { startServer } from './program/server.ts'

const rounds = Number(process.env.OTEP_KILL_ROUNDS ?? 3)

/** Runs a command line in this process and answers what it prints. */
async function otep(...line: readonly string[]): Promise<string> {
  const [stdin, stdout, errors] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const stderr = Object.assign(errors, { isTTY: false, columns: 80 })
  const code = await run(line, { env: {}, stdin, stdout, stderr })
  const said = await text(errors.end())
  if (code !== 0) throw new Error(`otep ${line.join(' ')}: ${said}`)
  return (await text(stdout.end())).trim()
}

/** A store of many events, each of some size. */
async function filled(file: string, count: number): Promise<readonly RecordedEvent[]> {
  const store = createSqliteStore({ file, clock })
  for (let done = 0; done < count; done += 1000) {
    const events = Array.from({ length: 1000 }, () => fact({ of: file, padding: 'x'.repeat(1000) }))
    await store.append(`box-${(done / 1000) % 7}`, events, 'any')
  }
  await store.close()
  return contentOf(file)
}

/** A digest of a history; comparing this many events one by one would take too long. */
function printOf(events: readonly RecordedEvent[]): string {
  return sha256(JSON.stringify(events))
}

async function damagesIn(file: string): Promise<readonly string[]> {
  const found: string[] = []
  await checkFile(file, ({ place, problem }) => found.push(`${place}: ${problem}`))
  return found
}

t.test(
  'given a writer, when the store is copied, then the copy is all that stood at one moment, in whole calls',
  async (t) => {
    const [file, copy] = [join(t.testdir(), 'events.db'), join(t.testdirName, 'copy.db')]
    // More pages than one step of a copy has.
    const filledBefore = 12_000
    await filled(file, filledBefore)
    const writer = startWriter(file, 'forever')
    t.teardown(() => writer.kill('SIGKILL'))
    await new Promise((resolve) => writer.stdout.once('data', resolve))
    writer.stdout.resume()
    const steps: number[] = []
    const { events: count } = await backUp(file, copy, (done) => steps.push(done))
    const later = await contentOf(file)
    writer.kill('SIGKILL')
    const events = await contentOf(copy)
    t.ok(steps.length > 1, 'it comes in steps')
    t.equal(events.length, count)
    t.ok(later.length > count, 'the writer has gone on')
    t.equal(printOf(events), printOf(later.slice(0, count)), 'it is the beginning of the later history')
    const calls = new Map<string, number>()
    for (const { data } of events.slice(filledBefore)) {
      const { call, of } = data as Answered
      calls.set(call, (calls.get(call) ?? of) - 1)
    }
    const torn = [...calls].filter(([, missing]) => missing !== 0)
    t.same(torn, [])
    t.same(await damagesIn(copy), [])
  },
)

t.test(
  'given kills at any moment, when the store is backed up, then there is a whole file under the name, or none',
  async (t) => {
    const directory = t.testdir({ data: {} })
    const events = await filled(join(directory, 'data', 'otep.db'), 6_000)
    for (let round = 0; round < rounds; round++) {
      const file = join(directory, `backup-${round}.db`)
      const line = ['backup', file, '--data-dir', join(directory, 'data')]
      const command = startCommand(program, line)
      await untilMoment({ wait: randomInt(400), file: directory })
      command.kill()
      const code = await command.ended
      t.comment(`killed: ${code === null}, under the name: ${existsSync(file)}`)
      if (!existsSync(file)) t.match(await otep(...line), '6000 events', 'the last run is not in the way of the next')
      t.equal(printOf(await contentOf(file)), printOf(events))
      const left = readdirSync(directory).filter((name) => name.endsWith('.partial'))
      t.ok(left.length <= (code === null ? 1 : 0), 'a killed run leaves one file, and others none')
      for (const name of left) {
        t.equal(statSync(join(directory, name)).mode & 0o777, 0o600)
        rmSync(join(directory, name))
      }
    }
  },
)

t.test(
  'given kills at any moment, when a backup is restored, then the store has the old or the new history',
  async (t) => {
    const directory = t.testdir({ data: {} })
    const file = join(directory, 'data', 'otep.db')
    const [old, backup] = [join(directory, 'old.db'), join(directory, 'backup.db')]
    const [before, after] = [await filled(old, 1_000), await filled(backup, 8_000)]
    const count = { old: 0, new: 0 }
    for (let round = 0; round < rounds; round++) {
      await restore(old, file, { force: true })
      const command = startCommand(program, ['restore', backup, '--force', '--data-dir', join(directory, 'data')])
      await untilMoment({ wait: randomInt(700), file: `${file}-wal` })
      command.kill()
      await command.ended
      const events = await contentOf(file)
      const isOld = events.length === before.length
      t.equal(printOf(events), printOf(isOld ? before : after))
      t.same(await damagesIn(file), [])
      count[isOld ? 'old' : 'new']++
    }
    t.comment(`the old stood ${count.old} times, the new ${count.new} times`)
  },
)

t.test(
  'given tags of before a restore, when facts come again, then revisions are the same and tags are not',
  async (t) => {
    const [file, backup] = [join(t.testdir({}), 'otep.db'), join(t.testdirName, 'backup.db')]
    const tagsAfter = async (status_code: string) => {
      const store = createSqliteStore({ file, clock: Date.now })
      const { app, push } = nodeOn(store)
      await push(status_code)
      const { length } = await store.read('tracking-tracking_number:T1')
      const answers = await Promise.all(
        ['/api/v1/otep/trackings/T1', '/api/v1/otep/trackings/T1/events', '/track/T1'].map((path) =>
          app.fetch(new Request(`http://localhost${path}`)),
        ),
      )
      await store.close()
      return { length, tags: answers.map(({ headers }) => headers.get('etag')) }
    }
    await tagsAfter('received')
    await backUp(file, backup)
    const before = await tagsAfter('in_transit')
    await restore(backup, file, { force: true })
    const after = await tagsAfter('out_for_delivery')
    t.equal(after.length, before.length)
    for (const [index, tag] of after.tags.entries()) {
      t.type(tag, 'string')
      t.not(tag, before.tags[index])
    }
  },
)

/** The program on a store, and what pushes an event of one parcel to it. */
function nodeOn(store: Storage) {
  const context: Context = {
    ...createParts({ store, publicView: 'full' }),
    caller: { kind: 'operator', name: 'acme', scopes: ['otep:ingest'] },
    messages: en,
    requestId: 'test',
  }
  const event = { occurred_at: '2026-06-10T10:00:00Z', source: { type: 'node_scan' } }
  return {
    app: createApp({ store, publicView: 'full' }),
    push: (status_code: string) =>
      call(otepIngest, context, {
        document: { subject: { tracking_number: 'T1' }, events: [{ ...event, status_code }] },
      }),
  }
}

/** The status of a path, once the server responds. */
async function statusOf(url: string, path: string): Promise<number> {
  const { status } = await fetch(`${url}${path}`)
  if (status !== 503) return status
  await setTimeout(20)
  return statusOf(url, path)
}

async function told(t: Test, url: string, number: string, status: number) {
  t.equal(await statusOf(url, `/api/v1/otep/trackings/${number}`), status, `${number} is answered with ${status}`)
}

t.test(
  'given a running server, when a backup is restored, then it only serves the backup, and continues',
  async (t) => {
    const directory = t.testdir({})
    const [dataDir, backup] = [join(directory, 'data'), join(directory, 'backup.db')]
    const example = (name: string) => projectFile('docs', 'examples', `${name}.ndjson`)
    const here = ['--data-dir', dataDir]
    await otep('ingest', example('happy-path'), ...here)
    const early = await otep('provider', 'add', 'early', '--all-businesses', '--init', ...here)
    await otep('backup', backup, ...here)
    await otep('ingest', example('returned'), ...here)
    const late = await otep('provider', 'add', 'late', '--all-businesses', '--init', ...here)
    const server = await startServer(program, dataDir)
    t.teardown(() => server.kill())
    const url = `http://127.0.0.1:${server.port}`
    await told(t, url, 'SR260610041', 200)
    await told(t, url, 'SR260914208', 200)
    const push = (key: string) =>
      fetch(`${url}/api/v1/otep/ingest`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({
          otep_version: '0.1',
          subject: { tracking_number: 'NEW1' },
          events: [
            {
              event_id: 'n-1',
              occurred_at: '2026-07-01T10:00:00Z',
              status_code: 'picked_up',
              source: { type: 'node_scan' },
            },
          ],
        }),
      }).then(({ status }) => status)
    t.equal(await push(late), 200)
    const live = await fetch(`${url}/api/v1/otep/trackings/SR260914208/stream`)
    t.equal(live.status, 200)
    await otep('restore', backup, '--force', ...here)
    await live.text()
    t.pass('the live stream ends')
    await told(t, url, 'SR260610041', 200)
    await told(t, url, 'SR260914208', 404)
    await told(t, url, 'NEW1', 404)
    t.equal(await push(late), 401, 'a key that was given later is not known')
    t.equal(await push(early), 200)
    await told(t, url, 'NEW1', 200)
    t.match(await otep('verify', ...here), /whole/)
    t.equal(await server.stop(), 0)
  },
)

import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import t from 'tap'
import { ready } from '../../../conformance/faults/setting.ts'
import { addProvider } from '../../../conformance/program/provider.ts'
import { clientOf } from '../../../conformance/rest/client.ts'
import { codesOf, document, journey } from '../../../conformance/rest/events.ts'
import { run } from '../../cli/run.ts'
import { startServer } from '../../main.ts'
import { configFrom } from '../../node/config.ts'
import { createDeliveryRepository } from '../deliveries/index.ts'
import { delivery, reached } from '../deliveries/made.test.fixture.ts'
import { clock } from '../facts/events.test.fixture.ts'
import { createSqliteStore } from '../facts/index.ts'
import { faults, inject, replaceDriver, restoreDriver } from './driver.test.fixture.ts'
import { chosenBy } from './script.test.fixture.ts'
import { surviveAll } from './scripts.test.fixture.ts'

replaceDriver()

t.test('given work on a database, when a few of its driver calls fail, then nothing is lost or wrong', (t) =>
  surviveAll(t, chosenBy(32, 61)),
)

t.test('given a server, when its databases fail again and again, then it answers clearly, and lives', async (t) => {
  const directory = t.testdir()
  const key = await addProvider('acme', ['--data-dir', directory])
  const settings = {
    PORT: '0',
    HOST: '127.0.0.1',
    OTEP_LOG_LEVEL: 'silent',
    OTEP_LIMITS: 'off',
    OTEP_DATA_DIR: directory,
  }
  const server = await startServer(configFrom(settings))
  t.teardown(server.stop)
  const client = clientOf(server.url, key)
  await ready(client)
  const seen = new Set<string>()
  for (let number = 0; number < 40; number++) {
    const fault = faults[number % faults.length]
    if (fault === undefined) throw new Error('There are no faults.')
    const path = `/api/v1/otep/trackings/FAULT${number}`
    inject({ file: '.db', from: number % 11, count: 1 + (number % 4), fault })
    const taken = await client.ingest(document(`FAULT${number}`, journey))
    const read = await client.get(path)
    t.notOk(taken.status === 200 && read.status === 404, 'what was acknowledged is there')
    for (const { status, body } of [taken, read, await client.get('/readyz')])
      seen.add(`${status} ${body.code ?? body.status ?? 'ok'}`)
    restoreDriver()
    t.equal((await client.ingest(document(`FAULT${number}`, journey))).status, 200)
    t.same(codesOf(await client.timeline(`FAULT${number}`)), codesOf({ events: journey }))
  }
  const clear = [
    '200 ok',
    '200 ready',
    '404 timeline_not_found',
    '503 store_unavailable',
    '503 unready',
    '500 internal',
  ]
  t.same(
    [...seen].filter((answer) => !clear.includes(answer)),
    [],
  )
  await server.stop()
  const printed: string[] = []
  const write = (text: string) => printed.push(text) > 0
  const terminal = {
    env: {},
    stdin: Readable.from([]),
    stdout: { write },
    stderr: { write, isTTY: false, columns: 80 },
  }
  t.equal(await run(['verify', '--data-dir', directory], terminal), 0, printed.join(''))
})

t.test('given a claim that fails at any of its calls, when it is repeated, then it has what is due', async (t) => {
  const [fault] = faults
  if (fault === undefined) throw new Error('There are no faults.')
  for (let from = 0, calls = 1; from < calls; from++) {
    const file = join(t.testdir(), 'webhooks.db')
    const repository = createDeliveryRepository({ file, clock })
    await repository.save([delivery('a'), delivery('b')], reached(1), [])
    inject({ file, from, count: 1, fault })
    await t.rejects(repository.claim('e1', 2_000, 1), { code: 'store_unavailable' })
    const { deliveries } = await repository.claim('e1', 2_000, 1)
    t.match(deliveries, [{ id: 'a' }])
    calls = restoreDriver() - from - 1
    await repository.close()
  }
})

/** Opens a store as a user who owns nothing here. */
function openAsAnother(file: string, own: string): string {
  // Root may read every file; another user may not load this program, so it is loaded first.
  const program = `
    const { createSqliteStore } = await import(${JSON.stringify(new URL('../facts/index.js', import.meta.url).href)})
    createSqliteStore({ file: ${JSON.stringify(`${own}.other`)}, clock: Date.now })
    if (process.getuid() === 0) process.setuid(65534)
    createSqliteStore({ file: ${JSON.stringify(file)}, clock: Date.now })`
  return spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }).stderr
}

t.test('given a file that another user owns, when it is opened, then the refusal says so', async (t) => {
  // Others may not enter the directory of the tests.
  const directory = mkdtempSync(join(tmpdir(), 'otep-owned-'))
  t.teardown(() => rmSync(directory, { recursive: true }))
  const file = join(directory, 'otep.db')
  await createSqliteStore({ file, clock }).close()
  chmodSync(directory, 0o755)
  chmodSync(file, 0o000)
  t.match(openAsAnother(file, file), /otep\.db cannot be opened: permission denied/)
})

t.test('given a directory that may not be made, when a store is opened in it, then the refusal says so', async (t) => {
  const directory = t.testdir({ closed: {} })
  const closed = join(directory, 'closed')
  chmodSync(closed, 0o500)
  t.teardown(() => chmodSync(closed, 0o700))
  const stderr = openAsAnother(join(closed, 'new', 'otep.db'), join(directory, 'otep.db'))
  t.match(stderr, /otep\.db cannot be opened: permission denied/)
})

import { randomBytes } from 'node:crypto'
import t, { type Test } from 'tap'
import { type Line, serve } from '../adapters/telemetry/server.test.fixture.ts'
import { startDouble } from './eventstore/double.ts'
import { codesOf, eventually, openBusiness, send, signIn } from './orders/office.ts'
import { program } from './program/files.ts'

process.env.OTEP_SECRET_KEY = randomBytes(32).toString('hex')

const order = { type: 'D', delivery: { name: 'Ann', address: { street: '1 Main Street', country: 'CA' } } }

/** What a line says, if it is above debug and not the answer to a call that worked. */
function loud({ level, msg, status = 0 }: Line): readonly unknown[] {
  return level === 'debug' || (msg === 'answered' && Number(status) < 500) ? [] : [msg]
}

/** A server in a separate process, on a double of an event store server, and somebody who creates orders there. */
async function office(t: Test) {
  const double = await startDouble()
  t.teardown(() => double.close())
  const dataDir = t.testdir({})
  const { admin } = await openBusiness(['--store', double.connectionString, '--data-dir', dataDir], {
    admin: 'client_admin',
  })
  const start = () =>
    serve(t, program, {
      ...{ OTEP_STORE: double.connectionString, OTEP_DATA_DIR: dataDir, OTEP_STORE_PATIENCE: '3' },
      ...{ OTEP_LOG_LEVEL: 'debug', OTEP_LIMITS: 'off', OTEP_PUBLIC_VIEW: 'full' },
      OTEP_BASE_URL: 'http://localhost',
      OTEP_SECURITY_LOG: 'off',
    })
  return { double, admin, start }
}

t.test(
  'given a server that works, when its store is lost and comes back, then two lines say so, calls are refused, and all goes on',
  async (t) => {
    const { double, admin, start } = await office(t)
    const { url, lines, logged } = await start()
    const node = { port: Number(new URL(url).port) }
    const token = await signIn(node, admin)
    const create = () => send(node, 'POST', '/api/v1/orders', { token, body: order })
    const codes = (numbers: readonly string[]) =>
      eventually(
        () => codesOf(node, numbers),
        (found) => numbers.every((number) => (found.get(number)?.length ?? 0) > 0),
      )
    await logged('read models are caught up')
    const { body: first } = await create()
    await codes([first.tracking_number])
    const before = lines.length

    await double.stop()
    const waited = await Promise.all([create(), create()])
    t.match(waited, [
      { status: 503, body: { code: 'store_unavailable' } },
      { status: 503, body: { code: 'store_unavailable' } },
    ])
    await logged('store lost')
    for (const path of ['/api/v1/orders/1', `/api/v1/otep/trackings/${first.tracking_number}`]) {
      const { status, headers } = await fetch(`${url}${path}`, { headers: { Authorization: `Bearer ${token}` } })
      t.match({ status, retry: headers.get('Retry-After') }, { status: 503, retry: '1' }, path)
    }
    t.equal((await create()).status, 503)
    await double.start()
    t.match(await logged('store is back'), { level: 'info', seconds: Number })

    const { status, body: second } = await create()
    t.equal(status, 200)
    const found = await codes([first.tracking_number, second.tracking_number])
    t.same([...found.values()], [['information_submitted'], ['information_submitted']], 'policies go on')
    t.same(lines.slice(before).flatMap(loud), ['store lost', 'store is back'])
    t.match(await logged('store lost'), { level: 'warn' })
  },
)

t.test('given a store that is lost, when the server is told to stop, then it ends as always', async (t) => {
  const { double, start } = await office(t)
  const { url, child, ended, logged } = await start()
  await logged('read models are caught up')
  await double.stop()
  t.equal((await fetch(`${url}/api/v1/otep/trackings/SR1`)).status, 503)
  child.kill('SIGTERM')
  t.same(await ended, [0, null])
})

t.test(
  'given a store that is away, when a server starts, then it says so, and works when the store is there',
  async (t) => {
    const { double, admin, start } = await office(t)
    await double.stop()
    const { url, lines, logged } = await start()
    await logged('the store does not answer yet')
    await double.start()
    await logged('store is back')
    await logged('read models are caught up')
    const node = { port: Number(new URL(url).port) }
    const token = await signIn(node, admin)
    t.match(await send(node, 'POST', '/api/v1/orders', { token, body: order }), { status: 200 })
    const told = ['read models are caught up', 'started', 'store is back', 'the store does not answer yet']
    t.same(lines.flatMap(loud).toSorted(), told)
  },
)

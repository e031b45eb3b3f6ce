import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { openBusiness, send, signIn } from './orders/office.ts'
import { program } from './program/files.ts'
import { otep } from './program/otep.ts'
import { type Server, startServer } from './program/server.ts'
import { nativeIn } from './webhooks/judges.ts'
import { until } from './webhooks/live.test.fixture.ts'
import { type Capture, headerOf, startReceiver } from './webhooks/receiver.ts'

/** A server whose receiver took the webhook of one order and refused that of another, and a backup made meanwhile. */
async function backedUp(t: Test) {
  process.env.OTEP_WEBHOOK_ALLOW = '127.0.0.0/8'
  t.teardown(() => delete process.env.OTEP_WEBHOOK_ALLOW)
  const directory = t.testdir({})
  const dataDir = join(directory, 'data')
  const { admin } = await openBusiness(['--data-dir', dataDir], { admin: 'client_admin' })
  const receiver = await startReceiver(Date.now)
  t.teardown(receiver.close)
  const server = await startServer(program, dataDir)
  t.teardown(() => server.kill())
  const token = await signIn(server, admin)
  const body = { order_create_webhook_url: receiver.urlOf('/orders') }
  t.equal((await send(server, 'PUT', '/api/v1/webhook-settings', { token, body })).status, 200)
  const push = async (): Promise<number> => {
    const made = { type: 'D', delivery: { name: 'A', address: { street: '1 Street' } } }
    return (await send(server, 'POST', '/api/v1/orders', { token, body: made })).body.order_id
  }
  await push()
  await until(
    () => receiver.at('/orders').length === 1,
    () => 'the webhook of the first order',
  )
  receiver.answer('/orders', () => ({ status: 503 }))
  const refused = await push()
  await until(
    () => receiver.at('/orders').length === 2,
    () => 'the webhook of the second order',
  )
  await until(
    async () => (await logOf(server, token)).some(({ last_status }) => last_status === 503),
    () => 'the attempt that was refused, in the log',
  )
  const backup = join(directory, 'backup.db')
  const told = await otep(['backup', backup, '--data-dir', dataDir])
  return { directory, dataDir, admin, receiver, server, refused, backup, told }
}

async function logOf(server: Server, token: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  return (await send(server, 'GET', '/api/v1/webhook-deliveries?per_page=50', { token })).body.deliveries
}

const orderIn = (one: Capture) => nativeIn('native', one).data.order_id

t.test(
  'given a lost machine, when a backup is restored on a new one, then what waited is sent, and nothing else',
  async (t) => {
    const { directory, dataDir, admin, receiver, server, refused, backup, told } = await backedUp(t)
    t.match(told, /2 webhook deliveries/)
    t.match(await otep(['verify', '--data-dir', dataDir]), /: whole \(.*, 2 webhook deliveries\)/)
    t.match(await otep(['verify', backup, '--data-dir', dataDir]), /: whole \(.*, 2 webhook deliveries\)/)
    await server.kill()
    const [, first] = receiver.at('/orders')
    const newDir = join(directory, 'new')
    mkdirSync(newDir, { mode: 0o700 })
    cpSync(join(dataDir, 'secret.key'), join(newDir, 'secret.key'))
    t.match(await otep(['restore', backup, '--data-dir', newDir]), /2 webhook deliveries came with them/)
    receiver.answer('/orders', () => ({ status: 200 }))
    const before = receiver.at('/orders').length
    const restored = await startServer(program, newDir)
    t.teardown(() => restored.kill())
    await until(
      () => receiver.at('/orders').length > before,
      () => 'the webhook that waited',
    )
    const token = await signIn(restored, admin)
    await until(
      async () => (await logOf(restored, token)).every(({ state }) => state === 'delivered'),
      () => 'all deliveries in the log',
    )
    const later = receiver.at('/orders').slice(before)
    t.same(later.map(orderIn), [refused], 'the delivered one is not sent again')
    const [again] = later
    const eventOf = (one?: Capture) => one && headerOf(one, 'X-Webhook-Event-Id')
    t.equal(eventOf(again), eventOf(first), 'it is the same event')
    t.not(again && headerOf(again, 'X-Webhook-Attempt'), '1', 'and the attempt before the loss is counted')
    const log = await logOf(restored, token)
    t.equal(log.length, 2, 'the log has what was sent before the backup')
  },
)

t.test(
  'given deliveries that are there, when a backup is restored, then they stay; and a refused restore leaves none',
  async (t) => {
    const { directory, dataDir, server, backup } = await backedUp(t)
    await server.kill()
    t.notMatch(await otep(['restore', backup, '--force', '--data-dir', dataDir]), /came with them/)
    const other = join(directory, 'other')
    mkdirSync(other, { mode: 0o700 })
    cpSync(join(dataDir, 'secret.key'), join(other, 'secret.key'))
    await openBusiness(['--data-dir', other], { admin: 'client_admin' })
    await t.rejects(otep(['restore', backup, '--data-dir', other]), /has events/, 'a store with events')
    t.notOk(existsSync(join(other, 'webhooks.db')))
  },
)

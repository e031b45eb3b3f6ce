import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { openDatabase } from '../adapters/sqlite/facts/open.ts'
import { eventually, type Known, openBusiness, send, signIn } from './orders/office.ts'
import { program } from './program/files.ts'
import { otep } from './program/otep.ts'
import { type Server, startServer } from './program/server.ts'
import { startReceiver } from './webhooks/receiver.ts'

/** What tells of the people who are erased; each occurs once, and nowhere else. */
const planted = {
  driver: 'Zebulon Quillfeather',
  driverEmail: 'zq.unlikely@plants.example',
  customer: 'Ottoline Marchbanks',
  customerEmail: 'om.improbable@plants.example',
  latitude: 43.6521987,
  longitude: -79.3837165,
  reason: 'because Wilhelmina asked',
  street: '4711 Quincunx Crescent',
  rejected: 'not for Zebulon Quillfeather, he is ill',
}
const telling = Object.values(planted).map(String)

function tellingIn(text: string): readonly string[] {
  return telling.filter((one) => text.includes(one))
}

/**
 * All bytes in a directory, as one text. Another process reads them: closing a file of a database would end the locks
 * that this process has on it.
 */
function bytesIn(directory: string): string {
  const files = readdirSync(directory).map((name) => join(directory, name))
  return execFileSync('cat', files, { encoding: 'latin1', maxBuffer: 64 * 1024 * 1024 })
}

/** The keys of streams, as the file has them. */
function keysIn(file: string, streams: readonly string[]): readonly string[] {
  const database = openDatabase(file)
  try {
    const find = database.prepare('SELECT key FROM keys WHERE subject = ?')
    return streams.flatMap((stream) => {
      const { key } = (find.get(stream) ?? {}) as { readonly key?: string | null }
      return key ? [key] : []
    })
  } finally {
    database.close()
  }
}

/** Every answer that could tell of a person of the business. */
async function readings(server: Server, token: string): Promise<string> {
  const get = async (path: string) => (await send(server, 'GET', `/api/v1/${path}`, { token })).body
  const [drivers, deliveries] = await Promise.all([get('drivers'), get('webhook-deliveries')])
  const details = await Promise.all(
    deliveries.deliveries.map(({ delivery_id }: { delivery_id: string }) => get(`webhook-deliveries/${delivery_id}`)),
  )
  const proposals = await Promise.all([1, 2, 3, 4].map((id) => get(`approvals/${id}`)))
  const lists = await Promise.all([get('accounts'), get('approvals'), get('orders'), get('orders/1'), get('routes')])
  return JSON.stringify([drivers, deliveries, details, proposals, lists])
}

t.test('given a driver and a customer whom everything tells of, when they are erased, then nothing does', async (t) => {
  const receiver = await startReceiver(Date.now)
  t.teardown(receiver.close)
  const dataDir = join(t.testdir({ data: {}, elsewhere: {} }), 'data')
  const elsewhere = join(dataDir, '..', 'elsewhere')
  const here = ['--data-dir', dataDir]
  const { admin, clerk } = await openBusiness(here, { admin: 'client_admin', clerk: 'client_employee' })
  let server = await startServer(program, dataDir)
  t.teardown(() => server.stop())
  const token = await signIn(server, admin)
  const clerks = await signIn(server, clerk)
  const ask = (method: string, path: string, body: object, as = token) =>
    send(server, method, `/api/v1/${path}`, { token: as, body })

  const add = async (role: string, name: string, email: string): Promise<Known> => {
    const password = 'seven unrelated parrots'
    const { body } = await ask('POST', 'accounts', { role, name, email, password })
    return { id: body.account_id, email, password }
  }
  const driver = await add('driver', planted.driver, planted.driverEmail)
  const customer = await add('customer', planted.customer, planted.customerEmail)
  const url = receiver.urlOf('/hook')
  t.equal((await ask('PUT', 'webhook-settings', { driver_location_webhook_url: url })).status, 200)
  const order = {
    type: 'D',
    customer_id: customer.id,
    delivery: { name: 'Ann', address: { street: '1 A', country: 'CA' } },
  }
  t.equal((await ask('POST', 'orders', order)).body.order_id, 1)

  const [drivers, customers] = [await signIn(server, driver), await signIn(server, customer)]
  const { latitude, longitude } = planted
  t.match((await ask('POST', 'drivers/location', { latitude, longitude }, drivers)).body, { recorded: true })
  const propose = async (as: string, more: object, input: object) =>
    (await ask('POST', 'approvals', { tool: 'create_order', arguments: { ...order, ...input }, ...more }, as)).body
  const street = { delivery: { name: 'Ann', address: { street: planted.street, country: 'CA' } } }
  t.match(await propose(customers, {}, street), { proposal_id: 1 }, 'made by the customer')
  t.match(await propose(clerks, { reason: planted.reason }, {}), { proposal_id: 2 }, 'for the customer')
  const other = await add('customer', 'Somebody Else', 'else@plants.example')
  t.match(await propose(clerks, { reason: 'of nobody here' }, { customer_id: other.id }), { proposal_id: 3 })
  t.match(await propose(clerks, {}, { customer_id: other.id }), { proposal_id: 4 })
  t.equal((await ask('POST', 'approvals/4/reject', { reason: planted.rejected })).status, 200)
  await eventually(
    async () => receiver.at('/hook').length,
    (count) => count > 0,
  )
  const told = await eventually(
    () => readings(server, token),
    (text) => tellingIn(text).length >= telling.length - 1,
  )
  t.same(
    telling.filter((one) => !told.includes(one)),
    [planted.rejected],
    'reasons of rejections are shown nowhere',
  )

  const file = join(dataDir, 'otep.db')
  const streams = [driver, customer].map(({ id }) => `account-${id}`)
  const sealed = [...streams, `driver_location-${driver.id}`, 'approval-1', 'approval-2', 'approval-4']
  const keys = keysIn(file, sealed)
  t.equal(keys.length, sealed.length)
  const before = join(elsewhere, 'before.db')
  await otep(['backup', before, ...here])

  await t.test('it asks first, and says of whom', async (t) => {
    await t.rejects(otep(['forget', '--account', driver.email, ...here]), /--yes/)
    await t.rejects(otep(['forget', '--account', '99', '--yes', ...here]), /no such account/)
    await t.rejects(otep(['forget', '--account', 'nobody@plants.example', '--yes', ...here]), /no such account/)
    await t.rejects(otep(['forget', '--account', '1', '--order', '1', ...here]), /one account/)
    t.match(await otep(['forget', '--account', driver.email, '--yes', ...here]), /account 3 \(driver.*: forgotten\./)
    t.match(await otep(['forget', '--account', String(customer.id), '--yes', ...here]), /and 2 proposals: forgotten\./)
    t.match(await otep(['forget', '--account', String(driver.id), ...here]), /already forgotten/)
  })

  const isErased = async (t: Test, running: Server) => {
    const staff = await signIn(running, admin)
    const text = await eventually(
      () => readings(running, staff),
      (one) => tellingIn(one).length === 0,
    )
    t.same(tellingIn(text), [])
    t.match(text, 'of nobody here', 'a proposal about others is as it was')
    const { body } = await send(running, 'GET', '/api/v1/accounts', { token: staff })
    for (const { id } of [driver, customer]) {
      const shown = body.accounts.find((one: { id: number }) => one.id === id)
      t.strictSame(
        Object.keys(shown).filter((name) => ['name', 'email'].includes(name)),
        [],
        'the id is all that is left',
      )
      t.match(shown, { is_active: false, personal_data_erased: true })
    }
    t.equal((await send(running, 'GET', '/api/v1/orders/1', { token: staff })).body.order.customer_id, customer.id)
    for (const known of [driver, customer]) t.equal(await signIn(running, known), undefined)
    for (const old of [drivers, customers])
      t.equal((await send(running, 'GET', '/api/v1/user', { token: old })).status, 401)
  }

  await t.test('no answer, file, export or later backup tells of them, and nobody can be them', async (t) => {
    await isErased(t, server)
    const after = join(elsewhere, 'after.db')
    await otep(['backup', after, ...here])
    const history = join(elsewhere, 'history.ndjson')
    await otep(['export', history, ...here])
    for (const bytes of [bytesIn(dataDir), readFileSync(after, 'latin1'), readFileSync(history, 'utf8')]) {
      t.same(tellingIn(bytes), [])
      t.same(
        keys.filter((key) => bytes.includes(key)),
        [],
        'the keys are gone',
      )
    }
    t.match(await otep(['verify', ...here]), /whole/)
    const enabled = await ask('PUT', `accounts/${driver.id}/status`, { is_active: true })
    t.match(enabled, { status: 409, body: { code: 'account_erased' } })
    await t.rejects(otep(['account', 'password', String(driver.id), ...here]), /erased/)
  })

  await t.test('an older backup brings nobody back', async (t) => {
    await server.stop()
    await otep(['restore', before, '--force', ...here])
    server = await startServer(program, dataDir)
    await isErased(t, server)
    t.match(await otep(['verify', ...here]), /whole/)
    t.match(await otep(['forget', '--account', String(driver.id), ...here]), /already forgotten/)
  })

  await t.test('the address can have another account, of which the first knows nothing', async (t) => {
    for (const name of ['Second Person', 'Third Person']) {
      const next = await add('driver', name, planted.driverEmail)
      t.not(next.id, driver.id)
      t.match(await signIn(server, next), /^ots_/)
      t.match((await send(server, 'GET', '/api/v1/user', { token: await signIn(server, next) })).body, {
        id: next.id,
        name,
      })
      await otep(['forget', '--account', planted.driverEmail, '--yes', ...here])
      t.equal(await signIn(server, next), undefined)
    }
  })
})

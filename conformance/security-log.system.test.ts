import t from 'tap'
import { serve } from '../adapters/telemetry/server.test.fixture.ts'
import { eventually, openBusiness, send } from './orders/office.ts'
import { program } from './program/files.ts'
import { otep } from './program/otep.ts'

const right = 'seven unrelated parrots'
const wrong = 'eight unrelated parrots'

/** An entry of the security log, in a few words. */
function wordsOf({ event, outcome, ...entry }: Readonly<Record<string, unknown>>): string {
  const { reason, operation, account, provider, stream, key, carrier, carrier_account, by } = entry
  const about = Object.entries({ reason, operation, account, provider, stream, key, carrier, carrier_account, by })
  return [event, outcome, ...about.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))].join(
    ' ',
  )
}

t.test(
  'given a server, when access is used, refused and changed, then its log says so, and tells no secret',
  async (t) => {
    const dataDir = t.testdir({})
    const here = ['--data-dir', dataDir]
    const { admin } = await openBusiness(here, { admin: 'client_admin' })
    const { url, child, lines, ended } = await serve(t, program, { OTEP_DATA_DIR: dataDir, HOST: '127.0.0.1' })
    const server = { port: Number(new URL(url).port) }
    const ask = (method: string, path: string, token?: string, body?: object) =>
      send(server, method, `/api/v1/${path}`, { ...(token && { token }), ...(body && { body }) })
    const signIn = async (email: string, password: string) =>
      (await ask('POST', 'user/login', undefined, { email, password })).body.access_token as string

    const token = await signIn(admin.email, admin.password)
    const person = { role: 'driver', email: 'dee@plants.example', name: 'Dee Quillfeather', password: right }
    const { body } = await ask('POST', 'accounts', token, person)
    const driver = body.account_id as number
    const drivers = await signIn(person.email, right)
    await signIn('nobody@plants.example', wrong)
    await signIn('nobody@plants.example', wrong)
    for (let count = 0; count < 6; count++) await signIn(person.email, wrong)
    await ask('POST', 'accounts', drivers, person)
    await ask('GET', 'accounts')
    await ask('GET', 'user', `ots_${'0'.repeat(64)}`)
    await ask('PUT', 'user/password', drivers, { current_password: wrong, new_password: wrong })
    await ask('PUT', 'user/password', drivers, { current_password: right, new_password: wrong })
    await ask('PUT', `accounts/${driver}/status`, token, { is_active: false })
    await ask('PUT', `accounts/${driver}/status`, token, { is_active: true })
    await ask('POST', 'carrier-accounts', token, { carrier: 'sandbox', credentials: { account: 'letter-box-4711' } })
    await ask('DELETE', 'carrier-accounts/1', token)
    const courier = (await ask('POST', 'providers', token, { name: 'courier' })).body.key as string
    const renewed = (await ask('POST', 'provider/key/rotate', courier, {})).body.key as string
    await ask('POST', 'provider/key/rotate', courier, {})
    await ask('POST', `otep/ingest?key=${renewed}`, renewed, {})
    await ask('DELETE', 'providers/courier', token)
    const robot = { role: 'client_employee', name: 'Robot of Quillfeather' }
    const service = (await ask('POST', 'service-accounts', token, robot)).body.account_id as number
    const terms = { name: 'Import', scopes: ['orders:read'] }
    const serviceKey = (await ask('POST', `service-accounts/${service}/api-keys`, token, terms)).body.key as string
    await ask('GET', 'routes', serviceKey)
    await ask('POST', 'user/logout', token, {})
    const apiKey = (
      await otep(['key', 'add', String(admin.id), '--name', 'Van', '--scopes', 'orders:read', ...here])
    ).trim()
    await ask('GET', 'orders', apiKey)
    await ask('GET', 'routes', apiKey)
    await ask('GET', `orders?key=${apiKey}`)
    await otep(['key', 'rotate', '2', '--overlap', '0h', ...here])
    await ask('GET', 'orders', apiKey)
    await otep(['key', 'revoke', '2', ...here])
    const first = (await otep(['provider', 'add', 'acme', '--all-businesses', '--init', ...here])).trim()
    const second = (await otep(['provider', 'rotate', 'acme', '--overlap', '0h', ...here])).trim()
    await ask('POST', 'otep/ingest', first, {})
    await otep(['provider', 'revoke', 'acme', ...here])
    await otep(['carrier', 'add', 'own-fleet', '--business', '1', ...here])
    await otep(['carrier', 'remove', '2', '--business', '1', ...here])
    const reset = (await otep(['account', 'password', String(driver), ...here])).trim()
    await otep(['account', 'disable', String(driver), ...here])
    await otep(['forget', '--account', String(driver), '--yes', ...here])

    const entries = () => lines.filter(({ kind }) => kind === 'security')
    await eventually(
      async () => entries().length,
      (count) => count >= 42,
    )
    child.kill('SIGTERM')
    t.same(await ended, [0, null])
    const found = entries()
    const [a, d] = [`account=${admin.id}`, `account=${driver}`]
    const [byAdmin, byDriver] = [`by=account:${admin.id}`, `by=account:${driver}`]
    const told = found.map(wordsOf)
    const asked = told.filter((words) => !words.includes('by=operator:'))
    t.same(asked, [
      `sign_in ok ${a}`,
      `account_open ok ${d} ${byAdmin}`,
      `sign_in ok ${d}`,
      ...Array.from({ length: 2 }, () => 'sign_in refused reason=invalid_credentials'),
      ...Array.from({ length: 5 }, () => `sign_in refused reason=invalid_credentials ${d}`),
      `sign_in delayed reason=too_many_attempts ${d}`,
      `access refused reason=forbidden operation=add_account ${byDriver}`,
      'access refused reason=unauthenticated operation=list_accounts',
      'credentials refused reason=unauthenticated',
      `password_change refused reason=wrong_password ${d} ${byDriver}`,
      `password_change ok ${d} ${byDriver}`,
      `account_disable ok ${d} ${byAdmin}`,
      `account_enable ok ${d} ${byAdmin}`,
      `carrier_account_added ok carrier=sandbox carrier_account=1 ${byAdmin}`,
      `carrier_account_removed ok carrier_account=1 ${byAdmin}`,
      `key_made ok provider=courier ${byAdmin}`,
      'key_rotated ok provider=courier by=provider:courier',
      'key_rotated refused reason=provider_key_replaced provider=courier by=provider:courier',
      `key_revoked ok provider=courier ${byAdmin}`,
      `account_open ok account=${service} ${byAdmin}`,
      `key_made ok account=${service} key=1 ${byAdmin}`,
      `access refused reason=forbidden operation=get_routes by=account:${service}:key:1`,
      `sign_out ok ${byAdmin}`,
      `access refused reason=forbidden operation=get_routes by=account:${admin.id}:key:2`,
      'credentials refused reason=api_key_expired',
      'credentials refused reason=key_expired',
    ])
    t.same(told.filter((words) => words.includes('by=operator:')).sort(), [
      `account_disable ok ${d} by=operator:cli`,
      'carrier_account_added ok carrier=own-fleet carrier_account=2 by=operator:cli',
      'carrier_account_removed ok carrier_account=2 by=operator:cli',
      `erasure ok ${d} by=operator:cli`,
      `key_made ok ${a} key=2 by=operator:cli`,
      'key_made ok provider=acme by=operator:cli',
      'key_revoked ok key=2 by=operator:cli',
      'key_revoked ok provider=acme by=operator:cli',
      'key_rotated ok key=2 by=operator:cli',
      'key_rotated ok provider=acme by=operator:cli',
      `password_change ok ${d} by=operator:cli`,
    ])
    for (const entry of found) {
      const isAsked = !String(entry.by).startsWith('operator:')
      t.match(entry, { request: /^[\w.-]+$/, time: String, source: isAsked ? '127.0.0.1' : undefined })
      t.equal(entry.level, entry.outcome === 'ok' ? 'info' : 'warn')
    }
    const [one, other] = found.filter(({ email_hash }) => email_hash !== undefined).map(({ email_hash }) => email_hash)
    t.match(one, /^[0-9a-f]{64}$/, 'an address without an account is a keyed hash')
    t.equal(one, other)

    const text = JSON.stringify(lines)
    const secrets = [
      right,
      wrong,
      admin.password,
      'letter-box-4711',
      reset,
      token,
      drivers,
      apiKey.slice(6),
      first,
      second,
      courier,
      renewed,
      serviceKey.slice(6),
      '0'.repeat(64),
    ]
    for (const secret of [...secrets, person.email, person.name, admin.email, 'nobody@']) t.notMatch(text, secret)
    const others = lines.filter(({ kind }) => kind !== 'security')
    t.notMatch(JSON.stringify(others), '127.0.0.1', 'other lines tell no addresses')
  },
)

t.test('given a security log that is switched off, when somebody signs in, then no line tells of it', async (t) => {
  const dataDir = t.testdir({})
  const { admin } = await openBusiness(['--data-dir', dataDir], { admin: 'client_admin' })
  const env = { OTEP_DATA_DIR: dataDir, HOST: '127.0.0.1', OTEP_SECURITY_LOG: 'off' }
  const { url, child, lines, ended } = await serve(t, program, env)
  const { email, password } = admin
  const body = { email, password }
  t.equal((await send({ port: Number(new URL(url).port) }, 'POST', '/api/v1/user/login', { body })).status, 200)
  child.kill('SIGTERM')
  await ended
  t.same(
    lines.filter(({ kind }) => kind === 'security'),
    [],
  )
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { program, projectFile } from '../../../conformance/program/files.ts'
import { browse, skip } from '../../pages/browser.test.fixture.ts'
import { office, terminal } from './office.test.fixture.ts'

const example = (name: string) => projectFile('docs', 'examples', name)

t.test(
  'given a server, when a carrier pushes a file and reads it back, then output and exit codes are those of a store',
  async (t) => {
    const { url, key, dataDir } = await office(t)
    const there = terminal(t, { OTEP_URL: url, OTEP_KEY: key })
    const here = terminal(t, { OTEP_DATA_DIR: dataDir, OTEP_BASE_URL: url })
    t.match(await there(['ingest', example('happy-path.json')]), { code: 0, out: '10 accepted\n' })
    const lines = example('late-and-duplicate.ndjson')
    t.match(await there(['ingest', lines]), { code: 0, out: '9 accepted, 1 duplicate, 1 enriched\n' })
    const wrong = {
      input: '{"subject":{"tracking_number":"X"},"status_code":"nope","occurred_at":"2026-06-10T10:00:00Z"}\n{',
    }
    const refused = await there(['ingest', '-'], wrong)
    t.same({ ...refused, config: '' }, { ...(await here(['ingest', '-'], wrong)), config: '' })
    t.equal(refused.code, 1)
    const { out: epcis } = await here([
      'project',
      example('returned.json'),
      '--format',
      'epcis',
      '--accept',
      'application/xml',
      '--as',
      'acme',
    ])
    t.match(await there(['ingest', '-', '--format', 'epcis'], { input: epcis }), { code: 0, out: /^\d+ accepted/ })
    for (const line of [
      ['show', 'SR260610041'],
      ['show', 'SR260610041', '--json'],
      ['show', 'SR260610041', '--format', 'epcis', '--option', 'as=capture'],
      ['show', 'SR260610041', '--format', 'epcis', '--accept', 'application/xml'],
      ['show', 'SR260610041', '--accept', 'application/json'],
      ['show', 'nothing'],
      ['validate', example('happy-path.json')],
      ['validate', example('nothing-conforms.json'), '--json'],
    ]) {
      const [one, other] = [await here(line), await there(line)]
      t.same([other.code, other.out], [one.code, one.out], line.join(' '))
      t.ok(other.err.startsWith(one.err), line.join(' '))
    }
    t.match(await there(['ingest', example('happy-path.json'), '--as', 'me']), { code: 2, err: /--as is for a store/ })
    t.match(await there(['provider', 'list']), { code: 1, out: '', err: /accounts:read/ })
  },
)

t.test(
  'given an admin who has signed in, when accounts, roles, keys, modules and carriers are managed, then the server does it',
  async (t) => {
    const { url, token } = await office(t)
    const file = join(t.testdir({}), 'token')
    writeFileSync(file, `${token}\n`)
    const otep = terminal(t)
    const admin = (...line: readonly string[]) => otep([...line, '--url', url, '--key-file', file])
    t.match(await admin('account', 'add', 'eve@acme.example', '--role', 'client_employee'), {
      ...{ code: 0, out: /^[\w-]{20}\n$/, err: /Account 2\.\n/ },
    })
    t.match(await admin('account', 'list'), { out: /1 {2}client_admin +active +ann@.*\n +2 {2}client_employee/ })
    t.match(await admin('role', 'add', 'Floor', '--preset', 'warehouse'), { code: 0, out: /^Staff role 1: Floor/ })
    t.match(await admin('role', 'give', '1', '2'), { code: 0, out: 'Account 2 has staff role 1.\n' })
    t.match(await admin('role', 'list'), { out: /1 {2}accounts 1 +Floor \(warehouse\)/ })
    t.match(await admin('account', 'disable', '2'), { code: 0, out: 'Account 2 is disabled.\n' })
    t.match(await admin('account', 'password', '2'), { code: 2, err: /Only an operator/ })
    t.match(await admin('key', 'add', '2', '--name', 'Van', '--scopes', 'orders:read'), { code: 2, err: /key add me/ })
    const made = await admin('key', 'add', 'me', '--name', 'Van', '--scopes', 'orders:read')
    t.match(made, { code: 0, out: /^otk_1_/ })
    t.match(await admin('key', 'list', '1', '--json'), { out: /"key_id":1/ })
    t.match(await admin('key', 'rotate', '1', '--overlap', '0h'), { code: 0, out: /^otk_1_/ })
    t.match(await admin('module', 'list', '1'), { code: 0, out: /device_orders +\w+/ })
    t.match(await admin('module', 'list', '2'), { code: 1, err: /business 1, and not to business 2/ })
    t.match(await admin('module', 'enable', '1', 'order_chat'), { code: 1, err: /order_chat/ })
    t.match(await admin('carrier', 'list'), { code: 0, out: /Carriers: .*sandbox/ })
    t.match(await admin('carrier', 'list', '--business', '1'), { code: 2 })
    t.match(await admin('webhooks', 'parked'), { code: 0, out: '' })
    t.match(await admin('webhooks', 'resend', 'nothing'), { code: 1, out: '' })
    t.match(await admin('link', 'nothing'), { code: 1 })
    t.match(await admin('key', 'revoke', '1'), { code: 0, out: 'API key 1 is revoked.\n' })
    const revoked = await otep(['carrier', 'list', '--url', url], { env: { OTEP_KEY: made.out.trim() } })
    t.match(revoked, { code: 1, err: /does not accept the key of OTEP_KEY/ })
  },
)

t.test(
  'given an admin who has signed in, when providers are managed, then the server manages those of the business alone',
  async (t) => {
    const { url, token, operator } = await office(t)
    const otep = terminal(t, { OTEP_URL: url, OTEP_KEY: token })
    const event = JSON.stringify({
      ...{ subject: { tracking_number: 'V1' }, event_id: 'v1', status_code: 'received' },
      occurred_at: '2026-06-10T10:00:00Z',
    })
    const pushed = (key: string) => otep(['ingest', '-'], { input: event, env: { OTEP_KEY: key } })
    const made = await otep(['provider', 'add', 'van-line', '--expires', '30d'])
    t.match(made, { code: 0, out: /^otep_van-line_\w+\n$/, err: /expires at 2/ })
    t.match(await pushed(made.out.trim()), { code: 0, out: '1 accepted\n' })
    t.match(await otep(['provider', 'list']), { code: 0, out: /^van-line +valid +business 1 [^\n]*\n$/ })
    t.match(
      (await operator(['provider', 'list'])).out,
      /acme +valid +all businesses[\s\S]*van-line +valid +business 1 /,
    )
    const next = await otep(['provider', 'rotate', 'van-line', '--overlap', '0h', '--json'])
    const { key } = JSON.parse(next.out) as { readonly key: string }
    t.match(await pushed(made.out.trim()), { code: 1, err: /does not accept/ })
    t.match(await pushed(key), { code: 0, out: '1 duplicate\n' })
    t.match(await otep(['provider', 'revoke', 'van-line']), { code: 0, out: 'The key of van-line is revoked.\n' })
    t.match(await pushed(key), { code: 1, err: /does not accept/ })
    t.match(await otep(['provider', 'list', '--json']), { code: 0, out: /"state":"revoked"/ })
    t.match(await otep(['provider', 'revoke', 'acme']), { code: 1, err: /acme/ }, 'it is for all businesses')
    for (const option of [['--business', '1'], ['--all-businesses'], ['--init']])
      t.match(await otep(['provider', 'add', 'other', ...option]), { code: 2, err: /is for a store alone/ })
  },
)

t.test(
  'given an operation by its name, when it is called, then its answer is printed, and slips are found here',
  async (t) => {
    const { url, token } = await office(t)
    const otep = terminal(t, { OTEP_URL: url, OTEP_KEY: token })
    const party = { name: 'Ana', address: { street: '1 Main St' } }
    const input = JSON.stringify({ type: 'D', reference: 'R-1', delivery: party })
    t.match(JSON.parse((await otep(['call', 'create_order', '-'], { input })).out), {
      order_id: 1,
      status: 'NEW_ORDER',
    })
    const found = await otep(['call', 'get_order_detail', '-'], { input: '{"order_id": 1}' })
    t.match(JSON.parse(found.out), { order: { reference: 'R-1' } })
    t.match(await otep(['call', 'get_order']), { code: 2, err: /Did you mean get_orders\?/ })
    t.match(await otep(['call', 'get_order_detail']), { code: 2, err: /must have order_id/ })
    t.match(await otep(['call', 'create_order', '-'], { input: '{"type": "X"}' }), { code: 1, err: /\n {2}type: / })
    t.match(await otep(['call', 'create_order', '-'], { input: '[]' }), { code: 2 })
  },
)

t.test(
  'given a queue at a server, when it is pulled, then each event is sent on until the receiver takes it',
  async (t) => {
    const { url, token } = await office(t)
    const otep = terminal(t, { OTEP_URL: url, OTEP_KEY: token })
    const settings = JSON.stringify({ order_create_webhook_url: 'pull:erp' })
    t.match(await otep(['call', 'update_webhook_settings', '-'], { input: settings }), { code: 0 })
    for (const reference of ['R-1', 'R-2']) {
      const order = { type: 'D', reference, delivery: { name: 'Ana', address: { street: '1 Main St' } } }
      await otep(['call', 'create_order', '-'], { input: JSON.stringify(order) })
    }
    const receiver = await odd(t, (count) => ({ status: count === 1 ? 500 : 200 }))
    const pulled = await otep(['webhooks', 'pull', 'erp', '--forward-to', receiver.url, '--count', '2'])
    t.match(pulled, {
      code: 0,
      out: /order\.created.* -> 500\n.*order\.created.* -> 200\n.*order\.created.* -> 200\n2 delivered\n$/,
    })
    const left = await otep(['call', 'pull_webhooks', '-'], { input: '{"queue": "erp"}' })
    t.match(JSON.parse(left.out), { events: [] }, 'what was taken is acknowledged')
    t.match(await otep(['webhooks', 'pull', 'none']), { code: 1 })
  },
)

t.test('given a key that may not, when a program asks, then the missing scope is named, also as JSON', async (t) => {
  const { url, operator } = await office(t)
  const made = await operator(['key', 'add', '1', '--name', 'Van', '--scopes', 'orders:read'])
  const otep = terminal(t, { OTEP_URL: url, OTEP_KEY: made.out.trim() })
  t.match(await otep(['carrier', 'list']), { code: 1, out: '', err: /labels:read/ })
  const { err } = await otep(['carrier', 'list', '--json'])
  t.match(JSON.parse(err), { result: false, code: 'forbidden', message: /labels:read/, hint: /OTEP_KEY/ })
  const nobody = terminal(t, { OTEP_URL: url })
  t.match(await nobody(['carrier', 'list']), { code: 1, err: /otep login http:.*--key-file FILE or OTEP_KEY/ })
  t.match(await nobody(['carrier', 'list'], { tty: true }), { err: new RegExp(`^Server ${url}, with no key\n`) })
  t.match(await otep(['carrier', 'list'], { env: { LANG: 'fr_FR.UTF-8' } }), { err: /Droits requis/ })
})

/** A server that answers as the test says, and what it was asked. */
async function odd(t: Test, answers: (count: number) => { status: number; headers?: object; body?: string } | 'cut') {
  const seen: { readonly method: string; readonly key: string | undefined }[] = []
  const server = createServer((request, response) => {
    seen.push({ method: request.method ?? '', key: request.headers['idempotency-key'] as string | undefined })
    const answer = answers(seen.length)
    if (answer === 'cut') return request.socket.destroy()
    response.writeHead(answer.status, { 'Content-Type': 'application/json', ...answer.headers }).end(answer.body)
    return undefined
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** An address where nothing listens. */
async function closed(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}

const busy = { result: false, code: 'too_many_requests', message: 'Too many requests (calls). Try again in 1 seconds.' }

t.test(
  'given a server that is cut off or busy, when a call is repeated, then with one key, and only if it may be',
  async (t) => {
    const answers = [
      'cut',
      { status: 429, headers: { 'Retry-After': '1' }, body: JSON.stringify(busy) },
      { status: 200, body: '{"result":true,"carrier_account_id":7}' },
    ] as const
    const { url, seen } = await odd(t, (count) => answers[count - 1] ?? 'cut')
    const otep = terminal(t, { OTEP_KEY: 'otk_1_something' })
    const added = await otep(['carrier', 'remove', '7', '--url', url])
    t.match(added, { code: 0, err: /Trying again in \d s: Too many requests/ })
    t.equal(seen.length, 3)
    t.equal(new Set(seen.map(({ key }) => key)).size, 1, 'the server recognizes the repetition')
    t.type(seen[0]?.key, 'string')

    const secret = await odd(t, () => 'cut')
    t.match(await otep(['key', 'add', 'me', '--name', 'a', '--scopes', 'orders:read', '--url', secret.url]), {
      code: 1,
    })
    t.equal(secret.seen.length, 1, 'a key may have been made, so none is made again')

    const long = await odd(t, () => ({ status: 429, headers: { 'Retry-After': '3600' }, body: JSON.stringify(busy) }))
    t.match(await otep(['show', 'A', '--url', long.url]), { code: 1, err: /Too many requests/ })
    t.equal(long.seen.length, 1)
  },
)

t.test('given an address where no server is, when it is asked, then a person reads what to do', async (t) => {
  const otep = terminal(t)
  const page = await odd(t, () => ({ status: 200, headers: { 'Content-Type': 'text/html' }, body: '<h1>Hello' }))
  const moved = await odd(t, () => ({ status: 308, headers: { Location: 'https://elsewhere.example/' } }))
  for (const [url, why] of [
    [page.url, /does not answer like an otep server/],
    [moved.url, /a redirect to https:\/\/elsewhere\.example/],
    [page.url.replace('http:', 'https:'), /does not speak TLS/],
    [await closed(), /nothing listens there/],
    ['http://nowhere.invalid', /no such host|cannot be looked up/],
  ] as const)
    t.match(await otep(['show', 'A', '--url', url]), { code: 1, out: '', err: why }, url)
  for (const line of [
    ['--url', 'here'],
    ['--url', 'ftp://a.example'],
    ['--url', 'https://me:secret@a.example'],
    ['--url', 'http://a.example', '--key', 'otk_1_something'],
    ['--url', page.url, '--store', 'sqlite:x'],
    ['--key', 'otk_1_something'],
    ['--profile', 'nobody'],
  ])
    t.match(await otep(['show', 'A', ...line]), { code: 2, out: '' }, line.join(' '))
  t.equal(moved.seen.length, 1, 'nothing is sent to where a redirect leads')
})

t.test(
  'given a server that refuses in odd words, when a person reads them, then they control no terminal',
  async (t) => {
    const odder = { path: 'a\u001b[2J', message: 'b\nc' }
    const body = JSON.stringify({ result: false, code: 'x\u009b', message: 'Gone\u001b]0;you\u0007', errors: [odder] })
    const { url } = await odd(t, () => ({ status: 404, body }))
    const { code, err } = await terminal(t)(['show', 'A', '--url', url])
    t.equal(code, 1)
    t.match(err, 'Gone\uFFFD]0;you\uFFFD\n')
    t.match(err, 'a\uFFFD[2J: b\uFFFDc\n')
    t.notMatch(err, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
  },
)

t.test(
  'given a key that is kept as a profile, when commands run, then they use it, for its server alone',
  async (t) => {
    const { url, key, dataDir } = await office(t)
    const otep = terminal(t)
    const { config, ...kept } = await otep(['login', url, '--key-stdin', '--profile', 'work'], { input: `${key}\n` })
    t.match(kept, { code: 0, out: `The profile work is signed in at ${url}.\n` })
    const file = join(config, 'otep', 'profiles.json')
    t.equal(statSync(file).mode & 0o777, 0o600)
    t.equal(statSync(join(config, 'otep')).mode & 0o777, 0o700)
    t.match(await otep(['ingest', example('happy-path.json')]), { code: 0, out: '10 accepted\n' })
    t.match(await otep(['show', 'SR260610041'], { tty: true }), { code: 0, err: /the key of the profile work/ })
    t.match(await otep(['show', 'SR260610041', '--data-dir', dataDir], { tty: true }), { code: 0, err: /^Store / })
    const other = await odd(t, () => ({
      status: 401,
      body: '{"result":false,"code":"unauthenticated","message":"No."}',
    }))
    t.match(
      await otep(['carrier', 'list', '--url', other.url]),
      { code: 1, err: /otep login/ },
      'it has no key for others',
    )
    t.match(await otep(['profile', 'list']), { out: `* work             ${url}  key\n` })
    t.match(await otep(['profile', 'use', 'nobody']), { code: 2, err: /no profile nobody/ })
    t.match(await otep(['profile', 'use', 'constructor']), { code: 2 })
    t.match(await otep(['profile', 'use', 'none']), { code: 0 })
    t.match(await otep(['show', 'SR260610041']), { code: 1, err: /There is no store/ })
    t.match(await otep(['show', 'SR260610041', '--profile', 'work']), { code: 0 })
    t.match(await otep(['profile', 'remove', 'work']), { code: 0, err: /still valid/ })
    t.same(JSON.parse((await otep(['profile', 'list', '--json'])).out), [])
    writeFileSync(file, 'no profiles')
    t.match(await otep(['profile', 'list']), { code: 1, err: /Remove it/ })
  },
)

/** Signs Ann in through a real browser; resolves with what the command said. */
async function loggedIn(t: Test, { url, password }: Awaited<ReturnType<typeof office>>, ...more: readonly string[]) {
  const otep = terminal(t)
  const { config } = await otep(['formats'])
  const asked = join(config, 'asked')
  writeFileSync(
    join(config, 'browser'),
    `#!/bin/sh\nprintf %s "$1" >'${asked}.new' && mv '${asked}.new' '${asked}'\n`,
    {
      mode: 0o700,
    },
  )
  const env = { BROWSER: join(config, 'browser') }
  const running = otep(['login', url, ...more], { env })
  while (!existsSync(asked)) await setTimeout(20)
  const { page, wrong } = await browse(t)
  await page.goto(readFileSync(asked, 'utf8'))
  await page.getByLabel('Email address').fill('ann@acme.example')
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByRole('heading', { name: 'Go back to the terminal' }).waitFor()
  t.same(wrong, [])
  return { otep, config, said: await running }
}

t.test(
  'given a person who signs in with the browser, when commands run at once with an old token, then it is renewed once',
  { skip },
  async (t) => {
    const made = await office(t)
    const { otep, config, said } = await loggedIn(t, made, '--scopes', 'orders:read,labels:read')
    t.match(said, { code: 0, out: /^The profile default is signed in at http.*, with orders:read labels:read\.\n$/ })
    t.match(await otep(['carrier', 'list']), { code: 0, out: /Carriers/ })
    t.match(await otep(['account', 'list']), { code: 1, err: /accounts:read[\s\S]*otep login http.* --scopes/ })
    const file = join(config, 'otep', 'profiles.json')
    const grantIn = () => JSON.parse(readFileSync(file, 'utf8')).profiles.default.grant
    const before = grantIn()
    const expired = { ...before, access_token: 'ota_1_gone', expires_at: 0 }
    const profile = { url: made.url, grant: expired }
    writeFileSync(file, JSON.stringify({ current: 'default', profiles: { default: profile } }))
    const env = { ...process.env, XDG_CONFIG_HOME: config }
    const runs = Array.from({ length: 4 }, async () => {
      const child = spawn(process.execPath, [program, 'carrier', 'list'], { env, stdio: 'ignore' })
      return (await once(child, 'exit'))[0]
    })
    t.same(await Promise.all(runs), [0, 0, 0, 0])
    const after = grantIn()
    t.not(after.refresh_token, before.refresh_token)
    t.equal(statSync(file).mode & 0o777, 0o600)
    t.match(await otep(['carrier', 'list']), { code: 0 }, 'the grant has not ended')
    // A token that is refused early is renewed, too: no clock of this machine has to be right.
    const refused = { ...after, access_token: 'ota_1_gone' }
    writeFileSync(
      file,
      JSON.stringify({ current: 'default', profiles: { default: { url: made.url, grant: refused } } }),
    )
    t.match(await otep(['carrier', 'list']), { code: 0 })

    const last = grantIn()
    t.match(await otep(['logout']), { code: 0, out: 'The profile default is removed.\n' })
    const headers = { Authorization: `Bearer ${last.access_token}` }
    t.equal((await fetch(`${made.url}/api/v1/carrier-accounts`, { headers })).status, 401, 'the server has ended it')
    writeFileSync(file, JSON.stringify({ profiles: { old: { url: made.url, grant: { ...last, expires_at: 0 } } } }))
    t.match(await otep(['carrier', 'list', '--profile', 'old']), {
      code: 1,
      err: /has ended\. Sign in again: otep login/,
    })
  },
)

t.test(
  'given an answer that is not for this sign-in, when it comes, then no code is taken from it',
  { skip },
  async (t) => {
    const { url } = await office(t)
    const otep = terminal(t)
    const { config } = await otep(['formats'])
    const asked = join(config, 'asked')
    writeFileSync(
      join(config, 'browser'),
      `#!/bin/sh\nprintf %s "$1" >'${asked}.new' && mv '${asked}.new' '${asked}'\n`,
      { mode: 0o700 },
    )
    const running = otep(['login', url], { env: { BROWSER: join(config, 'browser') } })
    while (!existsSync(asked)) await setTimeout(20)
    const { searchParams } = new URL(readFileSync(asked, 'utf8'))
    t.match(Object.fromEntries(searchParams), { code_challenge_method: 'S256', resource: `${url}/api` })
    const back = (query: Record<string, string>) =>
      fetch(`${searchParams.get('redirect_uri')}?${new URLSearchParams(query)}`)
    const state = String(searchParams.get('state'))
    t.equal((await back({ code: 'otc_1_x', state: 'other', iss: url })).status, 400)
    t.equal((await back({ code: 'otc_1_x', state, iss: 'https://other.example' })).status, 400)
    t.equal((await back({ error: 'access_denied', state, iss: url })).status, 200)
    t.match(await running, { code: 1, err: /You did not allow it \(access_denied\)/ })
    const moved = await office(t, { OTEP_BASE_URL: 'https://track.example.com' })
    t.match(await otep(['login', moved.url]), { code: 1, err: /calls itself https:\/\/track\.example\.com/ })
    const outside = await office(t, { OTEP_OAUTH_ISSUER: 'https://issuer.example' })
    t.match(await otep(['login', outside.url]), { code: 1, err: /https:\/\/issuer\.example gives out the tokens/ })
    t.match(await otep(['login', 'http://track.example.com']), { code: 2, err: /use https/ })
    t.match(await otep(['logout']), { code: 2, err: /not signed in/ })
  },
)

import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { type World, world } from '../adapters/auth/world.test.fixture.ts'
import { createFiles, openBlobs } from '../adapters/blobs/index.ts'
import { sweepFiles } from '../adapters/blobs/sweep.ts'
import { type Secret, secretOf } from '../adapters/node/secret.ts'
import { runPoliciesOnce } from '../adapters/policies/index.ts'
import { createVault } from '../adapters/vault/index.ts'
import { call, domains, en, forgetOrder, type RecordedEvent, sweepUploads } from '../engine/index.ts'

const secret = secretOf('7'.repeat(64)) as Secret
const jpeg = Buffer.concat([Buffer.from('ffd8ffe000104a46494600', 'hex'), randomBytes(2_000)])
const pdf = Buffer.from('%PDF-1.7\n%%EOF')
const delivery = { name: 'Ann', address: { street: '1 Main Street', country: 'CA' } }
const day = 86_400_000

/** A server whose uploaded files lie in a directory, with an order that is assigned to the driver. */
async function office(t: Test) {
  const directory = join(t.testdir({}), 'blobs')
  const made = await world({ blobs: { kind: 'directory', directory }, secret })
  const { send, tokens, ids } = made
  const { body } = await send('POST', '/api/v1/orders', { token: tokens.client_admin, body: { type: 'D', delivery } })
  const order: number = body.order_id
  const path = `/api/v1/orders/${order}`
  const assigned = { token: tokens.client_admin, body: { driver_id: ids.driver } }
  t.equal((await send('POST', `${path}/assign-driver`, assigned)).status, 200)
  const upload = async (bytes: Buffer, more: Upload = {}) => {
    const {
      as = tokens.client_admin,
      type = 'image/jpeg',
      method = 'POST',
      at = 'proof-files/upload?kind=photo',
    } = more
    const headers = { Authorization: `Bearer ${as}`, 'Content-Type': type, ...more.headers }
    const answer = await made.app.request(`${path}/${at}`, { method, headers, body: new Uint8Array(bytes) })
    return { status: answer.status, body: (await answer.json()) as ReturnType<typeof JSON.parse> }
  }
  const listed = async () =>
    (await send('GET', `${path}/proof-files`, { token: tokens.client_admin })).body.files as readonly Shown[]
  const onDisk = () =>
    (existsSync(directory) ? readdirSync(directory, { recursive: true }).map(String) : []).filter((one) =>
      one.includes('.'),
    )
  return { ...made, directory, order, path, upload, listed, onDisk }
}

interface Upload {
  readonly as?: string
  readonly type?: string
  readonly method?: string
  readonly at?: string
  readonly headers?: Readonly<Record<string, string>>
}

interface Shown {
  readonly file_id: number
  readonly url: string
  readonly versions: readonly string[]
}

const opened = (app: World['app'], url: string) => app.request(url.replace('http://localhost:3000', ''))

t.test('given an order, when staff upload a photograph, then its link opens it and no browser runs it', async (t) => {
  const { app, upload, listed, store } = await office(t)
  const { status, body } = await upload(jpeg)
  t.equal(status, 200)
  t.match(body.file, { kind: 'photo', version: 1 })
  const answer = await opened(app, body.file.url)
  t.equal(answer.status, 200)
  t.ok(Buffer.from(await answer.arrayBuffer()).equals(jpeg))
  t.match(Object.fromEntries(answer.headers), {
    'content-type': 'image/jpeg',
    'content-length': String(jpeg.length),
    'content-disposition': /^attachment; filename="[0-9a-f]{32}\.jpg"$/,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; sandbox",
  })
  t.equal((await listed()).length, 1)
  for await (const event of store.readAll(undefined, { category: 'order' }))
    t.notMatch(JSON.stringify(event), /otep-file/, 'not even its name lies unsealed')
})

t.test('given a driver, when they upload, then for their own orders alone; others may not', async (t) => {
  const { upload, tokens, other } = await office(t)
  t.equal((await upload(jpeg, { as: tokens.driver })).status, 200)
  t.match(await upload(jpeg, { as: other.tokens.driver }), { status: 404, body: { code: 'order_not_found' } })
  t.match(await upload(jpeg, { as: other.tokens.client_admin }), { status: 404, body: { code: 'order_not_found' } })
  t.match(await upload(jpeg, { as: tokens.customer }), { status: 403, body: { code: 'wrong_account' } })
})

t.test('given a body that is no image, when it is uploaded, then it is refused and nothing is kept', async (t) => {
  const { upload, onDisk } = await office(t)
  const html = Buffer.from('<script>alert(1)</script>')
  t.match(await upload(html), { status: 415, body: { code: 'proof_file_type' } })
  t.match(await upload(html, { type: 'text/html' }), { status: 415, body: { code: 'unsupported_media_type' } })
  t.match(await upload(Buffer.alloc(0)), { status: 422, body: { code: 'invalid_input' } })
  t.match(await upload(jpeg, { at: 'proof-files/upload?kind=map' }), { status: 422 })
  const large = Buffer.concat([jpeg, Buffer.alloc(8 * 1024 * 1024)])
  t.match(await upload(large), { status: 413, body: { code: 'payload_too_large' } })
  t.same(onDisk(), [])
})

t.test('given each accepted type, when it is uploaded under any of them, then its bytes say what it is', async (t) => {
  const { app, upload } = await office(t)
  const png = Buffer.from('89504e470d0a1a0a0000', 'hex')
  const webp = Buffer.from('RIFF\x10\x00\x00\x00WEBPVP8 ', 'latin1')
  const large = Buffer.concat([jpeg, Buffer.alloc(6 * 1024 * 1024, 7)])
  const types = { 'image/png': png, 'image/webp': webp, 'application/pdf': pdf, 'image/jpeg': large }
  for (const [type, bytes] of Object.entries(types)) {
    const { body } = await upload(bytes)
    const answer = await opened(app, body.file.url)
    t.equal(answer.headers.get('content-type'), type)
    t.ok(Buffer.from(await answer.arrayBuffer()).equals(bytes))
  }
})

t.test('given a link, when it is changed, cut or an hour old, then there is no such file', async (t) => {
  const { app, upload, clock } = await office(t)
  const { url } = (await upload(jpeg)).body.file
  const [path = '', link = ''] = url.split('?link=')
  const [stamp = '', signature = ''] = link.split('.')
  const later = (Number.parseInt(stamp, 36) + 60).toString(36)
  const wrong = [path, `${path}?link=`, `${path}?link=${later}.${signature}`, `${path}?link=${stamp}.${signature}x`]
  for (const one of [...wrong, url.replace('.jpg', '.png'), url.replace('/files/order-', '/files/order-9')]) {
    const answer = await opened(app, one)
    t.equal(answer.status, 404, one)
    t.match(await answer.json(), { code: 'file_not_found' })
  }
  clock.now += 3_599_000
  t.equal((await opened(app, url)).status, 200)
  clock.now += 1_000
  t.equal((await opened(app, url)).status, 404)
})

t.test(
  'given a file, when another image is uploaded for it, then both open, and both go when it is removed',
  async (t) => {
    const { app, upload, listed, onDisk, send, tokens, path, parts } = await office(t)
    const kept = (await upload(jpeg)).body.file
    const { file_id } = (await upload(pdf)).body.file
    const replaced = await upload(jpeg, { method: 'PUT', at: `proof-files/${file_id}/upload` })
    t.match(replaced.body.file, { version: 2, kind: 'photo' })
    const [, file] = await listed()
    t.equal(file?.versions.length, 2)
    for (const url of file?.versions ?? []) t.equal((await opened(app, url)).status, 200)
    t.equal((await opened(app, file?.url ?? '')).headers.get('content-type'), 'image/jpeg')
    await send('DELETE', `${path}/proof-files/${file_id}`, { token: tokens.client_admin })
    await runPoliciesOnce(parts)
    t.equal(onDisk().length, 1)
    for (const url of file?.versions ?? []) t.equal((await opened(app, url)).status, 404)
    t.equal((await opened(app, kept.url)).status, 200)
  },
)

t.test('given the same key of idempotency, when an upload is sent again, then there is one file', async (t) => {
  const { upload, listed } = await office(t)
  const headers = { 'Idempotency-Key': 'one' }
  const [first, again] = [await upload(jpeg, { headers }), await upload(jpeg, { headers })]
  t.same(again, first)
  t.match(await upload(pdf, { headers }), { body: { code: 'idempotency_key_reused' } })
  t.equal((await listed()).length, 1)
})

t.test(
  'given an upload, when webhooks tell it, then the link opens it for seven days and is always the same',
  async (t) => {
    const { app, upload, parts, clock, order } = await office(t)
    await upload(jpeg)
    const sources = domains.find(({ name }) => name === 'proof')?.webhookEventSources ?? []
    const added = (await parts.store.read(`order-${order}`)).find(
      ({ type }) => type === 'ProofFileAdded',
    ) as RecordedEvent
    const told = async () => (await sources[0]?.webhookEventsOf(parts, added))?.[0]?.data('business') as { file: Told }
    const { file } = await told()
    t.match(file, {
      type: 1,
      url: /^\/files\/order-\d+\/[0-9a-f]{32}\.jpg$/,
      full_url: `http://localhost:3000${file.url}`,
    })
    t.equal(file.signed_url_expires_at, (clock.now + 7 * day) / 1_000)
    clock.now += 7 * day - 1_000
    t.equal((await opened(app, file.signed_url)).status, 200)
    t.equal((await opened(app, file.full_url)).status, 404, 'nothing opens without the signature')
    t.same((await told()).file, file)
    clock.now += 1_000
    t.equal((await opened(app, file.signed_url)).status, 404)
  },
)

interface Told {
  readonly url: string
  readonly full_url: string
  readonly signed_url: string
  readonly signed_url_expires_at: number
}

t.test(
  'given uploads, when the order is erased, then no link opens them at once, and their bytes are removed',
  async (t) => {
    const { app, upload, onDisk, parts, order } = await office(t)
    const { url } = (await upload(jpeg)).body.file
    const caller = { kind: 'operator', name: 'root', scopes: ['otep:erase'] } as const
    await call(forgetOrder, { ...parts, caller, messages: en, requestId: 'r' }, { order_id: order })
    t.equal((await opened(app, url)).status, 404)
    t.equal(onDisk().length, 1)
    await runPoliciesOnce(parts)
    t.same(onDisk(), [])
    t.match(await upload(jpeg), { status: 409, body: { code: 'order_forgotten' } })
    t.same(onDisk(), [])
  },
)

t.test('given uploads that no order got, when a day ends, then they are removed, and no others', async (t) => {
  const { app, upload, onDisk, parts, order, directory, clock } = await office(t)
  const { url } = (await upload(jpeg)).body.file
  const orphan = (digit: string) => `order-${order}/${digit.repeat(32)}.jpg` as const
  for (const digit of ['a', 'b']) await parts.files.keep(orphan(digit), jpeg.toString('base64'))
  for (const file of onDisk()) {
    const since = clock.now / 1_000 - (file.includes(orphan('b')) ? 60 : 7_200)
    utimesSync(join(directory, file), since, since)
  }
  const ending = new AbortController()
  const waits: number[] = []
  const wait = async (milliseconds: number) => {
    if (waits.push(milliseconds) === 2) ending.abort()
  }
  const log = { debug() {}, info() {}, warn() {}, error: (fields: object) => t.fail(JSON.stringify(fields)) }
  await sweepFiles(parts, { signal: ending.signal, wait, log })
  t.same(waits, [600_000, day])
  t.notOk(onDisk().some((file) => file.includes(orphan('a'))))
  t.ok(
    onDisk().some((file) => file.includes(orphan('b'))),
    'one that may still be recorded stays',
  )
  t.equal((await opened(app, url)).status, 200)
})

t.test('given files of another store in the same place, when it is swept, then they stay', async (t) => {
  const [one, other] = [await office(t), await office(t)]
  t.equal(one.order, other.order, 'both have an order of this number')
  const { url } = (await other.upload(jpeg)).body.file
  const longAgo = one.clock.now / 1_000 - 7_200
  for (const file of other.onDisk()) utimesSync(join(other.directory, file), longAgo, longAgo)
  const vault = createVault({ keys: one.store.keys, secret })
  const shared = createFiles(openBlobs({ kind: 'directory', directory: other.directory }), vault)
  t.equal(await sweepUploads({ ...one.parts, files: shared }, one.clock.now), 0)
  t.equal((await opened(other.app, url)).status, 200)
})

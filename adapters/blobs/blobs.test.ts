import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { createMemoryStore, type Files } from '../../engine/index.ts'
import { type BlobAddress, type BlobStore, blobsFrom } from '../node/blobs.ts'
import { secretOf } from '../node/secret.ts'
import { createVault } from '../vault/index.ts'
import { createFiles, openBlobs } from './index.ts'
import { startBucket } from './s3.test.fixture.ts'

const kinds: Readonly<Record<BlobAddress['kind'], (t: Test) => Promise<BlobAddress>>> = {
  memory: async () => ({ kind: 'memory' }),
  directory: async (t) => ({ kind: 'directory', directory: join(t.testdir({}), 'blobs') }),
  s3: async (t) => ({ kind: 's3', ...(await startBucket(t)).address }),
}

const namesIn = async (blobs: BlobStore, group?: string) => {
  const found: string[] = []
  for await (const { name } of blobs.list(group)) found.push(name)
  return found
}

for (const [kind, address] of Object.entries(kinds)) {
  t.test(`given blobs in ${kind}, when one is put, then it is there, whole, until it is removed`, async (t) => {
    const blobs = openBlobs(await address(t))
    const bytes = randomBytes(100_000)
    t.equal(await blobs.get('order-1/a.jpg'), undefined)
    t.same(await namesIn(blobs), [])
    const now = Date.now()
    await blobs.put('order-1/a.jpg', bytes)
    t.ok(bytes.equals((await blobs.get('order-1/a.jpg')) ?? Buffer.alloc(0)))
    for await (const { since } of blobs.list()) t.equal(Math.round(Math.abs(since - now) / 3_600_000), 0)
    await blobs.put('order-1/a.jpg', Buffer.from('other'))
    t.equal(String(Buffer.from((await blobs.get('order-1/a.jpg')) ?? [])), 'other')
    await blobs.remove('order-1/a.jpg')
    await blobs.remove('order-1/a.jpg')
    t.equal(await blobs.get('order-1/a.jpg'), undefined)
    t.same(await namesIn(blobs), [])
  })

  t.test(`given blobs in ${kind}, when they are listed, then all, or those of a group, and each once`, async (t) => {
    const blobs = openBlobs(await address(t))
    const names = ['order-1/a.jpg', 'order-1/b.jpg', 'order-1/c.pdf', 'order-12/a.jpg', 'order-2/a.jpg']
    for (const name of names) await blobs.put(name, Buffer.from(name))
    const all = await namesIn(blobs)
    t.same([...all].sort(), names)
    const groups = all.map((name) => name.split('/')[0])
    t.same(
      groups.filter((group, index) => groups.indexOf(group) === index).length,
      groups.filter((group, index) => group !== groups[index - 1]).length,
      'those of a group come together',
    )
    t.same((await namesIn(blobs, 'order-1')).sort(), names.slice(0, 3))
    t.same(await namesIn(blobs, 'order-3'), [])
  })

  t.test(`given blobs in ${kind}, when a name leads somewhere else, then it is refused`, async (t) => {
    if (kind === 'memory') return
    const blobs = openBlobs(await address(t))
    for (const name of [
      '../a',
      'a/../../b',
      '/etc/passwd',
      'order-1/.',
      'order-1',
      'order-1/a/b',
      'order-1/a b',
      'o/',
    ]) {
      await t.rejects(blobs.put(name, Buffer.from('x')), /name/)
      await t.rejects(blobs.get(name), /name/)
      await t.rejects(blobs.remove(name), /name/)
    }
    await t.rejects(namesIn(blobs, '..'), /name/)
  })
}

t.test(
  'given a directory, when a blob is put, then only its owner can read it, and no part is ever seen',
  async (t) => {
    const directory = join(t.testdir({}), 'data', 'blobs')
    const blobs = openBlobs({ kind: 'directory', directory })
    await blobs.put('order-1/a.jpg', Buffer.from('whole'))
    const [shard = ''] = readdirSync(directory)
    const file = join(directory, shard, 'order-1', 'a.jpg')
    t.match(shard, /^[0-9a-f]{2}$/)
    t.equal(readFileSync(file, 'utf8'), 'whole')
    t.equal(statSync(file).mode & 0o777, 0o600)
    t.equal(statSync(directory).mode & 0o777, 0o700)
    const left = `${file}.0123456789abcdef.partial`
    const young = `${file}.fedcba9876543210.partial`
    for (const one of [left, young]) writeFileSync(one, 'who')
    const longAgo = new Date(Date.now() - 2 * 3_600_000)
    utimesSync(left, longAgo, longAgo)
    t.same(await namesIn(blobs), ['order-1/a.jpg'])
    t.notOk(existsSync(left), 'what a crash left is removed')
    t.ok(existsSync(young), 'what is being written is not')
  },
)

t.test('given a directory that is none, when files are asked for, then they are unavailable, not lost', async (t) => {
  const blobs = openBlobs({ kind: 'directory', directory: join(t.testdir({ blobs: 'a file' }), 'blobs') })
  await t.rejects(blobs.put('order-1/a.jpg', Buffer.from('x')), { code: 'files_unavailable' })
  await t.rejects(blobs.get('order-1/a.jpg'), { code: 'files_unavailable' })
  await t.rejects(namesIn(blobs), { code: 'files_unavailable' })
})

t.test(
  'given a bucket, when something is wrong with it, then files are unavailable, and none is taken for lost',
  async (t) => {
    const { address, origin, refused } = await startBucket(t)
    const unavailable = { code: 'files_unavailable' }
    const stranger = openBlobs({ kind: 's3', ...address, secretAccessKey: 'another' })
    await t.rejects(stranger.put('order-1/a.jpg', Buffer.from('x')), unavailable)
    t.same(refused, ['PUT /proofs/otep/order-1/a.jpg'], 'the judge refuses a wrong signature')
    await t.rejects(stranger.get('order-1/a.jpg'), unavailable)
    await t.rejects(namesIn(stranger), unavailable)
    const elsewhere = openBlobs({ kind: 's3', ...address, url: `${origin}/other` })
    await t.rejects(elsewhere.get('order-1/a.jpg'), unavailable)
    await t.rejects(elsewhere.put('order-1/a.jpg', Buffer.from('x')), unavailable)
    await t.rejects(namesIn(elsewhere), unavailable)
    const nobody = openBlobs({ kind: 's3', ...address, url: 'http://127.0.0.1:9/proofs' })
    await t.rejects(nobody.get('order-1/a.jpg'), unavailable)
  },
)

t.test(
  'given the setting, when it is read, then it names a directory or a bucket, or says what is wrong',
  async (t) => {
    const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'key' }
    const read = (OTEP_BLOBS?: string, more: object = keys) => blobsFrom({ OTEP_BLOBS, ...more }, '/data')
    t.same(read(), { kind: 'directory', directory: '/data/blobs' })
    t.same(blobsFrom({}, undefined), { kind: 'memory' })
    t.same(read('/srv/files'), { kind: 'directory', directory: '/srv/files' })
    t.match(read('s3://proofs?region=eu-west-1'), {
      url: 'https://s3.eu-west-1.amazonaws.com/proofs',
      region: 'eu-west-1',
    })
    t.match(read('s3://proofs/a/b/', { ...keys, AWS_REGION: 'x-1', AWS_SESSION_TOKEN: 's' }), {
      url: 'https://s3.x-1.amazonaws.com/proofs/a/b',
      sessionToken: 's',
    })
    t.match(read('s3://proofs/a?region=auto&endpoint=http://minio:9000/'), { url: 'http://minio:9000/proofs/a' })
    t.throws(() => read('s3://proofs?region=a', {}), /AWS_ACCESS_KEY_ID/)
    const wrong = [
      's3://proofs',
      's3:proofs',
      's3://P?region=a',
      's3://proofs/../x?region=a',
      's3://proofs?region=a&b=c',
    ]
    for (const address of [...wrong, 's3://proofs?region=a&endpoint=ftp://x', 'gs://proofs'])
      t.throws(() => read(address), /OTEP_BLOBS/, address)
  },
)

const name = 'order-7/0123456789abcdef0123456789abcdef.jpg'

/** Files in a directory, sealed by a vault. */
function sealedFiles(t: Test) {
  const directory = join(t.testdir({}), 'blobs')
  const { keys } = createMemoryStore(Date.now)
  const vault = createVault({ keys, secret: secretOf(randomBytes(32).toString('hex')) })
  const files: Files = createFiles(openBlobs({ kind: 'directory', directory }), vault)
  return { directory, vault, files }
}

t.test(
  'given an uploaded file, when its bytes are looked at, then they are sealed, and open under their name alone',
  async (t) => {
    const { directory, files } = sealedFiles(t)
    t.equal(await files.keep(name, Buffer.from('a face at a door').toString('base64')), true)
    t.equal(String(Buffer.from((await files.read(name)) ?? [])), 'a face at a door')
    const [file = ''] = readdirSync(directory, { recursive: true })
      .map(String)
      .filter((one) => one.endsWith('.jpg'))
    const path = join(directory, file)
    const sealed = readFileSync(path)
    t.notMatch(sealed.toString('latin1'), 'a face at a door')
    writeFileSync(join(dirname(path), `${'f'.repeat(32)}.jpg`), sealed)
    t.equal(await files.read(`order-7/${'f'.repeat(32)}.jpg`), undefined, 'not under another name')
    sealed[20] = (sealed[20] ?? 0) ^ 1
    writeFileSync(path, sealed)
    t.equal(await files.read(name), undefined, 'not if it was changed')
  },
)

t.test(
  'given an uploaded file, when its stream is forgotten, then nobody opens it, and none is kept any more',
  async (t) => {
    const { vault, files } = sealedFiles(t)
    await files.keep(name, 'AAAA')
    await vault.forget('order-7')
    t.equal(await files.read(name), undefined)
    t.equal(await files.keep(name, 'AAAA'), false)
  },
)

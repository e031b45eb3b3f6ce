import { randomBytes, randomUUID } from 'node:crypto'
import { chmodSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createMemoryStore, type Keys, sealedStore } from '../../engine/index.ts'
import { openText, sealText, secretKeyOf } from '../node/cipher.ts'
import { type Secret, secretIn, secretOf } from '../node/secret.ts'
import { createVault, refuseWrongSecret } from './index.ts'

const newKeys = () => createMemoryStore(Date.now).keys
const newSecret = () => secretOf(randomBytes(32).toString('hex')) as Secret

/** Keys that count their requests. */
function counted(keys: Keys) {
  const calls: string[] = []
  const noted =
    <Args extends readonly string[], Result>(name: string, run: (...args: Args) => Promise<Result>) =>
    (...args: Args) => {
      calls.push(`${name} ${args[0]}`)
      return run(...args)
    }
  const counting: Keys = {
    read: noted('read', keys.read),
    add: noted('add', keys.add),
    remove: noted('remove', keys.remove),
  }
  return { calls, keys: counting }
}

t.test('given a sealed text, when it is opened, then only with its key, under its label and unchanged', async (t) => {
  const key = secretKeyOf(randomBytes(32))
  const sealed = sealText(key, 'a', 'Ada · 東京')
  t.equal(openText(key, 'a', sealed), 'Ada · 東京')
  t.not(sealed, sealText(key, 'a', 'Ada · 東京'), 'every sealing has its own nonce')
  t.throws(() => openText(secretKeyOf(randomBytes(32)), 'a', sealed))
  t.throws(() => openText(key, 'b', sealed))
  t.throws(() => openText(key, 'a', sealed.replace('1.', '2.')))
  for (let place = 2; place < sealed.length - 1; place++) {
    const other = sealed[place] === 'A' ? 'B' : 'A'
    t.throws(() => openText(key, 'a', sealed.slice(0, place) + other + sealed.slice(place + 1)), String(place))
  }
})

t.test(
  'given a secret as text, when it is read, then base64 and hexadecimal of 32 bytes are taken alone',
  async (t) => {
    const bytes = randomBytes(32)
    for (const text of [bytes.toString('hex'), bytes.toString('base64'), bytes.toString('base64').replace('=', '')])
      t.same(Buffer.from(secretOf(text)?.read() ?? []), bytes)
    for (const text of ['', 'secret', bytes.toString('hex').slice(2), `${bytes.toString('base64')}=`])
      t.equal(secretOf(text), undefined, text)
  },
)

t.test('given no file, when a secret is made in it, then it is for its owner alone and stays', async (t) => {
  const directory = t.testdir({})
  const file = join(directory, 'data', 'secret.key')
  t.equal(secretIn(file).read(), undefined)
  t.notOk(existsSync(file), 'to look for it makes none')
  const made = secretIn(file).make()
  t.equal(made.length, 32)
  t.equal(statSync(file).mode & 0o777, 0o600)
  t.same(secretIn(file).make(), made)
  t.same(readdirSync(join(directory, 'data')), ['secret.key'])
  writeFileSync(file, 'not a secret')
  t.throws(() => secretIn(file).read(), /does not hold a secret/)
  for (const mode of [0o640, 0o604, 0o622]) {
    chmodSync(file, mode)
    t.throws(() => secretIn(file).read(), { message: new RegExp(`mode ${mode.toString(8)}.*chmod 600`) })
  }
})

for (const secret of [newSecret(), undefined]) {
  const name = secret === undefined ? 'no secret' : 'a secret'
  t.test(
    `given ${name}, when a subject is forgotten, then nothing of it opens, and nothing is sealed for it`,
    async (t) => {
      const keys = newKeys()
      const vault = createVault({ keys, secret })
      const elsewhere = createVault({ keys, secret })
      const sealed = (await vault.sealing('tracking-1'))?.('event', { name: 'Ada' }) ?? ''
      const others = (await vault.sealing('tracking-2'))?.('event', { name: 'Ben' }) ?? ''
      t.same((await elsewhere.opening('tracking-1'))?.('event', sealed), { name: 'Ada' })
      await vault.forget('tracking-1')
      await vault.forget('tracking-1')
      t.equal(await vault.opening('tracking-1'), undefined)
      t.equal(await vault.sealing('tracking-1'), undefined)
      t.equal(await keys.read('tracking-1'), undefined)
      t.same((await vault.opening('tracking-2'))?.('event', others), { name: 'Ben' })
      t.same(
        (await elsewhere.opening('tracking-1'))?.('event', sealed),
        { name: 'Ada' },
        'held, until the fact is read',
      )
      await elsewhere.forget('tracking-1')
      t.equal(await elsewhere.opening('tracking-1'), undefined)
    },
  )

  t.test(`given ${name}, when a subject without personal data is forgotten, then it never has any`, async (t) => {
    const vault = createVault({ keys: newKeys(), secret })
    await vault.forget('tracking-1')
    t.equal(await vault.sealing('tracking-1'), undefined)
    t.equal(await vault.opening('tracking-1'), undefined)
  })
}

t.test('given keys sealed with a secret, when they are read with another or none, then that is told', async (t) => {
  const [ours, other] = [newSecret(), newSecret()]
  const keys = newKeys()
  const sealed = (await createVault({ keys, secret: ours }).sealing('tracking-1'))?.('event', 'Ada') ?? ''
  t.notMatch(await keys.read('tracking-1'), /^[\w-]{43}$/, 'the key is not kept as it is')
  for (const secret of [other, undefined]) {
    const vault = createVault({ keys, secret })
    await t.rejects(vault.opening('tracking-1'), { code: 'wrong_secret_key' })
    await t.rejects(vault.sealing('tracking-1'), { code: 'wrong_secret_key' })
    await t.rejects(vault.sealing('tracking-2'), { code: 'wrong_secret_key' })
    await t.rejects(refuseWrongSecret(keys, secret), { code: 'wrong_secret_key' })
  }
  t.equal(
    (await createVault({ keys, secret: ours }).opening('tracking-1'))?.('event', sealed),
    'Ada',
    'nothing is lost',
  )
  t.equal(await keys.read('tracking-2'), undefined)
})

t.test('given keys without a secret, when they are read with one, then that is told', async (t) => {
  const keys = newKeys()
  await createVault({ keys }).sealing('tracking-1')
  await t.rejects(createVault({ keys, secret: newSecret() }).opening('tracking-1'), { code: 'wrong_secret_key' })
})

t.test('given two new nodes with different secrets, when both seal at once, then one is refused', async (t) => {
  const keys = newKeys()
  const nodes = [newSecret(), newSecret()].map((secret) => createVault({ keys, secret }))
  const settled = await Promise.allSettled(nodes.map((vault, index) => vault.sealing(`tracking-${index}`)))
  t.same(settled.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
})

t.test('given sealed data, when its key is lost and not thrown away, then that is an error', async (t) => {
  const vault = createVault({ keys: newKeys(), secret: newSecret() })
  const open = await vault.opening('tracking-1')
  t.throws(() => open?.('event', '1.abc'), { code: 'internal' })
})

t.test('given a store that could not be reached, when it can, then the vault opens without a restart', async (t) => {
  const keys = newKeys()
  let isDown = true
  const flaky: Keys = { ...keys, read: (subject) => (isDown ? Promise.reject(new Error('down')) : keys.read(subject)) }
  const vault = createVault({ keys: flaky, secret: newSecret() })
  await t.rejects(vault.sealing('tracking-1'), /down/)
  await t.rejects(vault.opening('tracking-1'), /down/)
  isDown = false
  t.type(await vault.sealing('tracking-1'), 'function')
})

t.test('given a subject, when it is sealed for and opened again, then its key is looked up once', async (t) => {
  const { keys, calls } = counted(newKeys())
  const vault = createVault({ keys, secret: newSecret() })
  await vault.sealing('tracking-1')
  calls.length = 0
  await Promise.all([vault.sealing('tracking-1'), vault.opening('tracking-1')])
  t.same(calls, [])
  await vault.sealing('tracking-2')
  t.same(calls, ['add tracking-2'])
})

t.test('given a look-up while a subject is forgotten, when that is done, then its key is held no more', async (t) => {
  const keys = newKeys()
  const during: Keys = {
    ...keys,
    remove: async (subject) => {
      t.type(await vault.opening('tracking-1'), 'function', 'until the key is gone it is found')
      return keys.remove(subject)
    },
  }
  const vault = createVault({ keys: during, secret: newSecret() })
  await vault.sealing('tracking-1')
  await vault.forget('tracking-1')
  t.equal(await vault.opening('tracking-1'), undefined)
  t.equal(await vault.sealing('tracking-1'), undefined)
})

t.test(
  'given a draft of a seal, when its key is stored, then what it sealed opens, and it is held from then on',
  async (t) => {
    const { keys, calls } = counted(newKeys())
    const secret = newSecret()
    const vault = createVault({ keys, secret })
    const { seal, key = '', stored } = (await vault.draft('tracking-1')) ?? { seal: () => '' }
    const sealed = seal('event', 'Ada')
    t.equal(await keys.read('tracking-1'), undefined, 'nothing is stored by drafting')
    t.not((await vault.draft('tracking-1'))?.key, key, 'nobody else gets a key that may never be stored')
    await keys.add('tracking-1', key)
    stored?.()
    calls.length = 0
    t.notOk(vault.draft('tracking-1') instanceof Promise)
    t.same((await vault.opening('tracking-1'))?.('event', sealed), 'Ada')
    t.same(calls, [])
    t.equal(
      (await createVault({ keys, secret }).draft('tracking-1'))?.key,
      undefined,
      'elsewhere the stored key is found',
    )
  },
)

t.test(
  'given a draft of a seal, when its subject is forgotten before its key is stored, then it is not held',
  async (t) => {
    const keys = newKeys()
    const vault = createVault({ keys, secret: newSecret() })
    const draft = await vault.draft('tracking-1')
    await vault.forget('tracking-1')
    draft?.stored?.()
    t.equal(await vault.opening('tracking-1'), undefined)
    t.equal(await vault.sealing('tracking-1'), undefined)
  },
)

t.test(
  'given two nodes on one store, when both seal at once for a stream without a key, then all of it opens',
  async (t) => {
    const memory = createMemoryStore(Date.now)
    const secret = newSecret()
    const sealing = () => ({ vault: createVault({ keys: memory.keys, secret }), upcasts: {}, erasures: ['Erased'] })
    const nodes = [sealedStore(memory, sealing()), sealedStore(memory, sealing())] as const
    const fact = (text: string, type = 'Told') => {
      const data = type === 'Told' ? { personal: { text } } : {}
      return { id: randomUUID(), type, data, metadata: { schemaVersion: 1 } }
    }
    await Promise.all(nodes.map((node, index) => node.append('people-1', [fact(`${index}`)], 'any')))
    const read = await sealedStore(memory, sealing()).read('people-1')
    t.same(
      read.map(({ data }) => data),
      [{ personal: { text: '0' } }, { personal: { text: '1' } }],
    )
    await nodes[0].append('people-1', [fact('', 'Erased')], 'any')
    await sealedStore(memory, sealing()).append('people-1', [fact('later')], 'any')
    t.same(
      (await nodes[1].read('people-1')).map(({ data }) => data),
      [{}, {}, {}, {}],
      'nothing is sealed for what was forgotten',
    )
  },
)

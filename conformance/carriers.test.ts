import t from 'tap'
import { world } from '../adapters/auth/world.test.fixture.ts'
import { secretOf } from '../adapters/node/secret.ts'

const path = '/api/v1/carrier-accounts'

/** Two businesses, and requests of the admin of the first one. */
async function shop() {
  const made = await world({ secret: secretOf('ab'.repeat(32)) })
  const ask = async (method: string, path: string, body?: object, token = made.tokens.client_admin) =>
    (await made.send(method, path, { token, ...(body === undefined ? {} : { body }) })).body
  const add = (carrier: string, credentials: object = {}) => ask('POST', path, { carrier, credentials })
  return { ...made, ask, add }
}

t.test('given an account at a carrier, when it is read in any way, then nobody sees its credentials', async (t) => {
  const { ask, add, store } = await shop()
  const secret = 'letter-box-4711'
  const added = await add('sandbox', { account: secret })
  t.match(added, { result: true, carrier_account_id: 1, carrier: 'sandbox', name: 'sandbox' })
  const listed = await ask('GET', path)
  t.match(listed, { accounts: [{ carrier_account_id: 1, carrier: 'sandbox' }] })
  t.match(listed.carriers, [
    { carrier: 'own-fleet', title: 'Own fleet', credentials: [] },
    { carrier: 'sandbox', title: 'Sandbox', credentials: ['account'] },
  ])
  t.notMatch(JSON.stringify([added, listed]), secret)
  for await (const event of store.readAll()) t.notMatch(JSON.stringify(event), secret)
})

t.test('given accounts, when they are tested, then each says whether its carrier accepts it', async (t) => {
  const { ask, add } = await shop()
  await add('sandbox', { account: 'acme' })
  await add('sandbox', { account: 'wrong' })
  await add('own-fleet')
  const works = (id: number) => ask('POST', `${path}/${id}/test`, {})
  t.match(await works(1), { result: true, works: true })
  t.match(await works(2), {
    ...{ result: true, works: false, code: 'carrier_refused', refusal: 'wrong_credentials' },
    message: 'The carrier refuses: There is no such account.',
  })
  t.match(await works(3), { result: true, works: true })
})

t.test('given what is no account, when it is added, then the member that is wrong is named', async (t) => {
  const { add } = await shop()
  t.match(await add('pony-express'), { code: 'invalid_input', errors: [{ path: 'carrier', code: 'unknown_carrier' }] })
  t.match(await add('sandbox'), { errors: [{ path: 'credentials.account', code: 'required' }] })
  t.match(await add('sandbox', { account: 'a', key: 'b' }), { errors: [{ path: 'credentials.key' }] })
  for (let count = 0; count < 20; count++) t.match(await add('own-fleet'), { result: true })
  t.match(await add('own-fleet'), { code: 'too_many_carrier_accounts' })
})

t.test('given an account, when it is removed, then its credentials cannot be read, and it is gone', async (t) => {
  const { ask, add, parts, other, tokens } = await shop()
  await add('sandbox', { account: 'acme' })
  for (const token of [tokens.client_employee, tokens.customer, tokens.driver])
    t.match(await ask('DELETE', `${path}/1`, undefined, token), { result: false }, 'only an admin removes one')
  t.match(await ask('DELETE', `${path}/1`, undefined, other.tokens.client_admin), { code: 'carrier_account_not_found' })
  t.match(await ask('DELETE', `${path}/1`), { result: true })
  t.match(await ask('DELETE', `${path}/1`), { code: 'carrier_account_not_found' })
  t.match(await ask('GET', path), { accounts: [] })
  const [first] = await parts.store.read('carrier_account-1')
  t.match(first, { type: 'CarrierAccountAdded', data: { personal: undefined } })
})

import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import t from 'tap'
import { sharedStores } from './nodes/shared.ts'
import { type Answer, openBusiness, send, signIn } from './orders/office.ts'
import { factsAt, order, type Stored } from './orders/two-nodes.test.fixture.ts'
import { program } from './program/files.ts'
import { startServer } from './program/server.ts'

/** In the form for the nodes of one store. */
process.env.OTEP_SECRET_KEY = randomBytes(32).toString('hex')

const kinds = ['top up', 'adjust', 'pay', 'pay', 'refund', 'price', 'cancel'] as const

interface Deed {
  readonly kind: (typeof kinds)[number]
  readonly which: number
  readonly cents: number
}

const deed: fc.Arbitrary<Deed> = fc.record({
  kind: fc.constantFrom(...kinds),
  which: fc.nat({ max: 11 }),
  cents: fc.integer({ min: 1, max: 2_000 }),
})

const amountOf = (cents: number) => (cents / 100).toFixed(2)
const centsOf = ({ data }: Stored) => BigInt(String(data.amount).replace('.', ''))

/** What the facts of a type add up to, by what they belong to. */
function summed(facts: readonly Stored[], signs: Readonly<Record<string, bigint>>, key: (fact: Stored) => string) {
  const sums = new Map<string, bigint>()
  for (const fact of facts) {
    const sign = signs[fact.type]
    if (sign !== undefined) sums.set(key(fact), (sums.get(key(fact)) ?? 0n) + sign * centsOf(fact))
  }
  return Object.fromEntries([...sums].filter(([, sum]) => sum !== 0n).sort())
}

t.test(
  'given money that moves at two nodes, when one is killed, then wallets and orders say the same, and each key counts once',
  async (t) => {
    const store = await sharedStores['one SQLite file'](t.testdir({}))
    const where = ['--store', store.address]
    const roles = { admin: 'client_admin', ann: 'customer', bob: 'customer' } as const
    const people = await openBusiness([...where, '--data-dir', store.dataDirOf('one')], roles)
    const start = (node: string) => startServer(program, store.dataDirOf(node), [], where)
    const nodes = await Promise.all([start('one'), start('other')])
    t.teardown(async () => {
      await Promise.all(nodes.map((node) => node.kill()))
      await store.close()
    })
    const token = await signIn(nodes[0], people.admin)
    const customers = [people.ann, people.bob] as const
    const purses = await Promise.all(customers.map((known) => signIn(nodes[0], known)))
    const price = { shipping_price: '10.00', currency: 'CAD' }
    const orders = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const body = { ...order, price, customer_id: customers[index % 2]?.id }
        return (await send(nodes[0], 'POST', '/api/v1/orders', { token, body })).body.order_id as number
      }),
    )

    const ask = (node: number, { kind, which, cents }: Deed, key: string): Promise<Answer> => {
      const at = nodes[node % 2] as (typeof nodes)[0]
      const customer = customers[which % 2]?.id
      const amount = amountOf(cents)
      const ofOrder = (verb: string, body: object, who = token) =>
        send(at, 'POST', `/api/v1/orders/${orders[which]}/${verb}`, { token: who, key, body })
      switch (kind) {
        case 'top up':
          return send(at, 'POST', `/api/v1/accounts/${customer}/top-ups`, { token, key, body: { amount } })
        case 'adjust': {
          const body = { kind: 'adjustment', amount: cents % 2 === 0 ? amount : `-${amount}`, reason: 'Late' }
          return send(at, 'POST', `/api/v1/wallets/${customer}/adjustments`, { token, key, body })
        }
        case 'pay':
          return ofOrder('pay', cents % 3 === 0 ? {} : { amount }, purses[which % 2])
        case 'refund':
          return ofOrder('refund', { reason: 'Late', ...(cents % 3 === 0 ? {} : { amount }) })
        case 'price':
          return ofOrder('price', { price: { ...price, shipping_price: amount }, note: 'Agreed' })
        case 'cancel':
          return ofOrder('cancel', {})
      }
    }

    const deeds = fc.sample(deed, 160)
    const done = new Map<number, Answer>()
    let next = 0
    /** One client after the other; what is not answered is asked again, at the other node. */
    const lane = async () => {
      for (let number = next++; number < deeds.length; number = next++)
        for (let attempt = 0; !done.has(number); attempt++) {
          const answer = await ask(number + attempt, deeds[number] as Deed, `k${number}`)
          if (answer.status > 0 && answer.status < 500) done.set(number, answer)
          else await setTimeout(100)
        }
    }
    const lanes = Promise.all([lane(), lane(), lane(), lane()])
    while (done.size < deeds.length / 3) await setTimeout(10)
    await nodes[1].kill()
    nodes[1] = await start('other')
    await lanes

    const [ofWallets, ofOrders] = [await factsAt(store.address, 'wallet'), await factsAt(store.address, 'order')]
    const paid = summed(ofOrders, { OrderPaid: 1n, OrderRefunded: -1n }, ({ stream }) => stream.slice('order-'.length))
    const charged = summed(ofWallets, { WalletCharged: 1n, WalletRefunded: -1n }, ({ data }) => String(data.order_id))
    t.same(paid, charged, 'what orders say was paid is what wallets have paid')
    const signs = { WalletToppedUp: 1n, WalletAdjusted: 1n, WalletRefunded: 1n, WalletCharged: -1n }
    const balances = summed(ofWallets, signs, ({ stream }) => stream.slice('wallet-'.length))
    const { wallets } = (await send(nodes[1], 'GET', '/api/v1/wallets', { token })).body
    for (const { account_id, balance } of wallets)
      t.equal(BigInt(balance.replace('.', '')), balances[account_id] ?? 0n, `the balance of ${account_id}`)
    t.ok(Object.values(balances).every((balance) => balance >= 0n))
    const counted = (kind: string) =>
      [...done].filter(([number, { body }]) => deeds[number]?.kind === kind && body.result === true).length
    for (const [kind, type] of [
      ['top up', 'WalletToppedUp'],
      ['adjust', 'WalletAdjusted'],
      ['pay', 'WalletCharged'],
    ] as const)
      t.equal(ofWallets.filter((fact) => fact.type === type).length, counted(kind), `each ${kind} once`)
    t.comment(`${done.size} calls, ${counted('pay')} payments, ${counted('refund')} refunds`)
  },
)

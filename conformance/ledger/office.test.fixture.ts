import { deepEqual, equal, fail } from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { operator, passwordOf, type World, world } from '../../adapters/auth/world.test.fixture.ts'
import { call, registerAccount } from '../../engine/index.ts'
import { abroad, written } from './amounts.ts'
import { customers, type Step, type Turn } from './deeds.ts'
import { type Asked, type Books, balanceIn, costOf, type Deed, openBooks, play, remainingOf } from './model.ts'

type Json = ReturnType<typeof JSON.parse>

/** What a call was answered, in the words of the model: `done`, or what the refusal says. */
type Outcome = string

/** A business whose wallets and orders are held against books. */
interface Office {
  readonly made: World
  readonly currency: string
  readonly accounts: readonly { readonly id: number; readonly email: string; token: string }[]
  /** Orders by their numbers in the books: their ids, and the numbers of their customers. */
  readonly orders: Map<number, { readonly id: number; readonly customer: number }>
}

async function openOffice(currency: string): Promise<Office> {
  const made = await world({ currency })
  const second = { role: 'customer', email: 'bob@one.example', name: 'Bob', password: passwordOf('customer') } as const
  const rate = { from: abroad.currency, to: currency, rate: abroad.rate }
  const told = await made.send('POST', '/api/v1/exchange-rates', { token: made.tokens.client_admin, body: rate })
  equal(told.body.result, true, 'a rate of exchange is set')
  const opened = await call(registerAccount, operator(made), { ...second, business: made.business })
  const body = { email: second.email, password: second.password }
  const { access_token } = (await made.send('POST', '/api/v1/user/login', { body })).body
  const accounts = [
    { id: made.ids.customer, email: 'customer@one.example', token: made.tokens.customer },
    { id: Number(opened.account_id), email: second.email, token: String(access_token) },
  ]
  return { made, currency, accounts, orders: new Map() }
}

/** The next month begins, and the statements of the one before are issued. */
async function closeMonth({ made, accounts }: Office): Promise<void> {
  const now = new Date(made.clock.now)
  const month = now.toISOString().slice(0, 7)
  made.clock.now = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 2)
  const signIn = async (email: string, password: string) =>
    (await made.send('POST', '/api/v1/user/login', { body: { email, password } })).body.access_token
  Object.assign(made.tokens, { client_admin: await signIn('client_admin@one.example', passwordOf('client_admin')) })
  for (const account of accounts) account.token = await signIn(account.email, passwordOf('customer'))
  const body = { month }
  await made.send('POST', '/api/v1/statements/issue-all', { token: made.tokens.client_admin, body })
}

/** All statements of a customer together say what its orders cost, and the last one says what its wallet has. */
async function requireStatements({ made, accounts }: Office, books: Books): Promise<void> {
  const { send, tokens } = made
  const get = async (path: string) => (await send('GET', `/api/v1/${path}`, { token: tokens.client_admin })).body
  for (const [customer, { id }] of accounts.entries()) {
    const { statements } = await get(`statements?customer_id=${id}`)
    const told = statements.map(({ total }: Json) => unitsOf(total, books))
    const sum = told.reduce((all: bigint, one: bigint) => all + one, 0n)
    equal(sum, costOf(books, customer), `the statements of customer ${customer} say what its orders cost`)
    if (statements.length === 0) continue
    const { closing_balance } = await get(`statements/${statements[0].statement_id}`)
    equal(unitsOf(closing_balance, books), balanceIn(books, `wallet ${customer}`), 'and what its wallet has')
  }
}

/** Plays turns at a business and in its books, and compares all that both say. */
export async function playTurns(currency: string, decimals: number, turns: readonly Turn[]): Promise<void> {
  const office = await openOffice(currency)
  let books = openBooks(decimals, customers)
  for (const [index, turn] of turns.entries()) {
    if (index === Math.floor(turns.length / 2)) await closeMonth(office)
    const steps = 'step' in turn ? [turn.step] : turn.together
    const deeds = steps.flatMap((step, place) => deedOf(books, step, place) ?? [])
    if ('step' in turn) for (const deed of deeds) await playOne(office, books, deed, turn.again, `key-${index}`)
    else if (deeds.length === 2) books = await playBoth(office, books, deeds as [Deed, Deed])
  }
  const told = await toldBy(office)
  deepEqual(told, expectedOf(books), 'the business says what the books say')
  requireSums(books, told)
  await closeMonth(office)
  await requireStatements(office, books)
}

/** What a step is in the books; nothing if there is no order, or it cannot go where the step takes it. */
function deedOf(books: Books, step: Step, place: number): Deed | undefined {
  const numbers = [...books.orders.keys()]
  const made = Math.max(-1, ...numbers) + 1 + place
  if (step.do === 'create') return { ...step, made }
  if (!('order' in step)) return step
  const order = numbers.at(-1 - (step.order % numbers.length))
  const known = order === undefined ? undefined : books.orders.get(order)
  if (order === undefined || known === undefined) return undefined
  if (step.do === 'reroute') return { ...step, order, made }
  if ((step.do === 'deliver' || step.do === 'return') && known.status !== 'open') return undefined
  return { ...step, order } as Deed
}

async function playOne(office: Office, books: Books, deed: Deed, again: 'no' | 'after' | 'at once', key: string) {
  const answers =
    again === 'at once'
      ? await Promise.all([ask(office, deed, key), ask(office, deed, key)])
      : [await ask(office, deed, key)]
  if (again === 'after') answers.push(await ask(office, deed, key))
  for (const answer of answers) deepEqual(answer, answers[0], `${deed.do}: the same key has the same answer`)
  equal(outcomeOf(office, deed, answers[0]), play(books, deed), `${JSON.stringify(deed)} is answered as in the books`)
}

/** Two at once happen one after the other: the books after the order that the answers and the business agree with. */
async function playBoth(office: Office, books: Books, deeds: readonly [Deed, Deed]): Promise<Books> {
  const answers = await Promise.all(deeds.map((deed) => ask(office, deed)))
  const outcomes = deeds.map((deed, place) => outcomeOf(office, deed, answers[place]))
  const told = await toldBy(office)
  const after = [
    [0, 1],
    [1, 0],
  ].map((places) => {
    const copy = structuredClone(books)
    const played = new Map(places.map((place) => [place, play(copy, deeds[place] as Deed)]))
    return { copy, played: deeds.map((_, place) => played.get(place)) }
  })
  const found = after.find(
    ({ copy, played }) => isDeepStrictEqual(played, outcomes) && isDeepStrictEqual(expectedOf(copy), told),
  )
  if (found === undefined)
    return fail(
      `${JSON.stringify({ deeds, outcomes, told, after: after.map(({ played }) => played) })} is so in no order`,
    )
  return found.copy
}

/** Asks for what a deed is; once, if it has a key. */
async function ask({ made, accounts, currency, orders }: Office, deed: Deed, key?: string): Promise<Json> {
  const { send, tokens, ids } = made
  const post = async (path: string, body: object, token: string = tokens.client_admin, method = 'POST', name = key) =>
    (
      await send(method, `/api/v1/${path}`, {
        token,
        body,
        headers: name === undefined ? {} : { 'Idempotency-Key': name },
      })
    ).body
  const order = 'order' in deed ? orders.get(deed.order) : undefined
  const path = `orders/${order?.id}`
  const wallet = 'customer' in deed ? accounts[deed.customer]?.id : undefined
  const priced = (price: Asked) => ({ price: { currency, ...price } })
  const amount = 'amount' in deed && deed.amount !== undefined ? { amount: deed.amount } : {}
  const address = { street: '1 Main Street', country: 'CA' }
  switch (deed.do) {
    case 'top up':
      return post(`accounts/${wallet}/top-ups`, amount)
    case 'set credit':
      return post(`wallets/${wallet}/credit-limit`, { credit_limit: deed.amount }, undefined, 'PUT')
    case 'adjust':
      return post(`wallets/${wallet}/adjustments`, { ...amount, kind: deed.kind, reason: 'Counted anew' })
    case 'create': {
      const body = { type: 'D', delivery: { name: 'Ann', address }, customer_id: wallet }
      return post('orders', { ...body, ...(deed.price && priced(deed.price)) })
    }
    case 'set price':
      return post(`${path}/price`, { ...priced(deed.price), ...(deed.isNoted && { note: 'Agreed' }) })
    case 'pay':
      return post(`${path}/pay`, amount, accounts[order?.customer ?? 0]?.token)
    case 'refund':
      return post(`${path}/refund`, { ...amount, reason: 'Late' })
    case 'cancel':
      return post(`${path}/cancel`, {})
    case 'reroute':
      return post(`${path}/reroute`, { address: { ...address, street: '2 Other Road' } })
    case 'deliver':
    case 'return': {
      await post(`${path}/assign-driver`, { driver_id: ids.driver }, undefined, 'POST', `${key}-assign`)
      await post(`${path}/pick-up`, {}, undefined, 'POST', `${key}-pick-up`)
      if (deed.do === 'deliver') return post(`${path}/complete`, {})
      await post(`${path}/fail`, { reason: 'refused' }, undefined, 'POST', `${key}-fail`)
      return post(`${path}/return`, {})
    }
  }
}

/** The outcome of an answer; an order that was made is known from then on. */
function outcomeOf({ orders }: Office, deed: Deed, answer: Json): Outcome {
  if (answer.result !== true) {
    const findings: readonly Json[] = answer.errors ?? []
    return findings.length === 0 ? answer.code : findings.map(({ path, code }) => `${path} ${code}`).join(', ')
  }
  const customer = deed.do === 'create' ? deed.customer : 'order' in deed ? (orders.get(deed.order)?.customer ?? 0) : 0
  if ('made' in deed) orders.set(deed.made, { id: answer.order_id, customer })
  return 'done'
}

/** What the business says of all wallets and orders, without ids, times and people. */
async function toldBy({ made, accounts, orders }: Office) {
  const { send, tokens } = made
  const get = async (path: string) => (await send('GET', `/api/v1/${path}`, { token: tokens.client_admin })).body
  const numbers = new Map([...orders].map(([number, { id }]) => [id, number]))
  const list = (await get('wallets')).wallets
  const wallets = await Promise.all(
    accounts.map(async ({ id }) => {
      const { balance, credit_limit, currency, movements } = await get(`wallets/${id}/movements?per_page=200`)
      const { updated_at, name, account_id, ...listed } = list.find((one: Json) => one.account_id === id)
      const same = isDeepStrictEqual(listed, { balance, credit_limit, currency })
      const lines = movements.toReversed().map(({ at, by, reason, order_id, family, ...line }: Json) => ({
        ...line,
        ...(order_id !== undefined && { order: numbers.get(order_id) }),
      }))
      return { balance: same ? balance : `${balance} and ${listed.balance}`, credit_limit, lines }
    }),
  )
  const told = await Promise.all(
    [...orders]
      .sort(([one], [other]) => one - other)
      .map(async ([number, { id }]) => {
        const { movements } = await get(`orders/${id}/movements?per_page=200`)
        const { order } = await get(`orders/${id}`)
        const lines = movements.map(({ at, by, reason, note, ...line }: Json) => line)
        return { number, paid: order.paid_amount, remaining: order.remaining_amount, lines }
      }),
  )
  return { wallets, orders: told }
}

/** What the books expect the business to say. */
function expectedOf(books: Books) {
  const { decimals } = books
  return {
    wallets: [...books.wallets].map(([customer, { limit, lines }]) => ({
      balance: written(balanceIn(books, `wallet ${customer}`), decimals),
      credit_limit: written(limit, decimals),
      lines,
    })),
    orders: [...books.orders]
      .sort(([one], [other]) => one - other)
      .map(([number, { price, lines }]) => {
        const isPriced = price !== undefined
        return {
          number,
          paid: isPriced ? written(balanceIn(books, `order ${number}`), decimals) : undefined,
          remaining: isPriced ? written(remainingOf(books, number), decimals) : undefined,
          lines,
        }
      }),
  }
}

type Told = Awaited<ReturnType<typeof toldBy>>

/** The balance of a wallet is the sum of its movements, and what orders say was paid is what wallets paid. */
function requireSums({ decimals }: Books, { wallets, orders }: Told): void {
  const units = (text: string) => unitsOf(text, { decimals })
  const sum = (lines: readonly Json[]) => lines.reduce((all: bigint, { amount }) => all + units(amount), 0n)
  for (const { balance, lines } of wallets) equal(units(balance), sum(lines), 'the balance is the sum of the movements')
  const movements: readonly Json[] = wallets.flatMap(({ lines }) => lines)
  for (const { number, paid } of orders) {
    const ofOrder = movements.filter(({ order }) => order === number)
    equal(units(paid ?? '0'), -sum(ofOrder), 'what an order says was paid is what the wallet paid')
  }
}

function unitsOf(text: string, { decimals }: Pick<Books, 'decimals'>): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  return (text.startsWith('-') ? -1n : 1n) * BigInt(whole + fraction.padEnd(decimals, '0'))
}

import assert from 'node:assert/strict'
import { days, isShown, names, references, type Work } from './command.test.fixture.ts'
import { codeOf, ended, type Order, type Parcel, statuses } from './model.test.fixture.ts'

const viewers = ['one', 'two', 'customer'] as const
type Viewer = (typeof viewers)[number]

const [, today] = days
const exceptions = ['FAILED', 'RETURNED']
const pending = ['NEW_ORDER', 'ASSIGNED', 'ACCEPTED', 'PICKUP_STARTED']

/** What a list shows of an order. */
interface Listed extends Readonly<Record<string, unknown>> {
  readonly order_id: number
}

/** A customer sees the same, no matter who carries. */
function statusFor(who: Viewer, status: string): string {
  if (who !== 'customer') return status
  return ({ WITH_CARRIER: 'ON_THE_WAY', DELIVERED_BY_CARRIER: 'DELIVERED' } as Record<string, string>)[status] ?? status
}

/** The orders that somebody is shown, the newest first. */
function shownTo({ model }: Work, who: Viewer): readonly Order[] {
  return model.orders.filter((order) => isShown(order, who)).reverse()
}

function plain(order: Order, who: Viewer) {
  const { id, family, reference, state, parcels } = order
  const isLabel = family === 'label_service'
  return {
    ...{ id, family, reference, status: statusFor(who, order.status), number: parcels[0]?.number },
    ...{ state: isLabel ? state : undefined, carrier: isLabel ? 'sandbox' : undefined },
    provider: who === 'customer' || isLabel ? undefined : order.provider,
    reportedBy: who === 'customer' ? undefined : order.reportedBy,
  }
}

function plainly({ order_id, family, reference, status, tracking_number, state, carrier, ...one }: Listed) {
  return {
    ...{ id: order_id, family, reference, status, number: tracking_number, state, carrier },
    ...{ provider: one.provider, reportedBy: one.reported_by },
  }
}

const idsOf = (list: readonly { readonly id: number }[]) => list.map(({ id }) => id)

/** How many orders have each status, in the order of the ids of statuses. */
function countsOf(orders: readonly Order[], who: Viewer) {
  return statuses
    .map((status) => ({ status, orders: orders.filter((one) => statusFor(who, one.status) === status).length }))
    .filter((one) => one.orders > 0)
}

const isOfToday = ({ day }: Order) => day === undefined || day === today
const isOpen = ({ status }: Order) => !ended.includes(status)

/** What lists can be narrowed by, and what then fits. */
const narrowed = (one: Order | undefined): Readonly<Record<string, (order: Order) => boolean>> => ({
  'family=local_delivery': ({ family }) => family === 'local_delivery',
  'family=label_service': ({ family }) => family === 'label_service',
  'family=storage_services': () => false,
  [`status=${one?.status ?? 'HOLD'}`]: ({ status }) => status === one?.status,
  'status=FAILED,RETURNED': ({ status }) => exceptions.includes(status),
  [`reference=${references[0].toLowerCase()}`]: ({ reference }) => reference === references[0],
  'late=true': (order) => isOpen(order) && order.day !== undefined && order.day < today,
  'undeliverable=true': ({ status, isRefused }) => status === 'FAILED' && isRefused,
  'unassigned=true': isUnassigned,
  'reported=true': ({ reportedBy }) => reportedBy !== undefined,
})

function isUnassigned({ status, day, hasDriver, provider }: Order): boolean {
  return status === 'NEW_ORDER' && day !== undefined && day <= today && !hasDriver && provider === undefined
}

const sorts: Readonly<Record<string, (order: Order) => string>> = {
  created_at: ({ id }) => sortable(id),
  updated_at: ({ changed }) => sortable(changed),
  schedule_date: ({ day = '', id }) => day + sortable(id),
}

const sortable = (value: number) => String(value).padStart(6, '0')

/** Compares everything that shows orders with the model; `chance` chooses what is looked at closely. */
export async function lookAround(work: Work, chance: number): Promise<void> {
  for (const who of viewers) {
    const shown = shownTo(work, who)
    const { orders: listed, total } = await answered(work, who, 'orders?per_page=100')
    assert.deepEqual(
      listed.map(plainly),
      shown.map((order) => plain(order, who)),
      `the list of ${who}`,
    )
    assert.equal(total, shown.length)
    await compareLists(work, who, chance)
    await compareOne(work, who, listed, chance)
    await compareCounts(work, who)
    await comparePage(work, who)
  }
  await compareTools(work)
}

async function answered({ office }: Work, who: Viewer, path: string) {
  const { body, code } = await office.ask(who, 'GET', path)
  assert.equal(code, 'ok', `${who} ${path}`)
  return body
}

async function compareLists(work: Work, who: Viewer, chance: number) {
  const shown = shownTo(work, who)
  for (const [query, fits] of Object.entries(narrowed(shown[chance % (shown.length || 1)]))) {
    // What a customer is not told finds nothing either, and a status is what it sees.
    if (who === 'customer' && /^(un|rep|status=)/.test(query)) continue
    const { orders, total } = await answered(work, who, `orders?per_page=100&${query}`)
    assert.deepEqual(
      orders.map(plainly).map(({ id }: { id: number }) => id),
      idsOf(shown.filter(fits)),
      query,
    )
    assert.equal(total, orders.length)
  }
  const names = Object.keys(sorts)
  const sort = names[chance % names.length] as string
  const keyOf = sorts[sort] as (order: Order) => string
  const sorted = [...shown].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
  assert.deepEqual(await walked(work, who, sort), idsOf(sorted), sort)
  assert.deepEqual(await walked(work, who, `-${sort}`), idsOf(sorted.reverse()), `-${sort}`)
}

/** The orders of a list that is read page by page. */
async function walked(work: Work, who: Viewer, sort: string): Promise<readonly number[]> {
  const ids: number[] = []
  for (let query = `sort=${sort}`; ; ) {
    const { orders, next_cursor } = await answered(work, who, `orders?per_page=3&with_total=false&${query}`)
    ids.push(...orders.map((one: Listed) => one.order_id))
    if (next_cursor === undefined) return ids
    query = `cursor=${next_cursor}`
  }
}

/** Looks at one order of all from all sides, no matter whether somebody may see it. */
async function compareOne(work: Work, who: Viewer, listed: readonly Listed[], chance: number) {
  const { orders } = work.model
  const order = orders[(chance * 7) % (orders.length || 1)]
  if (order === undefined) return
  const { id, name, reference } = order
  const known = listed.find((one) => one.order_id === id)
  const parcel = order.parcels[chance % (order.parcels.length || 1)]
  const code = known === undefined ? 'order_not_found' : 'ok'
  const ask = (path: string) => work.office.ask(who, 'GET', path)
  const detail = await ask(`orders/${id}`)
  assert.equal(detail.code, code, `${who} reads ${id}`)
  assert.deepEqual(detail.body.order, known)
  for (const named of [String(id), ...(parcel ? [parcel.number] : [])]) {
    const { body, code: answer } = await ask(`orders/snapshot?order=${named}`)
    assert.equal(answer, code, `${who} reads the snapshot of ${named}`)
    assert.deepEqual(body.order, known)
    const tracked: Parcel | undefined = named === String(id) ? order.parcels[0] : parcel
    if (known !== undefined)
      assert.equal(body.tracking?.current_status, tracked && codeOf(tracked), `snapshot of ${named}`)
  }
  if (parcel !== undefined) {
    const { body, code: answer } = await ask(`otep/client/trackings/${parcel.number}`)
    assert.equal(answer, code, `${who} tracks ${parcel.number}`)
    const { status, order_id } = body.details ?? {}
    assert.deepEqual({ status, order_id }, { status: known?.status, order_id: known?.order_id })
    if (known !== undefined) assert.equal(body.timeline.current_status, codeOf(parcel))
  }
  const found = async (query: string) =>
    (await answered(work, who, `orders/find?query=${encodeURIComponent(query)}`)).orders.map(
      (one: Listed) => one.order_id,
    )
  const shown = shownTo(work, who)
  assert.deepEqual(await found(String(id)), known ? [id] : [])
  if (parcel !== undefined) assert.deepEqual(await found(parcel.number), known ? [id] : [])
  assert.deepEqual(await found(reference), idsOf(shown.filter((one) => one.reference === reference)))
  assert.ok(names.some((one) => one === name))
  assert.deepEqual(await found(name), idsOf(shown.filter((one) => one.name === name)), name)
}

/** Compares whatever counts orders. */
async function compareCounts(work: Work, who: Viewer) {
  const shown = shownTo(work, who)
  const ofToday = shown.filter(isOfToday)
  const by_status = countsOf(ofToday, who)
  const wrong = ofToday.filter(({ status }) => exceptions.includes(status))
  const expected = { total: ofToday.length, by_status, exceptions: wrong.length }
  const digest = await answered(work, who, 'analytics/daily-digest')
  const waiting = ofToday.filter(({ status }) => pending.includes(status)).length
  assert.deepEqual(counted(digest), expected, `the digest of ${who}`)
  assert.equal(digest.pending_pickups, waiting)
  const summary = await answered(work, who, 'analytics/orders-summary')
  assert.deepEqual(counted(summary), expected, `the summary of ${who}`)
  if (who !== 'customer') assert.deepEqual(summary.top_carriers, carriersOf(ofToday))
  const now = await answered(work, who, 'analytics/today')
  assert.deepEqual(now.open.map(bare), countsOf(shown.filter(isOpen), who), `what is open for ${who}`)
  assert.deepEqual(now.today.map(bare), by_status)
  const fits = narrowed(undefined)
  const count = (query: string) => shown.filter((order) => fits[query]?.(order)).length
  // Which carriers contradict each other is no matter of this model.
  const contradicting = undefined
  assert.deepEqual(
    { ...now.exceptions, contradicting },
    {
      contradicting,
      ...{ failed: shown.filter(({ status }) => status === 'FAILED').length, late: count('late=true') },
      undeliverable: count('undeliverable=true'),
      ...(who !== 'customer' && { unassigned: count('unassigned=true'), reported: count('reported=true') }),
    },
  )
  const listed = await answered(work, who, 'orders/exceptions?per_page=100')
  assert.deepEqual(
    listed.orders.map(({ order_id: id, status }: Listed) => ({ id, status })),
    wrong.map(({ id, status }) => ({ id, status })),
    `the exceptions of ${who}`,
  )
  assert.equal(listed.total, wrong.length)
}

const bare = ({ status, orders }: { readonly status: string; readonly orders: number }) => ({ status, orders })

function counted({ total, by_status, exceptions }: Readonly<Record<string, never>>) {
  return { total, by_status: (by_status as unknown as Parameters<typeof bare>[0][]).map(bare), exceptions }
}

function carriersOf(orders: readonly Order[]) {
  const all = orders.flatMap(({ provider }) => provider ?? [])
  return [...new Set(all)]
    .map((carrier) => ({ carrier, orders: all.filter((one) => one === carrier).length }))
    .sort((one, other) => other.orders - one.orders || (one.carrier < other.carrier ? -1 : 1))
}

/** Compares the page of orders: each has a row, with its status in words. */
async function comparePage(work: Work, who: Viewer) {
  const html = await work.office.page(who, '/orders')
  const rows = [
    ...html.matchAll(/href="\/(orders|records\/label)\/(\d+)[^"]*" data-row>.*?class="badge \w+">([^<]*)</g),
  ]
  const wordsOf = (status: string) => status[0] + status.slice(1).toLowerCase().replaceAll('_', ' ')
  assert.deepEqual(
    rows.map(([, path, id, status]) => ({ path, id: Number(id), status })),
    shownTo(work, who).map(({ id, family, status }) => ({
      ...{ path: family === 'label_service' ? 'records/label' : 'orders', id },
      status: statusFor(who, status) === 'NEW_ORDER' ? 'New order' : wordsOf(statusFor(who, status)),
    })),
    `the page of ${who}`,
  )
}

/** An agent is answered as everybody is. */
async function compareTools(work: Work) {
  const { office } = work
  for (const [name, given, path] of [
    ['daily_digest', {}, 'analytics/daily-digest'],
    ['list_exceptions', {}, 'orders/exceptions'],
    ['get_orders', { per_page: 100, family: 'label_service' }, 'orders?per_page=100&family=label_service'],
  ] as const)
    assert.deepEqual(await office.tool('one', name, given), await answered(work, 'one', path), name)
}

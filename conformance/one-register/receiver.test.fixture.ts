import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { errorLog } from '../../adapters/node/log.ts'
import { startLife } from '../../engine/index.ts'
import type { Work } from './command.test.fixture.ts'
import type { Business, Order } from './model.test.fixture.ts'
import type { Office } from './office.test.fixture.ts'

interface Told {
  readonly event: string
  readonly data: {
    readonly order_id: number
    readonly tracking_number: string | readonly string[]
    readonly previous_status_name: string
    readonly status_name: string
    readonly otep_status: string
  }
}

/** Compares what both businesses have received of a history with the model. Nothing is done with the orders after it. */
export async function compareWebhooks(work: Work): Promise<void> {
  const stop = begin(work.office)
  try {
    for (const who of ['one', 'two'] as const) {
      const told = await received(work, who)
      const orders = work.model.orders.filter(({ business }) => business === who)
      assert.deepEqual(changesIn(told), changesOf(orders), `the changes of ${who}`)
      assert.deepEqual(scansIn(told), scansOf(orders), `the events of the parcels of ${who}`)
    }
  } finally {
    await stop()
  }
}

/** Has webhooks made until it is stopped. */
function begin({ parts, store }: Office) {
  const ending = new AbortController()
  const run = {
    signal: ending.signal,
    now: () => performance.now(),
    wait: (ms: number, signal: AbortSignal) => setTimeout(Math.min(ms, 5), undefined, { signal }).catch(() => {}),
  }
  const life = startLife(store.leases, { ...run, name: 'receiver', failed: () => {} })
  const done = parts.webhooks.run({ ...run, leases: store.leases, life, log: errorLog })
  return async () => {
    ending.abort()
    await Promise.all([done, life.ended])
  }
}

/** Everything that a business receives until an order that comes last. */
async function received({ office }: Work, who: Business): Promise<readonly Told[]> {
  const body = { type: 'D', delivery: { name: 'Last', address: { street: '3 Last Street' } } }
  const { order_id } = (await office.ask(who, 'POST', 'orders', body)).body
  const all: Told[] = []
  for (let after = ''; ; ) {
    const { body } = await office.ask(who, 'GET', `webhooks/pull?queue=all&limit=100${after}`)
    const some: readonly Told[] = body.events.map((one: { readonly body: string }) => JSON.parse(one.body))
    all.push(...some)
    if (body.cursor !== null) after = `&cursor=${body.cursor}`
    if (some.some(({ event, data }) => event === 'order.created' && data.order_id === order_id)) break
    if (some.length === 0) await setTimeout(5)
  }
  return all.filter(({ data }) => data.order_id !== order_id)
}

type ByName = Readonly<Record<string, readonly string[]>>

function grouped(pairs: readonly (readonly [string | number, string])[]): ByName {
  const groups: Record<string, string[]> = {}
  for (const [name, value] of pairs) {
    groups[name] ??= []
    groups[name].push(value)
  }
  return groups
}

function changesIn(told: readonly Told[]): ByName {
  return grouped(
    told
      .filter(({ event }) => event === 'order.status_change')
      .map(({ data }) => [data.order_id, `${data.previous_status_name}>${data.status_name}`]),
  )
}

function changesOf(orders: readonly Order[]): ByName {
  return grouped(orders.flatMap(({ id, changes }) => changes.map((change) => [id, change] as const)))
}

function scansIn(told: readonly Told[]): ByName {
  return grouped(
    told
      .filter(({ event }) => event === 'tracking.event')
      .map(({ data }) => [`${data.order_id} ${data.tracking_number}`, data.otep_status]),
  )
}

function scansOf(orders: readonly Order[]): ByName {
  return grouped(
    orders.flatMap(({ id, parcels }) =>
      parcels.flatMap(({ number, scans }) => scans.map(({ code }) => [`${id} ${number}`, code] as const)),
    ),
  )
}

import * as v from 'valibot'
import {
  anonymous,
  type Caller,
  type Context,
  call,
  createMemoryStore,
  deriveId,
  en,
  isEngineError,
  type Operation,
  perform,
  type Role,
  scopesOf,
} from '../../index.ts'
import { createTestParts } from '../../testing/parts.test.fixture.ts'
import { recordCall } from '../../testing/recording.test.fixture.ts'
import { handoffsDomain } from './index.ts'

const { webhookEventSources = [] } = handoffsDomain

/** When the clock of the world starts, in epoch milliseconds. */
export const start = Date.parse('2026-06-10T10:00:00.000Z')

/** Milliseconds. */
export const minute = 60_000

/** What is to be delivered, and to whom. */
export const details = {
  delivery: { name: 'Ann Lee', phone: '+49 30 1', address: { street: 'Main St 1' } },
  items: [{ description: 'Sofa', quantity: 1 }],
}

const accountOf = (id: number, role: Role, businessId: number): Caller => {
  const business = { id: businessId, name: 'B', timeZone: 'UTC', currency: 'EUR', modules: {} }
  const account = { id, role, business, modules: {}, hiddenPrices: [] }
  return { kind: 'account', name: String(id), scopes: scopesOf[role], account }
}
const partner = (name: string, businessId: number): Caller => ({
  ...{ kind: 'provider', name, businessId },
  scopes: ['otep:ingest', 'ohp:write'],
})
/** One caller of each kind, another partner, and those of another business. */
export const callers = {
  admin: accountOf(1, 'client_admin', 1),
  employee: accountOf(2, 'client_employee', 1),
  customer: accountOf(3, 'customer', 1),
  driver: accountOf(4, 'driver', 1),
  stranger: accountOf(11, 'client_admin', 2),
  acme: partner('acme', 1),
  other: partner('other', 1),
  acmeElsewhere: partner('acme', 2),
  unbound: { kind: 'provider', name: 'acme', scopes: ['otep:ingest', 'ohp:write'] },
  operator: { kind: 'operator', name: 'acme', scopes: ['ohp:write'] },
  public: anonymous,
} as const satisfies Readonly<Record<string, Caller>>

/** The name of a caller. */
export type Who = keyof typeof callers

/** One message of a partner, as it is pulled. */
export interface Message {
  readonly event: string
  readonly message_id: string
  readonly data: Readonly<Record<string, unknown>>
}

/** What the operations answer with. */
export interface Answered {
  readonly handoff_id: number
  readonly amendment_id: number
  readonly line_id: number
  readonly status: string
  readonly total: number
  readonly expired: number
  readonly left: number
  readonly handoff: Readonly<Record<string, unknown>>
  readonly handoffs: readonly { readonly handoff_id: number }[]
  readonly messages: readonly Message[]
  readonly has_more: boolean
}

/** An engine on a store in memory in which the orders below 100 are there; time passes only when the test lets it. */
export function createWorld() {
  const clock = { now: start }
  let ids = 0
  const store = createMemoryStore(() => clock.now)
  const randomId = () => deriveId('handoffs', String(ids++))
  const parts = createTestParts({ store, clock: () => clock.now, randomId })
  const ports = { ...parts.ports, handoffs: { orderExists: async (_: unknown, id: number) => id < 100 } }
  const context: Context = { ...parts, ports, caller: anonymous, messages: en, requestId: 'test' }

  async function as(who: Who, name: string, input: object, key?: string): Promise<Answered> {
    const found = handoffsDomain.operations.find((one) => one.name === name) as Operation
    const asking = { ...context, caller: callers[who] }
    const answer = key === undefined ? await call(found, asking, input) : await perform(found, asking, input, key)
    recordCall({ operation: name, input, status: 200, answer })
    v.parse(found.output, answer)
    return answer as unknown as Answered
  }

  const codeOf = async (who: Who, name: string, input: object) => {
    try {
      await as(who, name, input)
      return 'done'
    } catch (error) {
      if (isEngineError(error)) return error.code
      throw error
    }
  }

  /** The webhook events of all events so far. */
  async function webhookEvents() {
    const all = []
    for await (const event of parts.store.readAll(undefined, { category: 'handoff' }))
      for (const { webhookEventsOf } of webhookEventSources) all.push(...(await webhookEventsOf(parts, event)))
    return all
  }

  return { clock, store, parts, as, codeOf, webhookEvents }
}

/** The order that a partner hands over. */
export const order = { ...details, window: { from: '2026-06-11T09:00:00+02:00', to: '2026-06-11T11:00:00+02:00' } }

/** The input of an offer. */
export const asked = { partner_reference: 'PO-1', order, expires_at: '2026-06-10T13:00:00+02:00' }

/** The first handoff of a world. */
export const first = { handoff_id: 1 }

/** A handoff that goes through everything that is reported, and others that end in other ways. */
export async function goThroughAll({ as, clock }: ReturnType<typeof createWorld>) {
  for (const number of [1, 2, 3, 4])
    await as('acme', 'propose_handoff', { ...asked, partner_reference: `PO-${number}` })
  await as('admin', 'accept_handoff', { ...first, order_id: 9 })
  await as('acme', 'propose_handoff_amendment', { ...first, changes: { instructions: 'Ring twice' } })
  await as('admin', 'accept_handoff_amendment', { ...first, amendment_id: 1 })
  await as('acme', 'propose_handoff_amendment', { ...first, changes: { window: order.window } })
  await as('admin', 'reject_handoff_amendment', { ...first, amendment_id: 2, reason: 'window', note: 'Ann is out' })
  await as('admin', 'track_handoff', { ...first, status_code: 'in_transit', note: 'Ann waits' })
  await as('admin', 'track_handoff', { ...first, status_code: 'delivered', tracking_number: 'LD1' })
  const fee = { ...first, kind: 'delivery_fee', amount: '12.5', currency: 'EUR', note: 'For Ann' }
  await as('employee', 'create_settlement_line', fee)
  await as('employee', 'reject_handoff', { handoff_id: 2, reason: 'area', note: 'Ann lives too far' })
  await as('acme', 'cancel_handoff', { handoff_id: 3, reason: 'duplicate', note: 'Ann ordered twice' })
  clock.now = start + 60 * minute
  await as('employee', 'expire_handoffs', {})
}

import * as v from 'valibot'
import { type Account, type Business, type Role, scopesOf } from '../../kernel/account.ts'
import { call } from '../../kernel/call.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import type { Endpoint } from '../../kernel/endpoint.ts'
import { EngineError, isEngineError } from '../../kernel/errors.ts'
import { deriveId, sha256 } from '../../kernel/id.ts'
import { isObject, type Members } from '../../kernel/members.ts'
import type { Operation } from '../../kernel/operation.ts'
import type { WebhookEventType } from '../../kernel/webhook-event.ts'
import type { DeliveryDetail, DeliveryQuery, Webhooks } from '../../kernel/webhooks.ts'
import { createMemoryStore } from '../../store/memory.ts'
import { createMemoryModels } from '../../store/memory-models.ts'
import { sealedStore } from '../../store/sealed.ts'
import { outside } from '../../testing/context.ts'
import { recordCall } from '../../testing/recording.test.fixture.ts'
import { createMemoryVault } from '../../testing/vault.test.fixture.ts'
import { en } from '../of-all.ts'
import { webhooksDomain } from './index.ts'

function eventType(
  name: string,
  more: Pick<WebhookEventType, 'channel'> & Partial<WebhookEventType>,
): WebhookEventType {
  const summary = `When ${name} has happened.`
  return { name, summary, data: v.strictObject({ order_id: v.number() }), example: { order_id: 42 }, ...more }
}

/** One webhook event of each kind, by its own name. */
export const eventTypes = {
  created: eventType('order.created', { channel: 'tenant', field: 'order_create_webhook_url' }),
  batch: eventType('order.create_async', { channel: 'tenant', field: 'order_create_async_postback_url' }),
  moved: eventType('order.status_change', { channel: 'tenant', field: 'order_status_change_webhook_url' }),
  seat: eventType('route_board.seat_changed', {
    ...{ channel: 'tenant', field: 'route_board_webhook_url', isInternal: true },
  }),
  assigned: eventType('order.assigned', { channel: 'order_lifecycle', field: 'order_lifecycle_webhook_url' }),
  accepted: eventType('order.accepted', { channel: 'order_lifecycle', field: 'order_lifecycle_webhook_url' }),
  stored: eventType('device_order.stored', { channel: 'device_order', field: 'device_order_webhook_url' }),
  position: eventType('driver.location_update', { channel: 'driver_location', field: 'driver_location_webhook_url' }),
  opened: eventType('partner_locker.delivery.doors_opened', { channel: 'provider_locker' }),
  expired: eventType('partner_locker.delivery.expired', { channel: 'provider_locker' }),
  given: eventType('delivery.assignment.created', { channel: 'third_party_delivery' }),
  handoff: eventType('handoff.accepted', { channel: 'order_handoff', idMember: 'message_id' }),
} as const

/** The domain with these webhook events. */
export const domain = webhooksDomain(Object.values(eventTypes))

const one: Business = { id: 1, name: 'Acme', timeZone: 'UTC', currency: 'EUR', modules: {} }

function account(id: number, role: Role, business = one): Account {
  return { id, role, business, modules: {}, hiddenPrices: [] }
}

/** One account of each kind, a second customer, and those of another business. */
export const people = {
  admin: account(1, 'client_admin'),
  employee: account(2, 'client_employee'),
  customer: account(3, 'customer'),
  otherCustomer: account(4, 'customer'),
  driver: account(5, 'driver'),
  contractor: account(6, 'contractor'),
  stranger: account(11, 'client_admin', { ...one, id: 2 }),
  strangeCustomer: account(13, 'customer', { ...one, id: 2 }),
} as const

type Who = keyof typeof people

/** What an answer is for a test: its members as they come. */
type Json = ReturnType<typeof JSON.parse>

/** A delivery that has come to its end, unless it is said otherwise. */
export function delivery(id: string, more: Partial<DeliveryDetail> = {}): DeliveryDetail {
  return {
    ...{ id, owner: 'business.1', businessId: 1, endpointId: 'e1', channel: 'tenant', field: 'pod_files_webhook_url' },
    ...{ url: 'https://a.example/x', event: 'order.created', eventId: 'EVT-1', subject: 'order/42', state: 'failed' },
    ...{ attempts: 0, createdAt: 0, isTest: false, isSandbox: false, body: '{}', contentType: 'application/json' },
    history: [],
    ...more,
  }
}

/** The sending side, which writes down what it is asked; nothing may be sent to what has a user or is `internal`. */
function recordingWebhooks(deliveries: readonly DeliveryDetail[]) {
  const asked: unknown[] = []
  const queries: DeliveryQuery[] = []
  const tests: { readonly endpoint: Endpoint; readonly eventType: string }[] = []
  const find: Webhooks['find'] = async (businessId, id) =>
    deliveries.find((known) => known.id === id && known.businessId === businessId)
  const again = (what: string) => async (businessId: number, id: string) => {
    asked.push([what, id])
    const known = await find(businessId, id)
    return known && delivery(`${what}-${id}`, { redeliveryOf: id })
  }
  const port: Webhooks = {
    ...outside.webhooks,
    checkUrl: async (url) => {
      asked.push(['admit', url])
      const { username, hostname } = new URL(url)
      const reason = username === '' ? (hostname === 'internal' ? 'address' : '') : 'user'
      if (reason !== '') throw new EngineError('webhook_url_refused', { reason })
    },
    test: async (endpoint, name) => {
      tests.push({ endpoint, eventType: name })
      return delivery('test', { isTest: true, event: name, url: endpoint.url })
    },
    page: async (query, { cursor }) => {
      queries.push(query)
      const { businessId, customerId } = query
      const found = deliveries.filter(
        (known) => known.businessId === businessId && (customerId === undefined || known.customerId === customerId),
      )
      return cursor === undefined ? { deliveries: found, total: found.length } : { deliveries: found }
    },
    find,
    redeliver: again('redeliver'),
    retry: again('retry'),
    replay: async (query, limit) => {
      queries.push(query)
      return { replayed: limit, left: 7 }
    },
  }
  return { port, asked, queries, tests }
}

function callerOf(one: Account): Caller {
  return { kind: 'account', name: String(one.id), scopes: scopesOf[one.role], account: one }
}

async function person(_: unknown, id: number) {
  const found = Object.values(people).find((one) => one.id === id)
  return found && { ...found, isActive: true }
}

/** A store with what is around it, and a way to ask as anybody. Answers are checked against the schema of their operation. */
export function world(deliveries: readonly DeliveryDetail[] = []) {
  const clock = { now: Date.parse('2026-06-10T10:00:00Z') }
  const plain = createMemoryStore(() => clock.now)
  const store = sealedStore(plain, { vault: createMemoryVault(), upcasts: {}, erasures: [] })
  const models = createMemoryModels(store)
  const { port, ...recorded } = recordingWebhooks(deliveries)
  let count = 0
  const context = (who: Who): Context => ({
    ...outside,
    credentials: { ...outside.credentials, token: () => sha256(`token ${count++}`) },
    directory: {
      ...outside.directory,
      person,
      serves: async (_, name, businessId) => name === 'acme' || (name === 'other' && businessId === 2),
    },
    webhooks: port,
    store,
    models,
    clock: () => clock.now,
    randomId: () => deriveId('webhooks', String(count++)),
    profiles: [] as unknown as Context['profiles'],
    formats: [] as unknown as Context['formats'],
    baseUrl: 'http://localhost',
    caller: callerOf(people[who]),
    messages: en,
    requestId: 'test',
  })

  async function ask(who: Who, name: string, input: Members = {}): Promise<Json> {
    const found = domain.operations.find((operation) => operation.name === name) as Operation
    const answer = await call(found, context(who), input)
    recordCall({ operation: name, input, status: 200, answer })
    return v.parse(found.output, answer)
  }

  /** The code of the refusal, or with `invalid_input` what was found where. */
  async function refused(who: Who, name: string, input: Members = {}): Promise<string> {
    try {
      await ask(who, name, input)
      return 'done'
    } catch (error) {
      if (!isEngineError(error)) throw error
      if (error.code !== 'invalid_input') return error.code
      return error.findings.map(({ path, code }) => `${path} ${code}`).join(', ')
    }
  }

  /** All that was recorded, as it is kept; or as it is read. */
  async function events(from: typeof store = plain) {
    const all: { readonly type: string; readonly stream: string; readonly data: Members }[] = []
    for await (const event of from.readAll()) all.push({ ...event, data: isObject(event.data) ? event.data : {} })
    return all
  }

  return { clock, store, context, ask, refused, events, ...recorded }
}

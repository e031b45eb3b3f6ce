import {
  type Channel,
  type Endpoint,
  EngineError,
  endpointId,
  endpointIn,
  type Hooks,
  hooksOf,
  type Owner,
  type UrlField,
  urlFields,
} from '../../engine/index.ts'
import type { DeliveryRepository, NewDelivery, Outcome, Outgoing, Structured } from '../node/deliveries.ts'
import { createDispatcher, type DispatcherRun } from './dispatch/index.ts'
import { fanOut } from './fan-out/index.ts'
import { exampleOf, seedOf, type WebhooksOptions } from './options.ts'
import { createSender } from './reach/index.ts'
import { firstAttempt, redeliveryOf } from './redelivery.ts'
import { redactedHeaders, requestOf, structuredBody } from './signing/index.ts'

/** Where webhook events are forwarded to during development. */
export interface ForwardTarget {
  /** Any address, also without TLS: the person who enters it runs the program. */
  readonly url: string
  /** The secret of the signatures. */
  readonly secret: string
  /** Only events of this business; of all of them if absent. */
  readonly businessId?: number
  /** Only events of these names; all of them if absent. */
  readonly events?: readonly string[]
  /** What waits to be sent, for as long as the program runs. */
  readonly repository: DeliveryRepository
  /** Called after each attempt. */
  sent(outgoing: Outgoing, outcome: Outcome): void
}

/** Sends webhook events to one URL, without settings, and records nothing in the log of deliveries. */
export interface Forwarding {
  /** Sends events as they are recorded from now on, with the usual retries, until the signal is aborted. */
  follow(run: DispatcherRun): Promise<void>
  /** Sends the example of an event once. */
  trigger(event: string): Promise<void>
  /** Sends a delivery of the log again, once; refuses one that does not exist or whose body was erased. */
  resend(businessId: number, id: string): Promise<void>
  close(): Promise<void>
}

/** Retention of forwarded deliveries in milliseconds; it also bounds what is looked at after a restored backup. */
const memory = 3_600_000

/** Creates a forwarding. */
export function createForwarding(options: WebhooksOptions, target: ForwardTarget): Forwarding {
  const { publicUrl, clock, randomId, version, random = Math.random } = options
  const { repository, sent } = target
  const http = createSender({ allow: ['0.0.0.0/0', '::/0'], userAgent: `otep-engine/${version}`, clock })
  const structured: Structured = (envelope, native) => structuredBody(envelope, native, publicUrl)
  const request = (attempt: Pick<Parameters<typeof requestOf>[0], 'delivery' | 'keys' | 'now'>) =>
    requestOf({ ...attempt, version, publicUrl, seedOf: (secret) => seedOf(options, secret) })

  async function send(outgoing: Outgoing): Promise<Outcome> {
    const outcome = await http.send(outgoing)
    sent(outgoing, outcome)
    return outcome
  }

  async function sendOnce(delivery: NewDelivery) {
    const { keys } = endpointAt(target, delivery.endpoint)
    await send(request({ delivery: firstAttempt(delivery), keys, now: clock() }))
  }

  return {
    follow: async (run) => {
      const hooks = { of: async (owner: Owner) => hooksFor(owner, target), changed: () => {} }
      const endpointOf = async (owner: Owner, id: string) => endpointIn(await hooks.of(owner), id)
      const sending = { repository, sender: { send }, requestOf: request, redacted: redactedHeaders, clock, random }
      const { wake, forget, ...dispatcher } = createDispatcher({ ...sending, endpointOf })
      const making = { ...options, repository, hooks, structured, wake, forget, memory, log: run.log, wait: run.wait }
      // What cannot be made is said in the log; the store is only read.
      const park = async () => {}
      const ours = { park, reportsOf: async () => [], ownerOf: () => undefined, turn: { checkpoint: undefined } }
      await Promise.all([fanOut({ ...making, ...ours }, run.signal), dispatcher.run(run)])
    },
    trigger: (event) => sendOnce(testOf(options, target, event)),
    resend: async (businessId, id) => {
      const original = await options.repository.original(businessId, id)
      if (original === undefined) throw new EngineError('delivery_not_found', { delivery: id })
      if (original.native.length === 0) throw new EngineError('delivery_erased')
      const endpoint = endpointAt(target, { ...original.endpoint, businessId })
      await sendOnce(redeliveryOf(original, endpoint, { id: randomId(), dueAt: clock(), structured }))
    },
    close: http.close,
  }
}

function testOf(options: WebhooksOptions, target: ForwardTarget, event: string): NewDelivery {
  const eventType = options.eventTypes.find(({ name }) => name === event)
  if (eventType === undefined) throw new EngineError('webhook_event_unknown')
  const { businessId = 1 } = target
  const { channel, field = 'url' } = eventType
  const endpoint = endpointAt(target, { owner: `business.${businessId}`, businessId, channel, field })
  const { envelope, native } = exampleOf(options, event, endpoint)
  const times = { id: options.randomId(), dueAt: options.clock(), state: 'sending' } as const
  return { ...envelope, ...times, endpoint, body: native, native }
}

type Place = Pick<Endpoint, 'owner' | 'channel' | 'field'> & { readonly businessId?: number }

/** The endpoint at the target, with the signatures of its channel and those of Standard Webhooks. */
function endpointAt(
  { url, secret, events }: ForwardTarget,
  { owner, businessId = 1, channel, field }: Place,
): Endpoint {
  const sent = { url, format: 'native', standard: true, interval: 0, keys: [{ secret }] } as const
  const narrowed = events === undefined ? {} : { events }
  return { id: endpointId(owner, field, url), owner, businessId, channel, field, ...sent, ...narrowed }
}

/**
 * The webhooks of an owner as if each field had the target as its URL. Customers have none, so the business is notified
 * of their shipments.
 */
function hooksFor(owner: Owner, target: ForwardTarget): Hooks {
  const [kind, business, , channel = 'order_handoff'] = owner.split('.')
  const businessId = Number(business)
  if (kind === 'customer' || (target.businessId ?? businessId) !== businessId) return hooksOf(owner, [])
  if (kind !== 'business') {
    const its = kind === 'callback' ? kind : (channel as Channel)
    return hooksOf(owner, [endpointAt(target, { owner, businessId, channel: its, field: 'url' })])
  }
  const fields = Object.entries(urlFields) as readonly [UrlField, Channel][]
  return hooksOf(
    owner,
    fields.map(([field, itsChannel]) => endpointAt(target, { owner, businessId, channel: itsChannel, field })),
  )
}

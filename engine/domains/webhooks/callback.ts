import { accountOf } from '../../kernel/call.ts'
import type { Callback } from '../../kernel/callback.ts'
import type { Context } from '../../kernel/context.ts'
import { type Endpoint, endpointId, type Owner } from '../../kernel/endpoint.ts'
import type { Append, EventStore } from '../../kernel/event-store.ts'
import { deriveId } from '../../kernel/id.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { commandStamp } from './access.ts'
import type { CallbackRegistered } from './events.ts'
import { type Hooks, hooksOf, loadSettings, publicly } from './hooks.ts'
import { businessOwner, customerOwner, webhookStream } from './owners.ts'
import { refuse } from './refuse.ts'
import { refusalOf } from './settings-operations.ts'

/** A callback, and the appends that make it known. */
interface RegisteredCallback {
  readonly owner: Owner
  readonly appends: readonly Append[]
}

/**
 * Registers a callback of the caller, once for each URL, format and signature. A customer's is signed with the secret of
 * the customer, any other with that of the business. Refuses a forbidden target, and a caller without a secret.
 */
export async function registerCallback(context: Context, callback: Callback): Promise<RegisteredCallback> {
  const { id, role, business } = accountOf(context)
  const customerId = role === 'customer' ? id : undefined
  const owner = callbackOwner(business.id, customerId, callback)
  const { keys } = await loadSettings(context.store, signerOf(owner))
  if (keys.length === 0) refuse([{ path: 'callback', code: 'webhook_secret_missing' }])
  const stream = webhookStream(owner)
  if ((await context.store.last(stream)) !== undefined) return { owner, appends: [] }
  const refused = await refusalOf(context, callback.url)
  if (refused !== undefined) refuse([{ ...refused, path: 'callback.url' }])
  const { url, format, standard, ed25519 } = callback
  const whose = { business_id: business.id, ...(customerId === undefined ? {} : { customer_id: customerId }) }
  const how = { format, standard_signature: standard, ...(ed25519 ? { ed25519 } : {}) } as const
  const data = { ...commandStamp(context), ...whose, ...how, personal: { url } }
  const fact: CallbackRegistered = { type: 'WebhookCallbackRegistered', data }
  return { owner, appends: [{ stream, events: [toNewEvent(context)(fact)], expected: 'no-stream' }] }
}

function callbackOwner(businessId: number, customerId: number | undefined, { url, format, ...how }: Callback): Owner {
  const id = deriveId('callback', url, format, `${how.standard} ${how.ed25519}`)
  return `callback.${businessId}.${id}${customerId === undefined ? '' : `.${customerId}`}`
}

/** Whether an owner is a callback. */
export function isCallback(owner: Owner): boolean {
  return owner.startsWith('callback.')
}

/** The owner whose secret signs a callback. */
export function signerOf(owner: Owner): Owner {
  const [, businessId, , customerId] = owner.split('.')
  return customerId === undefined ? businessOwner(Number(businessId)) : customerOwner(Number(customerId))
}

/** What a callback was registered with, if it was. */
export async function loadCallback(
  store: Pick<EventStore, 'read'>,
  owner: Owner,
): Promise<CallbackRegistered['data'] | undefined> {
  const [first] = await store.read(webhookStream(owner), { limit: 1 })
  return (first as CallbackRegistered | undefined)?.data
}

/** The webhooks of a callback, signed with the keys of its signer. */
export function callbackHooks(
  owner: Owner,
  registered: CallbackRegistered['data'] | undefined,
  { keys: [newest, ...older] }: Pick<Hooks, 'keys'>,
): Hooks {
  const url = registered?.personal?.url
  if (registered === undefined || url === undefined || newest === undefined) return hooksOf(owner, [])
  const { business_id: businessId, customer_id: customerId, format, standard_signature: standard } = registered
  const keys = registered.ed25519 ? publicly([newest, ...older]) : ([newest, ...older] as const)
  const endpoint: Endpoint = {
    ...{ id: endpointId(owner, 'url', url), owner, businessId, ...(customerId === undefined ? {} : { customerId }) },
    ...{ channel: 'callback', field: 'url', url, format, standard, interval: 0, keys },
  }
  return hooksOf(owner, [endpoint])
}

import {
  callbackHooks,
  type EventStore,
  type Hooks,
  handoffEndpoints,
  hooksOf,
  isCallback,
  loadCallback,
  loadHooks,
  loadShopEndpoint,
  loadSubscriptions,
  type Owner,
  type StreamName,
  shopStreamOf,
  signerOf,
  subscriptionStream,
  webhookStream,
} from '../../engine/index.ts'
import { createHooksCache, type HooksCache } from './hooks-cache.ts'
import type { WebhooksOptions } from './options.ts'
import type { Progress } from './progress.ts'
import type { Reports } from './reports/index.ts'

/** The webhooks of all owners: what they have set, and the subscriptions to EPCIS queries. */
export function createHooks(options: WebhooksOptions, reports: Reports): HooksCache {
  const { store } = options
  const now = () => performance.now()
  const known = createHooksCache({ store, streamOf, load: (owner) => load(store, owner), now })
  const callbacks = createHooksCache({ store, streamOf, load: (owner) => loadCallback(store, owner), now })
  return {
    of: async (owner) => {
      if (owner.startsWith('epcis.')) return reports.hooksOf(owner)
      // The keys may change while the callback does not.
      if (isCallback(owner)) return callbackHooks(owner, await callbacks.of(owner), await known.of(signerOf(owner)))
      return (await isPartner(options, owner)) ? known.of(owner) : hooksOf(owner, [])
    },
    changed: (owner) => {
      known.changed(owner)
      callbacks.changed(owner)
      reports.changed(owner)
    },
  }
}

/** Owners whose webhooks are kept in memory. */
const maxOwners = 20_000

/**
 * The webhooks as they were set at the event whose deliveries are being made: each node makes them at another time, and they
 * are to be the same. `now` is what is set at this moment.
 */
export function createHooksAt(options: WebhooksOptions, now: HooksCache, progress: Progress): HooksCache {
  const { store } = options
  const known = new Map<Owner, Promise<Hooks>>()
  const before: Pick<EventStore, 'read'> = {
    read: async (stream, range) => (await store.read(stream, range)).filter((one) => one.position <= progress.begun),
  }

  async function loadAt(owner: Owner): Promise<Hooks> {
    if (!isCallback(owner)) return load(before, owner)
    // It never changes, and comes after the event with which it was given.
    return callbackHooks(owner, await loadCallback(store, owner), await load(before, signerOf(owner)))
  }

  function loaded(owner: Owner): Promise<Hooks> {
    const found = known.get(owner) ?? loadAt(owner)
    if (known.size >= maxOwners) known.clear()
    known.set(owner, found)
    found.catch(() => known.delete(owner))
    return found
  }

  return {
    of: async (owner) => {
      if (owner.startsWith('epcis.')) return now.of(owner)
      return (await isPartner(options, owner)) ? loaded(owner) : hooksOf(owner, [])
    },
    changed: (owner) => {
      known.delete(owner)
      now.changed(owner)
    },
  }
}

function streamOf(owner: Owner): StreamName {
  const [kind, business = '', provider = ''] = owner.split('.')
  if (kind === 'shop') return shopStreamOf(owner)
  return kind === 'subscription' ? subscriptionStream(Number(business), provider) : webhookStream(owner)
}

/** Whether an owner may still receive events. A partner whose key was revoked may not, whatever its subscriptions. */
async function isPartner({ serves }: WebhooksOptions, owner: Owner): Promise<boolean> {
  const [kind, business = '', provider = ''] = owner.split('.')
  return kind !== 'subscription' || serves(provider, Number(business))
}

async function load(store: Pick<EventStore, 'read'>, owner: Owner): Promise<Hooks> {
  const [kind, business = '', provider = ''] = owner.split('.')
  if (kind === 'shop') {
    const endpoint = await loadShopEndpoint(store, owner)
    return hooksOf(owner, endpoint === undefined ? [] : [endpoint])
  }
  if (kind !== 'subscription') return loadHooks(store, owner)
  return hooksOf(owner, handoffEndpoints(await loadSubscriptions(store, Number(business), provider)))
}

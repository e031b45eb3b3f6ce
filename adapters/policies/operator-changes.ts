import {
  type Caller,
  categoryOf,
  type Domain,
  domains,
  isObject,
  type Policy,
  type RecordedEvent,
} from '../../engine/index.ts'
import type { ContextParts } from '../node/gateway.ts'

/**
 * Tells the security log of what operators changed on the command line: no server took part in it. What accounts change
 * is reported by the server that they asked, which knows where they asked from. None without a security log.
 */
export function operatorChanges({ audit }: ContextParts): readonly Policy[] {
  if (audit === undefined) return []
  return domains.flatMap(categoriesOf).map(([category, entries]) => ({
    name: `security-log-${category}`,
    filter: { category },
    from: 'end',
    handle: async (event) => {
      const { actor = '', correlationId: requestId = event.id } = event.metadata
      const [kind, name = ''] = actor.split(':')
      const entry = Object.hasOwn(entries, event.type) ? entries[event.type] : undefined
      if (kind !== 'operator' || entry === undefined) return
      const caller: Caller = { kind, name, scopes: [] }
      audit({ caller, requestId }, { event: entry, outcome: 'ok', concerned: concernedIn(event) })
    },
  }))
}

/** The categories of a domain whose events the security log tells of. */
function categoriesOf({ events, audited }: Domain): readonly (readonly [string, Readonly<Record<string, string>>])[] {
  if (audited === undefined) return []
  const categories = Object.keys(events).filter((category) =>
    Object.keys(events[category] ?? {}).some((type) => Object.hasOwn(audited, type)),
  )
  return categories.map((category) => [category, audited])
}

function concernedIn({ stream, data }: RecordedEvent) {
  const { name, account_id: account, key_id: key, carrier, carrier_account_id } = isObject(data) ? data : {}
  if (typeof key === 'number') return { ...(typeof account === 'number' ? { account } : {}), key }
  if (typeof account === 'number') return { account }
  if (typeof carrier_account_id === 'number')
    return { ...(typeof carrier === 'string' ? { carrier } : {}), carrier_account: carrier_account_id }
  return categoryOf(stream) === 'provider' ? { provider: String(name) } : { stream }
}

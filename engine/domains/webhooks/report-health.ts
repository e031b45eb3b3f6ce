import type { Context } from '../../kernel/context.ts'
import type { Owner } from '../../kernel/endpoint.ts'
import type { EventStore } from '../../kernel/event-store.ts'
import { execute } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { providerEndpoints } from './endpoint-decider.ts'
import { endpointIn, loadHooks, loadSettings } from './hooks.ts'
import { businessOwner, webhookStream } from './owners.ts'
import { webhookSettings } from './settings-decider.ts'
import type { ReportHealth, TuningCommand } from './tuning.ts'

/** What a record of the health of endpoints needs. */
type Recording = Pick<Context, 'store' | 'caller' | 'requestId' | 'randomId'>

/** How an endpoint is: a `ReportHealth` without what follows from the settings. */
type HealthReport = Omit<ReportHealth, 'type' | 'disableAfterDays'>

/**
 * Records that an endpoint fails or has recovered, once, and switches it off if it has failed for as many days as its
 * business or customer allows. Does nothing for owners whose endpoints have no settings, such as a callback.
 */
export async function reportHealth(context: Recording, owner: Owner, report: HealthReport): Promise<void> {
  const settings = settingsOwnerOf(owner)
  if (settings === undefined) return
  const { values } = await loadSettings(context.store, settings)
  const disableAfterDays = values.disable_failing_after_days
  await tune(context, owner, { type: 'ReportHealth', ...report, disableAfterDays })
}

/** Whether a receiver can say that an endpoint is gone: only if Standard Webhooks is on, whose specification says so. */
export async function canBeGone(store: Pick<EventStore, 'read'>, owner: Owner, endpoint: string): Promise<boolean> {
  return endpointIn(await loadHooks(store, owner), endpoint)?.standard === true
}

/** Whose settings decide on the endpoints of an owner. */
export function settingsOwnerOf(owner: Owner): Owner | undefined {
  const [kind, business = ''] = owner.split('.')
  if (kind === 'provider') return businessOwner(Number(business))
  return kind === 'business' || kind === 'customer' ? owner : undefined
}

/** Executes a command on an endpoint of an owner. */
export async function tune(context: Recording, owner: Owner, command: TuningCommand): Promise<void> {
  const { store } = context
  const stream = webhookStream(owner)
  if (owner.startsWith('provider.')) await execute(store, providerEndpoints, stream, command, toNewEvent(context))
  else await execute(store, webhookSettings, stream, command, toNewEvent(context))
}

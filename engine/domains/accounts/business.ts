import type { EventBase } from '../../entity/machine.ts'
import type { Business, Module, ModuleState } from '../../kernel/account.ts'
import type { Decider, Reducer } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { isTimeZone } from '../../kernel/zone.ts'
import type { BusinessEvent } from './events.ts'

/** The stream of a business. */
export function businessStream(id: number): StreamName {
  return `business-${id}`
}

/** The commands of a business; `by` is null for the platform. */
export type BusinessCommand =
  | (EventBase & {
      readonly type: 'OpenBusiness'
      readonly business_id: number
      readonly name: string
      readonly time_zone: string
      readonly currency: string
    })
  | (EventBase & { readonly type: 'SetBusinessModule'; readonly module: Module; readonly state: ModuleState })

const evolve: Reducer<Business | undefined, BusinessEvent> = (business, { type, data }) => {
  if (type === 'BusinessOpened') {
    const { business_id: id, name, time_zone: timeZone, currency } = data
    return { id, name, timeZone, currency, modules: {} }
  }
  if (business === undefined || type !== 'BusinessModuleSet') return business
  return { ...business, modules: { ...business.modules, [data.module]: data.state } }
}

function decide(command: BusinessCommand, business: Business | undefined): readonly BusinessEvent[] {
  const { at, by } = command
  if (command.type === 'OpenBusiness') {
    const { business_id, name, time_zone, currency } = command
    if (!isTimeZone(time_zone)) throw new EngineError('unknown_time_zone', { received: time_zone })
    if (business !== undefined) return []
    return [{ type: 'BusinessOpened', data: { at, by, business_id, name, time_zone, currency } }]
  }
  if (business === undefined) throw new EngineError('business_not_found')
  const { module, state } = command
  const known = business.modules[module] ?? 'off'
  if (by !== null) refuseSwitch(module, known)
  if (known === state) return []
  return [{ type: 'BusinessModuleSet', data: { at, by, business_id: business.id, module, state } }]
}

/** Only the platform can switch a module that it has revoked or not migrated. */
function refuseSwitch(module: Module, state: ModuleState): void {
  if (state === 'revoked' || state === 'not_migrated')
    throw new EngineError('module_not_switchable', { module, received: state })
}

/** The decider of one business. */
export const businesses: Decider<Business | undefined, BusinessCommand, BusinessEvent> = {
  initial: () => undefined,
  evolve,
  decide,
}

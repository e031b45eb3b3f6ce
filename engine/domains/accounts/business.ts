import type { EventBase } from '../../entity/machine.ts'
import { type Business, type Module, type ModuleState, moduleRow, modules } from '../../kernel/account.ts'
import type { Brand, Logo } from '../../kernel/brand.ts'
import type { Decider, Reducer } from '../../kernel/decider.ts'
import { EngineError } from '../../kernel/errors.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { isTimeZone } from '../../kernel/zone.ts'
import { type BrandEvent, type BrandValues, brandAfter } from './brand/brand.ts'
import type { BusinessChange, BusinessEvent, SecondFactorRule } from './events.ts'
import {
  decideStaffRole,
  noStaffRoles,
  type StaffRoleCommand,
  type StaffRoleEvent,
  type StaffRoles,
  staffRolesAfter,
} from './roles/role.ts'

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
  | (EventBase & BusinessChange & { readonly type: 'ChangeBusiness' })
  | (EventBase & { readonly type: 'SetBusinessModule'; readonly module: Module; readonly state: ModuleState })
  | StaffRoleCommand
  | (EventBase & { readonly type: 'RemoveAdmin'; readonly account_id: number })
  | (EventBase & SecondFactorRule & { readonly type: 'RequireSecondFactor' })
  | BrandCommand

/** The commands of the brand of a business. */
export type BrandCommand =
  | (EventBase & { readonly type: 'SetBrand'; readonly brand: BrandValues })
  /** Refusal: `brand_not_found`. */
  | (EventBase & { readonly type: 'SetLogo'; readonly logo: Logo })
  | (EventBase & { readonly type: 'RemoveLogo' | 'RemoveBrand' })

/** A business, and the modules that it has: those it may switch on. */
export interface BusinessState extends Business {
  readonly enabled: readonly Module[]
  readonly staffRoles: StaffRoles
  readonly brand?: Brand | undefined
  /** Nobody if absent. */
  readonly secondFactorRule?: SecondFactorRule
}

const evolve: Reducer<BusinessState | undefined, BusinessEvent> = (business, event) => {
  const { type, data } = event
  if (type === 'BusinessOpened') {
    const { business_id: id, name, time_zone: timeZone, currency } = data
    const enabled = modules.filter((module) => moduleRow(module).enabledBy === 'business')
    return { id, name, timeZone, currency, modules: {}, enabled, staffRoles: noStaffRoles }
  }
  if (business === undefined) return undefined
  if (type === 'BusinessChanged') {
    const { name, time_zone: timeZone, opening_hours: openingHours, label_size: labelSize, label_dpi: labelDpi } = data
    return { ...business, ...omitUndefined({ name, timeZone, openingHours, labelSize, labelDpi }) }
  }
  if (isOfRoles(event)) return { ...business, staffRoles: staffRolesAfter(business.staffRoles, event) }
  if (type === 'BusinessAdminRemoved') return business
  if (type === 'BusinessSecondFactorSet') return { ...business, secondFactorRule: ruleIn(data) }
  if (type !== 'BusinessModuleSet') return { ...business, brand: brandAfter(business.brand, event) }
  const { module, state } = data
  return {
    ...business,
    modules: { ...business.modules, [module]: state },
    enabled: enabledAfter(business.enabled, data),
  }
}

function ruleIn({ required_of, required_from }: SecondFactorRule): SecondFactorRule {
  return { required_of, ...omitUndefined({ required_from }) }
}

function isOfRoles(event: BusinessEvent): event is StaffRoleEvent {
  return event.type === 'StaffRoleSet' || event.type === 'StaffRoleDeleted'
}

/**
 * Once a module is switched on, the business has it, no matter who switched it on, because only the platform could do that the
 * first time. (A business that switched it on itself, when it still could, keeps it.) What only the platform gives ends when the
 * platform switches it off.
 */
function enabledAfter(
  enabled: readonly Module[],
  { module, state, by }: { readonly module: Module; readonly state: ModuleState; readonly by: number | null },
): readonly Module[] {
  if (state === 'on') return enabled.includes(module) ? enabled : [...enabled, module]
  const isEnded = by === null && moduleRow(module).enabledBy === 'platform'
  return isEnded ? enabled.filter((one) => one !== module) : enabled
}

function decide(command: BusinessCommand, business: BusinessState | undefined): readonly BusinessEvent[] {
  const { at, by } = command
  if (command.type === 'OpenBusiness') {
    const { business_id, name, time_zone, currency } = command
    if (!isTimeZone(time_zone)) throw new EngineError('unknown_time_zone', { received: time_zone })
    if (business !== undefined) return []
    return [{ type: 'BusinessOpened', data: { at, by, business_id, name, time_zone, currency } }]
  }
  if (business === undefined) throw new EngineError('business_not_found')
  if (command.type === 'ChangeBusiness') return changed(command, business)
  if (command.type === 'SetStaffRole' || command.type === 'DeleteStaffRole')
    return decideStaffRole(command, business.staffRoles)
  if (command.type === 'RemoveAdmin') {
    const { account_id } = command
    return [{ type: 'BusinessAdminRemoved', data: { at, by, business_id: business.id, account_id } }]
  }
  if (command.type === 'RequireSecondFactor') {
    const rule = ruleIn(command)
    const { required_of, required_from } = business.secondFactorRule ?? { required_of: 'nobody' }
    if (rule.required_of === required_of && rule.required_from === required_from) return []
    return [{ type: 'BusinessSecondFactorSet', data: { at, by, business_id: business.id, ...rule } }]
  }
  if (command.type !== 'SetBusinessModule') return decideBrand(command, business)
  const { module, state } = command
  if (state === 'on' && !moduleRow(module).isBuilt) throw new EngineError('module_not_built', { module })
  if (by !== null) refuseSwitch(business, module, state)
  const data = { at, by, business_id: business.id, module, state }
  const isEnabledAsBefore = enabledAfter(business.enabled, data).length === business.enabled.length
  if ((business.modules[module] ?? 'off') === state && isEnabledAsBefore) return []
  return [{ type: 'BusinessModuleSet', data }]
}

function changed(
  {
    at,
    by,
    name,
    time_zone,
    opening_hours,
    label_size,
    label_dpi,
  }: BusinessCommand & {
    readonly type: 'ChangeBusiness'
  },
  business: BusinessState,
): readonly BusinessEvent[] {
  if (time_zone !== undefined && !isTimeZone(time_zone))
    throw new EngineError('unknown_time_zone', { received: time_zone })
  const isSame = JSON.stringify(opening_hours) === JSON.stringify(business.openingHours)
  const change = omitUndefined({
    name: name === business.name ? undefined : name,
    time_zone: time_zone === business.timeZone ? undefined : time_zone,
    opening_hours: isSame ? undefined : opening_hours,
    label_size: label_size === business.labelSize ? undefined : label_size,
    label_dpi: label_dpi === business.labelDpi ? undefined : label_dpi,
  })
  if (Object.keys(change).length === 0) return []
  return [{ type: 'BusinessChanged', data: { at, by, business_id: business.id, ...change } }]
}

function decideBrand(command: BrandCommand, { brand }: BusinessState): readonly BrandEvent[] {
  const { at, by } = command
  switch (command.type) {
    case 'SetBrand':
      return [{ type: 'BusinessBrandSet', data: { at, by, ...command.brand } }]
    case 'SetLogo':
      if (brand === undefined) throw new EngineError('brand_not_found')
      return [{ type: 'BusinessLogoSet', data: { at, by, ...command.logo } }]
    case 'RemoveLogo':
      return brand?.logo === undefined ? [] : [{ type: 'BusinessLogoRemoved', data: { at, by } }]
    case 'RemoveBrand':
      return brand === undefined ? [] : [{ type: 'BusinessBrandRemoved', data: { at, by } }]
    default:
      return command satisfies never
  }
}

/** Only the platform can switch a module that it has revoked, not migrated or not enabled yet. */
function refuseSwitch({ modules: known, enabled }: BusinessState, module: Module, state: ModuleState): void {
  const received = known[module] ?? 'off'
  const isTaken = received === 'revoked' || received === 'not_migrated'
  if (isTaken || (state === 'on' && !enabled.includes(module)))
    throw new EngineError('module_not_switchable', { module, received })
}

/** The decider of one business. */
export const businesses: Decider<BusinessState | undefined, BusinessCommand, BusinessEvent> = {
  initial: () => undefined,
  evolve,
  decide,
}

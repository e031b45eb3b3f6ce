import { businessCallerOf, requireNamedProvider } from '../../entity/access.ts'
import type { Domain } from '../../entity/domain.ts'
import { eventShapesOf } from '../../entity/event-shapes.ts'
import { readModelOf } from '../../entity/list.ts'
import { deciderOf } from '../../entity/machine.ts'
import { type Machine, operationsOf } from '../../entity/operations.ts'
import { type Sending, webhookEventSourceOf, webhookEventTypesOf } from '../../entity/webhook-events.ts'
import { carrierPackage } from './carrier-package.ts'
import { carrierPackageMessages } from './messages.ts'

export type { CarrierPackageCode } from './messages.ts'
export type { CarrierPackagePorts } from './ports.ts'

/** Carrier packages, with the special rules of their moves. */
export const carrierPackages: Machine<typeof carrierPackage> = {
  entity: carrierPackage,
  decider: deciderOf(carrierPackage),
  prepare: {
    advise: async (context, { provider }) => {
      const named = await requireNamedProvider(context, typeof provider === 'string' ? provider : undefined)
      return { business_id: businessCallerOf(context).businessId, provider: named }
    },
  },
}

const sending: Sending = {
  channel: 'provider_locker',
  prefix: 'PLE',
  idMember: 'event_id',
  audience: ({ business_id, provider }) => ({
    kind: 'provider',
    businessId: Number(business_id),
    provider: String(provider),
  }),
}

const model = readModelOf(carrierPackage)

/** Packages that carriers bring to a warehouse, and that are distributed from there to lockers and shelves. */
export const carrierPackagesDomain: Domain = {
  name: 'carrier-packages',
  messages: [carrierPackageMessages],
  events: { carrier_package: eventShapesOf(carrierPackage) },
  tables: [carrierPackage],
  operations: operationsOf(carrierPackages, model),
  readModels: [model],
  erasures: ['CarrierPackagePersonalDataErased'],
  webhookEventTypes: webhookEventTypesOf(carrierPackage, sending),
  webhookEventSources: [webhookEventSourceOf(carrierPackages, sending)],
}

import type { RecordedEvent } from '../../kernel/event.ts'
import type { ReadModel, Row } from '../../kernel/read-model.ts'
import type { CarrierPackageEvent } from './events.ts'

/** Carrier packages as they are listed; nothing of it is personal. */
export const carrierPackageModel = {
  name: 'carrier_packages',
  version: 1,
  category: 'carrier_package',
  columns: {
    id: 'integer',
    business_id: 'integer',
    provider: 'text',
    status: 'text',
    package_number: 'text',
    carrier_reference: 'text',
    order_id: 'integer',
    loaded_at: 'text',
    delivered_at: 'text',
  },
  key: ['id'],
  indexes: [
    ['business_id', 'status'],
    ['business_id', 'package_number'],
  ],
  rows: (event) => {
    const id = Number(event.stream.slice('carrier_package-'.length))
    const cells = cellsOf(event as RecordedEvent<CarrierPackageEvent>)
    return cells === undefined ? [] : [{ id, ...cells }]
  },
} as const satisfies ReadModel

function cellsOf({ type, data }: CarrierPackageEvent): Row | undefined {
  switch (type) {
    case 'CarrierPackageAdvised': {
      const { business_id, provider, package_number, carrier_reference } = data
      return { business_id, provider, status: 'advised', package_number, carrier_reference }
    }
    case 'CarrierPackageReceived':
      return { status: 'listed' }
    case 'CarrierPackageDistributed':
      return { status: 'ordered', order_id: data.order_id, loaded_at: null, delivered_at: null }
    case 'CarrierPackageLoaded':
      return { status: 'in_transit', loaded_at: data.at }
    case 'CarrierPackageHandedOver':
      return { status: 'delivered', delivered_at: data.at }
    case 'CarrierPackageShelved':
      return { status: 'shelved' }
    case 'CarrierPackageTakenOff':
      return { status: 'listed', order_id: null, loaded_at: null }
    default:
      return undefined
  }
}

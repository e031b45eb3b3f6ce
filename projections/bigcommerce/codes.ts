import type { CodeMapping } from '../../engine/index.ts'
import { type Stage, stageMappings } from '../shared/fold.ts'

interface Row {
  readonly fidelity: '=' | '~'
  readonly id: number
  readonly name: string
}

/**
 * The order status of each stage (Orders v2, `status_id`). Awaiting Shipment waits for the carrier, Awaiting Pickup (8)
 * for the customer. Merchants read Completed as received, so only a delivery is Completed.
 */
export const rows = {
  announced: { fidelity: '~', id: 11, name: 'Awaiting Fulfillment' },
  awaiting_carrier: { fidelity: '~', id: 9, name: 'Awaiting Shipment' },
  shipped: { fidelity: '~', id: 2, name: 'Shipped' },
  delivered: { fidelity: '~', id: 10, name: 'Completed' },
  cancelled: { fidelity: '=', id: 5, name: 'Cancelled' },
} as const satisfies Readonly<Record<Stage, Row>>

/** The order status of a stage. */
export type Status = (typeof rows)[Stage]

/** The published mappings. */
export const codes = stageMappings<Row>(
  rows,
  ({ fidelity, id, name }): CodeMapping => ({ fidelity, value: `${id} ${name}` }),
)

/** `shipping_provider`: the providers that Orders v2 lists, in lower case and without spaces or marks. */
export const shippingProviders = [
  'auspost',
  'canadapost',
  'endicia',
  'usps',
  'fedex',
  'ups',
  'upsready',
  'upsonline',
  'shipperhq',
  'royalmail',
] as const

import type { CodeMapping } from '../../engine/index.ts'
import { type Stage, stageMappings } from '../shared/fold.ts'

/** The order state of a stage. */
export interface Row {
  readonly fidelity: '=' | '~'
  readonly state: 'processing' | 'complete' | 'canceled'
}

/**
 * The order state of each stage; the default status of a state has the same name. `complete` means invoiced and
 * shipped. A parcel cannot cause `closed` (refunded) and `holded`.
 */
export const rows: Readonly<Record<Stage, Row>> = {
  announced: { fidelity: '~', state: 'processing' },
  awaiting_carrier: { fidelity: '~', state: 'processing' },
  shipped: { fidelity: '~', state: 'complete' },
  delivered: { fidelity: '~', state: 'complete' },
  cancelled: { fidelity: '=', state: 'canceled' },
}

/** The published mappings. */
export const codes = stageMappings(rows, ({ fidelity, state }): CodeMapping => ({ fidelity, value: state }))

/** `carrier_code`: the carriers that are built into the product. Any other is `custom`. */
export const carrierCodes = ['ups', 'usps', 'fedex', 'dhl'] as const

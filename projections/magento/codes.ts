import type { CodeMapping } from '../../engine/index.ts'
import { type Stage, stageMappings } from '../shared/fold.ts'

/** The order state of a stage. */
export interface Row {
  readonly fidelity: '=' | '~'
  readonly state: 'processing' | 'complete' | 'canceled'
}

/**
 * The order state of each stage; the status that comes with a state by default has its name. `complete` is invoiced and
 * shipped, and `closed` (refunded) and `holded` are never for a parcel to say.
 */
export const rows: Readonly<Record<Stage, Row>> = {
  announced: { fidelity: '~', state: 'processing' },
  awaiting_carrier: { fidelity: '~', state: 'processing' },
  shipped: { fidelity: '~', state: 'complete' },
  delivered: { fidelity: '~', state: 'complete' },
  cancelled: { fidelity: '=', state: 'canceled' },
}

/** What becomes of each code. */
export const codes = stageMappings(rows, ({ fidelity, state }): CodeMapping => ({ fidelity, value: state }))

/** `carrier_code`: the carriers that come with the product; any other is `custom`. */
export const carrierCodes = ['ups', 'usps', 'fedex', 'dhl'] as const

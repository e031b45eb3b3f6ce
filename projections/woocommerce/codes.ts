import type { CodeMapping } from '../../engine/index.ts'
import { type Stage, stageMappings } from '../shared/fold.ts'

/** The order status of a stage. */
export interface Row {
  readonly fidelity: '=' | '~'
  readonly status: 'processing' | 'completed' | 'cancelled'
}

/**
 * The order status of each stage. `completed` means that the shop has done its part. `ready-for-pickup` waits for the
 * customer, not for the carrier. A parcel cannot cause `refunded`, `failed` and `on-hold`.
 */
export const rows: Readonly<Record<Stage, Row>> = {
  announced: { fidelity: '~', status: 'processing' },
  awaiting_carrier: { fidelity: '~', status: 'processing' },
  shipped: { fidelity: '~', status: 'completed' },
  delivered: { fidelity: '~', status: 'completed' },
  cancelled: { fidelity: '=', status: 'cancelled' },
}

/** The published mappings. */
export const codes = stageMappings(rows, ({ fidelity, status }): CodeMapping => ({ fidelity, value: status }))

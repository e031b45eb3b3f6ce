import type { CodeMapping } from '../../engine/index.ts'
import { type Stage, stageMappings } from '../shared/fold.ts'

/** The receipt status of a stage, and whether the receipt is shipped. */
export interface Row {
  readonly fidelity: '=' | '~'
  readonly status: 'paid' | 'completed' | 'canceled'
  readonly isShipped: boolean
}

/** The receipt status of each stage; Etsy has no status for delivered, and a parcel cannot cause a refund. */
export const rows: Readonly<Record<Stage, Row>> = {
  announced: { fidelity: '~', status: 'paid', isShipped: false },
  awaiting_carrier: { fidelity: '~', status: 'paid', isShipped: false },
  shipped: { fidelity: '~', status: 'completed', isShipped: true },
  delivered: { fidelity: '~', status: 'completed', isShipped: true },
  cancelled: { fidelity: '=', status: 'canceled', isShipped: false },
}

/** The published mappings. */
export const codes = stageMappings(
  rows,
  ({ fidelity, status, isShipped }): CodeMapping => ({
    fidelity,
    value: `${status}, ${isShipped ? 'shipped' : 'not shipped'}`,
  }),
)

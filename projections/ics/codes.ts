import { type Stage, stageMappings } from '../shared/fold.ts'

/** How certain an entry is (RFC 5545, `STATUS`). */
export interface Row {
  readonly fidelity: '=' | '~'
  readonly status: 'TENTATIVE' | 'CONFIRMED' | 'CANCELLED'
}

/** The status of the entry at each stage: what the carrier does not have yet may still change. */
export const rows: Readonly<Record<Stage, Row>> = {
  announced: { fidelity: '~', status: 'TENTATIVE' },
  awaiting_carrier: { fidelity: '~', status: 'TENTATIVE' },
  shipped: { fidelity: '~', status: 'CONFIRMED' },
  delivered: { fidelity: '~', status: 'CONFIRMED' },
  cancelled: { fidelity: '=', status: 'CANCELLED' },
}

/** The published mappings. */
export const codes = stageMappings(rows, ({ fidelity, status }) => ({ fidelity, value: status }))

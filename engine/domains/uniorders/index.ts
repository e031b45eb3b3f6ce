import type { Domain } from '../../kernel/domain.ts'
import { uniorderCreateBatch } from './batch.ts'
import { uniorderMessages } from './messages.ts'
import {
  uniorderCancel,
  uniorderCreate,
  uniorderGet,
  uniorderLabel,
  uniorderPurchaseLabel,
  uniorderTracking,
} from './operations.ts'

/** Uniorders: shipments that the business delivers itself, or a carrier, as one thing. They are orders and labels, and nothing else. */
export const uniordersDomain: Domain = {
  name: 'uniorders',
  messages: [uniorderMessages],
  events: {},
  operations: [
    ...[uniorderCreate, uniorderCreateBatch, uniorderGet, uniorderLabel, uniorderTracking],
    ...[uniorderCancel, uniorderPurchaseLabel],
  ],
}

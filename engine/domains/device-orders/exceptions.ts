import * as v from 'valibot'
import { everybody, type Fields, nobody, type Part } from '../../entity/field.ts'
import { id, word } from '../../kernel/schemas.ts'
import { moves } from './moves.ts'

const { open_exception, resolve_exception, dismiss_exception, erase } = moves

/** The decisions that hold for most fields: neither personal nor a price, and shown to everybody who may see the device order. */
const shown = {
  personal: false,
  price: 'none',
  carried: false,
  listed: 'no',
  webhooks: 'all',
  setBy: everybody,
  shownTo: everybody,
} as const

const statuses = {
  open: 'It is not settled.',
  resolved: 'Something was done about it, or the stay has ended.',
  dismissed: 'Nothing has to be done about it.',
} as const

const exceptionMoves = {
  open_exception: { from: 'nothing', to: 'open', event: open_exception.event },
  resolve_exception: { from: ['open'], to: 'resolved', event: resolve_exception.event, says: resolve_exception.says },
  dismiss_exception: { from: ['open'], to: 'dismissed', event: dismiss_exception.event, says: dismiss_exception.says },
  erase: { from: 'any', event: erase.event, erases: true },
} as const

/** Problems that staff report; the clock alone opens `overdue`. */
const reportedTypes = [
  ...(['door_left_open', 'deposit_unverified', 'item_missing'] as const),
  ...(['item_damaged', 'wrong_item', 'device_offline', 'other'] as const),
] as const

/** A problem with a deposit or its machine (document 3, `data.exception`). */
export const exception = {
  id: 'exception_id',
  statuses,
  moves: exceptionMoves,
  missing: 'null',
  beside: true,
  fields: {
    exception_id: {
      ...shown,
      about: 'Number of the exception, counted from 1 within the device order.',
      type: id,
      example: 1,
      set: { open_exception: 'engine', resolve_exception: 'required', dismiss_exception: 'required' },
      names: 'part',
      shownAs: 'id',
    },
    type: {
      ...shown,
      about: 'Kind of the problem; the clock alone opens overdue.',
      type: v.picklist([...reportedTypes, 'overdue']),
      input: { type: v.picklist(reportedTypes), stored: (input: string) => input },
      example: 'door_left_open',
      set: { open_exception: 'required' },
    },
    severity: {
      ...shown,
      about: 'Severity of the problem; medium where absent.',
      type: v.picklist(['low', 'medium', 'high']),
      example: 'medium',
      set: { open_exception: 'defaulted' },
    },
    status: {
      ...shown,
      about: 'Status of the problem.',
      type: v.picklist(Object.keys(statuses)),
      example: 'open',
      set: {},
    },
    note: {
      ...shown,
      about: 'What was seen, for staff.',
      type: word(1000),
      example: 'The door does not close.',
      set: { open_exception: 'optional' },
      personal: true,
      shownTo: nobody,
      webhooks: 'none',
    },
    resolution_action: {
      ...shown,
      about: 'What was done, as a word: door_closed, item_found. Webhooks carry it, so it must tell nothing of people.',
      type: v.pipe(v.string(), v.maxLength(64), v.regex(/^[a-z0-9]+(_[a-z0-9]+)*$/)),
      example: 'door_closed',
      set: { resolve_exception: 'required', dismiss_exception: 'required' },
    },
  } satisfies Fields<keyof typeof exceptionMoves>,
} as const satisfies Part

import { load, loadEntity, loadOwn, ownId, streamOf } from '../../entity/access.ts'
import type { MoveOf, StateOf, Values } from '../../entity/field.ts'
import { readModelOf } from '../../entity/list.ts'
import { deciderOf } from '../../entity/machine.ts'
import { refundSteps } from '../../entity/paying.ts'
import type { RecordedOf } from '../../entity/recorded.ts'
import type { CarrierLabel, Shipment } from '../../kernel/carrier.ts'
import type { Context } from '../../kernel/context.ts'
import { isEngineError } from '../../kernel/errors.ts'
import type { RecordedEvent } from '../../kernel/event.ts'
import type { Append } from '../../kernel/event-store.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import type { ReadModel, Row } from '../../kernel/read-model.ts'
import { isoOf } from '../../kernel/time.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { isAskedNow } from './ask-carrier.ts'
import { isNews, orderStatusAfter } from './progress.ts'
import { billOf, label } from './table.ts'

/** A label as its events have left it. */
export type Label = StateOf<typeof label>

/** The decider of a label. What a carrier did is recorded once, no matter who hears of it, and how often. */
export const labels = deciderOf(
  label,
  { report: ({ report }, label) => report && { order_status: orderStatusAfter(label, report) } },
  { try: isAskedNow, report: ({ report }, label) => report === undefined || !isNews(label, report) },
  // What was not bought is not asked back of anybody, and another rate may cost less than what was paid.
  {
    ask_again: (values, state) => {
      const { currency, total } = billOf({ ...state, ...values } as Label)
      return [['ask_again', values], ...refundSteps(state, { currency }, total)]
    },
    ask_void: (_, state) =>
      state.status === 'LABEL_PURCHASE_FAILED' ? [...refundSteps(state, billOf(state)), ['give_up']] : [['ask_void']],
    void: (_, state) => [...refundSteps(state, billOf(state)), ['void']],
  },
)

/** Labels, as callers name them by an id, which is one of the numbers of orders. */
export const labelKind = {
  entity: label,
  decider: labels,
  sequence: 'order',
  renumberedAs: (state: Label) => state.renumbered_as,
}

/** What the id of a label names. */
export const labelId = ownId(labelKind)

/** A label of the caller's business, and its revision; refuses with `label_not_found`. */
export function loadLabel(context: Context, id: number) {
  return loadOwn(context, labelKind, id)
}

/** A label of the caller's business; undefined if there is none. */
export async function findLabel(context: Context, id: number): Promise<Label | undefined> {
  try {
    return (await loadLabel(context, id)).state
  } catch (error) {
    if (isEngineError(error, 'label_not_found')) return undefined
    throw error
  }
}

/** Labels of the caller's business, each once, though it may be named by its former id, too; refuses like `loadLabel`. */
export async function loadLabels(context: Context, ids: readonly number[]) {
  const loaded = await Promise.all(ids.map((one) => loadLabel(context, one)))
  return [...new Map(loaded.map((one) => [one.state.order_id, one])).values()]
}

/** What appends a move of a label; nothing if it changes nothing. It refuses what its status forbids. */
export async function labelAppend(
  context: Context,
  id: number,
  move: MoveOf<typeof label>,
  values: Values,
): Promise<readonly Append[]> {
  const found = await load(context, labelKind, id)
  const order_id = found?.state.order_id ?? id
  const command = { move, at: isoOf(context.clock()), by: null, values: { ...values, order_id } }
  const events = labels.decide(command, found?.state).map(toNewEvent(context))
  const expected = found?.revision ?? 'no-stream'
  return events.length === 0 ? [] : [{ stream: streamOf(label, order_id), events, expected }]
}

/** The shipment of a label; undefined if its people are erased. */
export function shipmentOf({ from, to, parcels, contents, customs }: Label): Shipment | undefined {
  if (from === undefined || to === undefined) return undefined
  const filled = parcels.map((parcel, index) => {
    const items = contents?.[index] ?? []
    return items.length === 0 ? parcel : { ...parcel, items }
  })
  return { from, to, parcels: filled, ...omitUndefined({ customs }) }
}

/** What names a label at its carrier; nothing if it is not bought. */
export async function soldLabel(
  context: Pick<Context, 'store' | 'models'>,
  id: number,
): Promise<readonly Pick<CarrierLabel, 'reference' | 'tracking_numbers'>[]> {
  const bought = (await loadEntity(context, labelKind, id))?.label
  return bought === undefined ? [] : [{ reference: bought.reference, tracking_numbers: bought.tracking_numbers }]
}

const listed = readModelOf(label)

/** A purchase that is tried again has the same event as the first, and leaves when it was asked for. */
function lastingRow({ created_at, ...row }: Row, { revision }: RecordedEvent): Row {
  return revision === 0 && created_at !== undefined ? { ...row, created_at } : row
}

/** Whether an event says that the label goes on under another number. */
export function isRenumbered({ type }: RecordedEvent): boolean {
  return type === label.moves.renumber.event
}

/** The labels of each business, and when their carriers are to be asked. */
export const labelModel: ReadModel = {
  ...listed,
  rows: (event) => (isRenumbered(event) ? [] : listed.rows(event).map((row) => lastingRow(row, event))),
  gone: (event) => (isRenumbered(event) ? [{ order_id: (event.data as Pick<Label, 'order_id'>).order_id }] : []),
}

/** The labels by their tracking numbers. Carriers of different businesses may give the same number. */
export const labelNumberModel = {
  name: 'label_numbers',
  version: 1,
  category: 'label',
  columns: { business_id: 'integer', tracking_number: 'text', order_id: 'integer' },
  key: ['business_id', 'tracking_number'],
  indexes: [],
  opens: () => false,
  rows: (event) => {
    const { order_id, business_id } = event.data as unknown as BoughtData
    return numbersIn(event).map((tracking_number) => ({ business_id, tracking_number, order_id }))
  },
} as const satisfies ReadModel

/** The tracking numbers that a purchase has brought; none for other events. */
export function numbersIn({ type, data }: RecordedEvent): readonly string[] {
  return type === label.moves.buy.event ? (data as unknown as BoughtData).label.tracking_numbers : []
}

type BoughtData = RecordedOf<typeof label, 'buy'> & Pick<Label, 'order_id' | 'business_id'>

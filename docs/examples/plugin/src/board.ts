import { type CodeTable, defineProjection, mappingsOf, nameOf, profileOf, rowsOf, v } from 'otep-engine/plugin'

/** The states of a departure board, an enum. */
const states = ['EXPECTED', 'MOVING', 'READY', 'DONE', 'PROBLEM', 'BACK', 'UNKNOWN'] as const

/** How a board shows a code. Codes of a profile may carry such a row, as `repaired` does. */
const rowSchema = v.strictObject({ fidelity: v.picklist(['=', '~', 'none']), state: v.picklist(states) })

type Row = v.InferOutput<typeof rowSchema>

const expected: Row = { fidelity: '~', state: 'EXPECTED' }
const moving: Row = { fidelity: '~', state: 'MOVING' }
const problem: Row = { fidelity: '~', state: 'PROBLEM' }
const back: Row = { fidelity: '~', state: 'BACK' }

const codes: CodeTable<Row> = {
  parcel: {
    information_submitted: expected,
    booking_confirmed: expected,
    awaiting_pickup: expected,
    out_for_pickup: expected,
    picked_up: moving,
    pickup_failed: problem,
    pickup_rescheduled: expected,
    received: moving,
    arrival_scan: moving,
    in_transit: { fidelity: '=', state: 'MOVING' },
    package_outbound: moving,
    removed_from_route: problem,
    route_cancelled: problem,
    out_for_delivery: moving,
    delivered: { fidelity: '=', state: 'DONE' },
    delivery_failed: problem,
    delivery_rescheduled: moving,
    return_to_sender: { fidelity: '=', state: 'BACK' },
    rejected_by_recipient: back,
    cancelled: problem,
  },
  unregistered: {
    'x-available_for_pickup': { fidelity: '=', state: 'READY' },
    'x-customs_started': moving,
    'x-customs_cleared': moving,
    'x-customs_held': problem,
    'x-delayed': problem,
    'x-damaged': problem,
    'x-lost': problem,
    'x-disposed': problem,
    'x-undeliverable': problem,
    'x-returning': back,
    'x-exception': problem,
    'x-expired': problem,
    'x-*': { fidelity: 'none', state: 'UNKNOWN' },
  },
}

const carried = { format: 'board', schema: rowSchema }
const rowOf = rowsOf(codes, carried)

/** The current state of a parcel, as a departure board shows it. */
export const board = defineProjection({
  name: 'board',
  title: 'Departure board',
  standard: 'Board 1.0',
  version: '1',
  kind: 'state',
  codes: mappingsOf(codes, ({ fidelity, state }) => ({ fidelity, value: fidelity === 'none' ? '' : state }), carried),
  rows: rowSchema,
  losses: ['Everything but the current state and its time.'],
  schema: v.strictObject({
    parcel: v.string(),
    state: v.picklist(states),
    since: v.exactOptional(v.string()),
  }),
  representations: [{ mediaType: 'text/plain', write: ({ parcel, state }) => `${parcel.toWellFormed()} ${state}\n` }],
  project: (timeline, target) => {
    const { subject, events, current_status } = timeline
    const current = events.findLast(({ status_code }) => status_code === current_status)
    const parcel = nameOf(subject).value
    if (current === undefined) return { parcel, state: 'UNKNOWN' }
    const { state } = rowOf(profileOf(timeline, target), current.status_code)
    return { parcel, state, since: current.occurred_at }
  },
})

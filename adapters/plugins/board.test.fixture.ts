import { parcel, unregisteredCodes } from '../../profiles/index.ts'
import { type CodeTable, defineProfile, defineProjection, mappingsOf, nameOf, profileOf, rowsOf, v } from './index.ts'

/** The states of a board, an enum. */
const states = ['OPEN', 'MOVING', 'DONE'] as const

interface Row {
  readonly fidelity: '=' | '~'
  readonly state: (typeof states)[number]
}

const moving: Row = { fidelity: '~', state: 'MOVING' }
const rows = (codes: object) => Object.fromEntries(Object.keys(codes).map((code) => [code, moving]))

const codes = {
  parcel: { ...rows(parcel.codes), delivered: { fidelity: '=', state: 'DONE' } },
  unregistered: { ...rows(unregisteredCodes), 'x-*': moving },
} as unknown as CodeTable<Row>

const rowOf = rowsOf(codes)

/** A format whose documents have a state of an enum. */
export const board = defineProjection({
  name: 'board',
  title: 'Board',
  standard: 'Board 1',
  version: '1',
  kind: 'state',
  losses: ['Everything but the state.'],
  representations: [{ mediaType: 'text/plain', write: ({ state }) => `${state}\n` }],
  codes: mappingsOf(codes, ({ fidelity, state }) => ({ fidelity, value: state })),
  options: v.strictObject({ lamp: v.exactOptional(v.picklist(['on', 'off'])) }),
  schema: v.strictObject({ parcel: v.string(), state: v.picklist(states), lamp: v.exactOptional(v.string()) }),
  project: (timeline, target) => ({
    parcel: nameOf(timeline.subject).value,
    state: rowOf(profileOf(timeline, target), timeline.current_status ?? 'x-*').state,
    ...target.options,
  }),
})

/** A profile with three codes. */
export const repair = defineProfile({
  name: 'repair',
  version: '0.1',
  status: 'draft',
  phases: ['inbound', 'transit', 'delivered'],
  sidePhases: [],
  first: ['brought_in'],
  codes: {
    brought_in: {
      ...{ phase: 'inbound', terminal: false, pod: false, like: 'received', meaning: 'The device was brought in.' },
      webhook: { statusId: 90_001, key: 'brought-in', type: 'A' },
      phrases: { en: 'Brought in' },
    },
    repaired: {
      ...{ phase: 'transit', terminal: false, pod: false, like: 'in_transit', meaning: 'The device was repaired.' },
      webhook: { statusId: 90_002, key: 'repaired', type: 'T' },
      phrases: { en: 'Repaired' },
    },
    handed_back: {
      ...{ phase: 'delivered', terminal: true, pod: true, like: 'delivered', meaning: 'The device was handed back.' },
      webhook: { statusId: 90_003, key: 'handed-back', type: 'D' },
      phrases: { en: 'Handed back' },
    },
  },
  transitions: `
    brought_in  - o o
    repaired    . - o
    handed_back x x -
  `,
})

import { defineProfile } from 'otep-engine/plugin'

/** A repair shop: a device is brought in, repaired and handed back. */
export const repair = defineProfile({
  name: 'repair',
  version: '0.1',
  status: 'draft',
  phases: ['inbound', 'transit', 'delivered'],
  sidePhases: [],
  codes: {
    brought_in: {
      phase: 'inbound',
      terminal: false,
      pod: false,
      meaning: 'The device was brought in.',
      like: 'received',
      webhook: { statusId: 90_001, key: 'brought-in', type: 'A' },
      phrases: { en: 'Brought in', de: 'Abgegeben' },
    },
    repaired: {
      phase: 'transit',
      terminal: false,
      pod: false,
      meaning: 'The device was repaired.',
      like: 'in_transit',
      webhook: { statusId: 90_002, key: 'repaired', type: 'T' },
      phrases: { en: 'Repaired', de: 'Repariert' },
      formats: { board: { fidelity: '=', state: 'READY' } },
    },
    handed_back: {
      phase: 'delivered',
      terminal: true,
      pod: true,
      meaning: 'The device was handed back.',
      like: 'delivered',
      webhook: { statusId: 90_003, key: 'handed-back', type: 'D' },
      phrases: { en: 'Handed back', de: 'Zurückgegeben' },
    },
  },
  first: ['brought_in'],
  transitions: `
    brought_in  - o o
    repaired    . - o
    handed_back . . -
  `,
})

import type { bizSteps } from '../codes.ts'

/** What an event of another maker says of itself, as far as a code can be told from it. */
export interface Words {
  readonly bizStep?: string
  readonly disposition?: string
  readonly action?: string
  /** Whether it was observed where, by its own word, the goods were meant to go (`destinationList`). */
  readonly atDestination: boolean
}

/** The code that an event is read as, and how sure that is. */
export interface Decided {
  readonly code: string
  /** `sure`: it means that. `decided`: it can mean other codes too. `missing`: OTEP has no code for it. */
  readonly certainty: 'sure' | 'decided' | 'missing'
}

type Step = (typeof bizSteps)[number]

/**
 * What a step is read as: always, or with an action or a disposition, or at the destination; the latter go first. With
 * a disposition that the row does not name nothing is sure.
 */
interface Row extends Decided {
  readonly actions?: Readonly<Record<string, Decided>>
  readonly dispositions?: Readonly<Record<string, Decided>>
  readonly atDestination?: Decided
}

const sure = (code: string): Decided => ({ code, certainty: 'sure' })
const decided = (code: string): Decided => ({ code, certainty: 'decided' })
const missing = (code: string): Decided => ({ code, certainty: 'missing' })

const onTheWayBack = { returned: decided('x-returning') }

/** Dispositions that add nothing to a step on the way. */
const goingOn = (code: string) => ({ in_progress: sure(code), in_transit: sure(code) })

/**
 * Only what an event says itself decides, never its neighbours in the document: sent again in another company, or taken
 * back alone, the same event has to be read as the same code. Of two meanings the one that ends nothing is taken.
 */
const rows: Readonly<Record<Step, Row | 'missing'>> = {
  // Possession changes: from the sender to the carrier, or from the carrier to the recipient.
  accepting: { ...decided('picked_up'), atDestination: decided('delivered') },
  arriving: {
    ...sure('arrival_scan'),
    dispositions: { ...onTheWayBack, in_progress: decided('received'), in_transit: sure('arrival_scan') },
  },
  assembling: 'missing',
  // For disposal or re-use: no pick-up of a parcel.
  collecting: 'missing',
  // Something new is announced, or it was made of something else.
  commissioning: { ...missing('x-commissioning'), actions: { ADD: decided('information_submitted') } },
  // Sums up staging, loading, departing and accepting.
  consigning: decided('picked_up'),
  creating_class_instance: 'missing',
  cycle_counting: 'missing',
  decommissioning: 'missing',
  departing: { ...sure('package_outbound'), dispositions: { ...onTheWayBack, ...goingOn('package_outbound') } },
  destroying: decided('x-disposed'),
  disassembling: 'missing',
  dispensing: 'missing',
  encoding: 'missing',
  entering_exiting: 'missing',
  holding: 'missing',
  inspecting: 'missing',
  installing: 'missing',
  killing: 'missing',
  loading: 'missing',
  other: 'missing',
  packing: 'missing',
  picking: 'missing',
  // Sums up arriving and accepting: at a depot, or by the recipient.
  receiving: { ...decided('received'), atDestination: decided('delivered') },
  removing: 'missing',
  repackaging: 'missing',
  repairing: 'missing',
  replacing: 'missing',
  reserving: 'missing',
  retail_selling: 'missing',
  sampling: 'missing',
  sensor_reporting: 'missing',
  // Sums up staging, loading and departing.
  shipping: { ...decided('package_outbound'), dispositions: onTheWayBack },
  staging_outbound: { ...sure('awaiting_pickup'), dispositions: { in_progress: sure('awaiting_pickup') } },
  stock_taking: 'missing',
  stocking: 'missing',
  storing: 'missing',
  transporting: { ...sure('in_transit'), dispositions: { ...onTheWayBack, ...goingOn('in_transit') } },
  unloading: 'missing',
  unpacking: 'missing',
  // Said to be not in the shipment after all, which is no cancelled shipment.
  void_shipping: 'missing',
}

/** What happened to the thing counts more than the step in which it was noticed. */
const conditions: Readonly<Record<string, Decided>> = {
  damaged: sure('x-damaged'),
  destroyed: decided('x-disposed'),
  disposed: sure('x-disposed'),
}

/** The steps with what they are read as, for the reference. */
export const backRows: Readonly<Record<string, Row | 'missing'>> = rows

/** The code of an event of another maker. */
export function codeOf({ bizStep, disposition, action, atDestination }: Words): Decided {
  const condition = own(conditions, disposition)
  if (condition !== undefined) return condition
  const row = own(rows, bizStep)
  if (row === undefined) return missing('x-observed')
  if (row === 'missing') return missing(`x-${bizStep}`)
  const at = atDestination ? row.atDestination : undefined
  const { code, certainty } = at ?? own(row.dispositions, disposition) ?? own(row.actions, action) ?? row
  // What else is said of the thing (stolen, recalled) may be more than the step tells.
  const isDoubtful =
    certainty === 'sure' && disposition !== undefined && own(row.dispositions, disposition) === undefined
  return isDoubtful ? decided(code) : { code, certainty }
}

function own<Value>(table: Readonly<Record<string, Value>> = {}, key = ''): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}

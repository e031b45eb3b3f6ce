import type { bizSteps } from '../codes.ts'

/** The members of a foreign event from which its code can be derived. */
export interface Words {
  readonly bizStep?: string
  readonly disposition?: string
  readonly action?: string
  /** Whether it was observed at the place that it names as its destination (`destinationList`). */
  readonly atDestination: boolean
}

/** The code of an event, and how certain it is. */
interface Decided {
  readonly code: string
  /** `sure`: it has this meaning. `decided`: it may also have others. `missing`: OTEP has no code for it. */
  readonly certainty: 'sure' | 'decided' | 'missing'
}

type Step = (typeof bizSteps)[number]

/**
 * The code of a step: in general, or with an action or a disposition, or at the destination; the specific ones take
 * precedence. With a disposition that the row does not name, the code is never certain.
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

/** Dispositions that add nothing to a step in transit. */
const goingOn = (code: string) => ({ in_progress: sure(code), in_transit: sure(code) })

/**
 * Only the event itself determines its code, never its neighbours in the document: the same event must get the same
 * code if it is sent with other events, or withdrawn alone. Of two possible codes, the one that does not end the
 * journey is used.
 */
const rows: Readonly<Record<Step, Row | 'missing'>> = {
  // Possession changes: from the sender to the carrier, or from the carrier to the recipient.
  accepting: { ...decided('picked_up'), atDestination: decided('delivered') },
  arriving: {
    ...sure('arrival_scan'),
    dispositions: { ...onTheWayBack, in_progress: decided('received'), in_transit: sure('arrival_scan') },
  },
  assembling: 'missing',
  // For disposal or re-use: this is not the pick-up of a parcel.
  collecting: 'missing',
  // A new object is announced, or it was made from others.
  commissioning: { ...missing('x-commissioning'), actions: { ADD: decided('information_submitted') } },
  // Summarises staging, loading, departing and accepting.
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
  // Summarises arriving and accepting: at a depot, or by the recipient.
  receiving: { ...decided('received'), atDestination: decided('delivered') },
  removing: 'missing',
  repackaging: 'missing',
  repairing: 'missing',
  replacing: 'missing',
  reserving: 'missing',
  retail_selling: 'missing',
  sampling: 'missing',
  sensor_reporting: 'missing',
  // Summarises staging, loading and departing.
  shipping: { ...decided('package_outbound'), dispositions: onTheWayBack },
  staging_outbound: { ...sure('awaiting_pickup'), dispositions: { in_progress: sure('awaiting_pickup') } },
  stock_taking: 'missing',
  stocking: 'missing',
  storing: 'missing',
  transporting: { ...sure('in_transit'), dispositions: { ...onTheWayBack, ...goingOn('in_transit') } },
  unloading: 'missing',
  unpacking: 'missing',
  // It turned out not to be part of the shipment, which does not cancel the shipment.
  void_shipping: 'missing',
}

/** The state of the item matters more than the step in which it was noticed. */
const conditions: Readonly<Record<string, Decided>> = {
  damaged: sure('x-damaged'),
  destroyed: decided('x-disposed'),
  disposed: sure('x-disposed'),
}

/** The steps with their codes, for the reference. */
export const backRows: Readonly<Record<string, Row | 'missing'>> = rows

/** The code of a foreign event. */
export function codeOf({ bizStep, disposition, action, atDestination }: Words): Decided {
  const condition = own(conditions, disposition)
  if (condition !== undefined) return condition
  const row = own(rows, bizStep)
  if (row === undefined) return missing('x-observed')
  if (row === 'missing') return missing(`x-${bizStep}`)
  const at = atDestination ? row.atDestination : undefined
  const { code, certainty } = at ?? own(row.dispositions, disposition) ?? own(row.actions, action) ?? row
  // A disposition (stolen, recalled) may say more than the step.
  const isDoubtful =
    certainty === 'sure' && disposition !== undefined && own(row.dispositions, disposition) === undefined
  return isDoubtful ? decided(code) : { code, certainty }
}

function own<Value>(table: Readonly<Record<string, Value>> = {}, key = ''): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}

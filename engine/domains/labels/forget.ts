import * as v from 'valibot'
import { load, streamOf } from '../../entity/access.ts'
import { EngineError } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import { id } from '../../kernel/schemas.ts'
import { isoOf } from '../../kernel/time.ts'
import { execute } from '../../store/execute.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { labelKind, labels } from './label.ts'
import { pickupKind, pickups } from './pickups/pickup.ts'

const common = { scopes: ['otep:erase'], risk: 'high', tag: 'LabelService' } as const

const dryRunEntry = {
  dry_run: v.exactOptional(v.pipe(v.boolean(), v.description('Only say whether there is something to erase.'))),
}

const stateEntry = {
  state: v.pipe(
    v.picklist(['not_forgotten', 'forgotten', 'already_forgotten']),
    v.description('not_forgotten after a dry run alone.'),
  ),
}

/** Erases personal data unless that is done already or not wanted yet; returns its state then. */
async function erased(isForgotten: boolean | undefined, isDry: boolean, forget: () => Promise<unknown>) {
  if (isForgotten) return 'already_forgotten'
  if (isDry) return 'not_forgotten'
  await forget()
  return 'forgotten'
}

/** Erases the personal data of a label for good. */
export const forgetLabel = operation({
  ...common,
  name: 'forget_label',
  summary:
    'Erase the personal data of a label order for good: its events stay, and the key of the personal data is destroyed. The carrier keeps what it has.',
  ids: { order_id: 'rule' },
  input: v.strictObject({ order_id: id, ...dryRunEntry }),
  output: v.strictObject({ result: v.literal(true), order_id: v.number(), ...stateEntry }),
  errors: ['label_not_found', 'label_status_forbids', 'contention', 'erasure_unfinished'],
  handle: async (context, { order_id, dry_run = false }) => {
    const label = await load(context, labelKind, order_id)
    if (label === undefined) throw new EngineError('label_not_found', { label: order_id })
    const { order_id: now, isErased } = label.state
    const command = { move: 'forget', at: isoOf(context.clock()), by: null } as const
    const stream = streamOf(labelKind.entity, now)
    const forget = () => execute(context.store, labels, stream, command, toNewEvent(context))
    return { result: true, order_id: now, state: await erased(isErased, dry_run, forget) }
  },
})

/** Erases the place and the contact of a pickup for good. */
export const forgetPickup = operation({
  ...common,
  name: 'forget_pickup',
  summary:
    'Erase the place and the contact of a pickup of labels for good: its events stay, and the key of the personal data is destroyed. The carrier keeps what it has.',
  ids: { pickup_id: 'rule' },
  input: v.strictObject({ pickup_id: id, ...dryRunEntry }),
  output: v.strictObject({ result: v.literal(true), pickup_id: v.number(), ...stateEntry }),
  errors: ['pickup_not_found', 'pickup_status_forbids', 'contention', 'erasure_unfinished'],
  handle: async (context, { pickup_id, dry_run = false }) => {
    const pickup = await load(context, pickupKind, pickup_id)
    if (pickup === undefined) throw new EngineError('pickup_not_found', { pickup: pickup_id })
    const command = { move: 'forget', at: isoOf(context.clock()), by: null } as const
    const stream = streamOf(pickupKind.entity, pickup_id)
    const forget = () => execute(context.store, pickups, stream, command, toNewEvent(context))
    return { result: true, pickup_id, state: await erased(pickup.state.isErased, dry_run, forget) }
  },
})

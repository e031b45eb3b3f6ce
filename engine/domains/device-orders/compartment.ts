import { loadEntity } from '../../entity/access.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import type { Event, RecordedEvent } from '../../kernel/event.ts'
import type { ShapesOf } from '../../kernel/event-shape.ts'
import type { Append } from '../../kernel/event-store.ts'
import { deriveId } from '../../kernel/id.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { toNewEvent } from '../../store/to-new-event.ts'
import { deviceOrder } from './device-order.ts'
import { type DeviceOrder, deviceOrders } from './rules.ts'

/** Something was put into a compartment. It is free again once the device order that took it last has left the machine. */
type CompartmentTaken = Event<'CompartmentTaken', { readonly device_order_id: number }>

/** The events of a compartment. */
export const compartmentEventShapes: ShapesOf<CompartmentTaken> = {
  CompartmentTaken: { device_order_id: 'number' },
}

/**
 * Takes the compartment of a device order that is stored. Refuses with `compartment_occupied` while another one lies in it. Two
 * that are stored at once both append to the stream of the compartment, so one of them is decided again. Without the
 * label of a compartment there is nothing to take.
 */
export async function takeCompartment(context: Context, order: DeviceOrder): Promise<readonly Append[]> {
  const { business_id, device_id, grid_code, device_order_id } = order
  if (grid_code === undefined) return []
  const stream: StreamName = `compartment-${deriveId(String(business_id), String(device_id), grid_code)}`
  const newest = { backwards: true, limit: 1 }
  const [last] = (await context.store.read(stream, newest)) as readonly RecordedEvent<CompartmentTaken>[]
  const holder =
    last && (await loadEntity(context, { entity: deviceOrder, decider: deviceOrders }, last.data.device_order_id))
  if (holder?.status === 'stored' || holder?.status === 'overdue') {
    const { device_order_id: held } = holder
    throw new EngineError('compartment_occupied', { grid: grid_code, device: device_id, order: held })
  }
  const taken: CompartmentTaken = { type: 'CompartmentTaken', data: { device_order_id } }
  return [{ stream, events: [toNewEvent(context)(taken)], expected: last?.revision ?? 'no-stream' }]
}

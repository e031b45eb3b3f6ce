import type { Catalogue, CodeOf } from '../../kernel/catalogue.ts'

/** Device orders. */
export const deviceOrderMessages = {
  not_found: {
    device_order_not_found: 'There is no device order {order}.',
    device_exception_not_found: 'The device order {order} has no exception {exception}.',
  },
  conflict: {
    device_order_status_forbids: '{move} is not possible while the device order {order} is {status}.',
    device_exception_settled: 'The exception {exception} of the device order {order} is settled already.',
    compartment_occupied: 'The compartment {grid} of the device {device} holds the device order {order}.',
  },
  value: {
    pickup_code_required: 'The pickup code is needed here.',
    wrong_pickup_code: 'This is not the pickup code of the device order {order}.',
    due_too_early: 'due_at is {due}, which has passed already.',
  },
} as const satisfies Catalogue

/** A code of device orders. */
export type DeviceOrderCode = CodeOf<typeof deviceOrderMessages>

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<DeviceOrderCode, 'device-orders'> {}
}

import type { Catalogue, CodeOf } from '../../kernel/catalogue.ts'

/** Orders that are assigned to contractors. */
export const assignmentMessages = {
  bad_request: {
    release_on_route: 'Order {order} is on a route. Take it off the route before you release it.',
    release_not_assigned: 'Order {order} is not assigned to you.',
    release_under_way: 'Order {order} is under way with a driver and cannot be released.',
  },
  value: {
    contractor_not_found: 'There is no contractor {contractor}.',
    contractor_module_off: 'The module for order assignments is not enabled for contractor {contractor}.',
    assignment_moved: 'Moved to another contractor.',
    assignment_released: 'Order {order} is no longer assigned to you.',
    assignment_order_cancelled: 'The order was cancelled.',
    assignment_order_deleted: 'The order was deleted.',
  },
} as const satisfies Catalogue

/** A code of orders that are assigned to contractors. */
export type AssignmentCode = CodeOf<typeof assignmentMessages>

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<AssignmentCode, 'assignments'> {}
}

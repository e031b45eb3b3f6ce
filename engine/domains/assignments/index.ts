import type { Domain } from '../../kernel/domain.ts'
import { assignOrdersToBroker } from './assign.ts'
import { assignmentModel } from './assignment-model.ts'
import { releaseBrokerOrderAssignment, revokeBrokerOrderAssignments } from './end.ts'
import { listBrokerOrderAssignments } from './list.ts'
import { assignmentMessages } from './messages.ts'

/** Assignments of orders to contractors. Their events are in the streams of the orders. */
export const assignmentsDomain: Domain = {
  name: 'assignments',
  messages: [assignmentMessages],
  events: {},
  operations: [
    listBrokerOrderAssignments,
    assignOrdersToBroker,
    revokeBrokerOrderAssignments,
    releaseBrokerOrderAssignment,
  ],
  readModels: [assignmentModel],
}

import type { Gives, Giving } from '../../entity/domain.ts'
import { assignOrdersToBroker } from './assign.ts'
import { assignmentModel } from './assignment-model.ts'
import { releaseBrokerOrderAssignment, revokeBrokerOrderAssignments } from './end.ts'
import { assignedSince } from './for-assignment-rules.ts'
import { listBrokerOrderAssignments } from './list.ts'
import { assignmentMessages } from './messages.ts'

export type { AssignmentCode } from './messages.ts'
export type { AssignmentPorts } from './ports.ts'

/** What others get from here, by who needs it. */
const gives = {
  assignmentRules: { assignedSince },
} satisfies Gives

/** Assignments of orders to contractors. Their events are in the streams of the orders. */
export const assignmentsDomain: Giving<typeof gives> = {
  gives,
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

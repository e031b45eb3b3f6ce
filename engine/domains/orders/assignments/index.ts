import type { Operation } from '../../../kernel/operation.ts'
import { assignOrdersToBroker } from './assign.ts'
import { releaseBrokerOrderAssignment, revokeBrokerOrderAssignments } from './end.ts'
import { listBrokerOrderAssignments } from './list.ts'

/** What can be asked about which contractor has which order. */
export const assignmentOperations: readonly Operation[] = [
  listBrokerOrderAssignments,
  assignOrdersToBroker,
  revokeBrokerOrderAssignments,
  releaseBrokerOrderAssignment,
]

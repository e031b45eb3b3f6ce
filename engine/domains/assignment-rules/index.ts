import type { Domain } from '../../entity/domain.ts'
import { serveWaiting, waitedRules } from './apply.ts'
import { assignmentRuleMessages } from './messages.ts'
import { acceptOrderOffer, listOrderOffers, refuseOrderOffer } from './offers.ts'
import {
  createAssignmentRule,
  deleteAssignmentRule,
  getAssignmentRule,
  listAssignmentRules,
  orderAssignmentRules,
  tryAssignmentRules,
  updateAssignmentRule,
} from './operations.ts'
import { poolModel } from './pool-model.ts'
import { ruleEventShapes, ruleModel } from './rules.ts'

export {
  applyRules,
  applyToFree,
  providerWithdrew,
  serveWaiting,
  waitedRules,
} from './apply.ts'
export type { AssignmentRuleCode } from './messages.ts'
export type { AssignmentRulePorts } from './ports.ts'
export { hasRules, rulesStream } from './rules.ts'

/** Rules by which orders are assigned: offered to contractors and drivers on duty, or given to providers. */
export const assignmentRulesDomain: Domain = {
  name: 'assignment-rules',
  messages: [assignmentRuleMessages],
  events: { assignment_rules: ruleEventShapes },
  deadlines: [{ name: 'pool of a rule', due: waitedRules, pass: serveWaiting, apart: 'pools' }],
  operations: [
    ...[listAssignmentRules, getAssignmentRule, createAssignmentRule, updateAssignmentRule, deleteAssignmentRule],
    ...[orderAssignmentRules, tryAssignmentRules],
    ...[listOrderOffers, acceptOrderOffer, refuseOrderOffer],
  ],
  readModels: [ruleModel, poolModel],
}

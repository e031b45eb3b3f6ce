import type { Domain } from '../../kernel/domain.ts'
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

/** Rules by which orders are assigned: offered to contractors and drivers on duty, or given to providers. */
export const assignmentRulesDomain: Domain = {
  name: 'assignment-rules',
  messages: [assignmentRuleMessages],
  events: { assignment_rules: ruleEventShapes },
  operations: [
    ...[listAssignmentRules, getAssignmentRule, createAssignmentRule, updateAssignmentRule, deleteAssignmentRule],
    ...[orderAssignmentRules, tryAssignmentRules],
    ...[listOrderOffers, acceptOrderOffer, refuseOrderOffer],
  ],
  readModels: [ruleModel, poolModel],
}

import type { Catalogue, CodeOf } from '../../kernel/catalogue.ts'

/** Assignment rules. */
export const assignmentRuleMessages = {
  not_found: {
    assignment_rule_not_found: 'There is no assignment rule {rule}.',
  },
  conflict: {
    assignment_rule_changed: 'Assignment rule {rule} has changed: its version is now {version}.',
    assignment_rules_full: 'There are {limit} assignment rules already; a business can have no more.',
    assignment_rules_differ: 'Name each assignment rule once: {expected}.',
  },
  value: {
    not_for_target: 'This has no meaning for the target of the rule.',
    rule_is_off: 'The rule is off.',
    rule_of_other_types: 'The rule is for orders of other types.',
    rule_of_other_services: 'The rule is for orders that were booked at other services.',
    rule_of_other_tags: 'The order does not have all tags of the rule.',
    rule_of_other_zones: 'The rule is for other zones of the price list.',
    rule_of_other_postal_codes: 'The rule is for other postal codes.',
    rule_of_other_weekdays: 'The rule is for other days of the week.',
    rule_of_other_hours: 'The rule is for other hours.',
    rule_for_its_day: 'Drivers are asked on the scheduled day of the order.',
    rule_was_declined: 'All whom the rule asks have refused the order, or have not answered.',
    rule_without_driver: 'No driver of the rule is on duty.',
    rule_target_gone: 'Those whom the rule asks cannot take orders at present.',
    rule_is_full: 'Those whom the rule asks have as many orders as they can take.',
  },
} as const satisfies Catalogue

/** A code of assignment rules. */
export type AssignmentRuleCode = CodeOf<typeof assignmentRuleMessages>

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<AssignmentRuleCode, 'assignment-rules'> {}
}

import * as v from 'valibot'
import type { Code } from '../../kernel/messages/index.ts'
import { named } from '../../kernel/named.ts'
import { distinct, id, providerName, refusingMember, tag, word } from '../../kernel/schemas.ts'
import { timeWindow } from '../../kernel/time-window.ts'

/** Days of the week in order, as opening hours name them. */
export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

const count = (limit: number) => v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(limit))

function some<Item extends v.GenericSchema<string | number>>(item: Item, limit: number) {
  return v.pipe(v.array(item), v.minLength(1), v.maxLength(limit), distinct<v.InferOutput<Item>>())
}

const postalCode = v.pipe(word(20), v.regex(/^[A-Z0-9]+$/, 'not_a_postal_prefix' satisfies Code))

const condition = named(
  'AssignmentRuleCondition',
  v.strictObject({
    types: v.exactOptional(some(v.picklist(['D', 'P', 'P2P']), 3)),
    services: v.exactOptional(
      v.pipe(some(word(40), 10), v.description('Codes of services of the price list; the order was booked at one.')),
    ),
    zones: v.exactOptional(
      v.pipe(some(word(40), 100), v.description('Codes of zones of the price list; the order is in one of them.')),
    ),
    postal_codes: v.exactOptional(
      v.pipe(some(postalCode, 200), v.description('Beginnings of postal codes, in capitals and without spaces.')),
    ),
    tags: v.exactOptional(v.pipe(some(tag, 10), v.description('The order has all of these.'))),
    weekdays: v.exactOptional(
      v.pipe(some(v.picklist(weekdays), 7), v.description('Of the scheduled day of the order; of today without one.')),
    ),
    hours: v.exactOptional(
      v.pipe(
        timeWindow,
        v.description(
          'The start of the time window of the order lies in them; without one, the current time of an order of today.',
        ),
      ),
    ),
  }),
)

/** Whom a rule may ask; each is also the member that names them. */
const targets = ['contractors', 'provider', 'drivers'] as const

const target = v.pipe(
  v.picklist(targets),
  v.description('Whom the rule asks: contractors, a provider, or drivers on duty.'),
)

const capacity = named(
  'AssignmentRuleCapacity',
  v.pipe(
    v.strictObject({
      open: v.exactOptional(v.pipe(count(10_000), v.description('Orders that one has at once.'))),
      per_day: v.exactOptional(v.pipe(count(10_000), v.description('Orders that a contractor is assigned in a day.'))),
      per_hour: v.exactOptional(
        v.pipe(count(10_000), v.description('Orders that a contractor is assigned in 60 minutes.')),
      ),
    }),
    v.description('Of each contractor, driver or provider. Orders that a contractor is offered count as assigned.'),
  ),
)

/** An assignment rule: which orders it is for, and who is to get them. */
export const rule = named(
  'AssignmentRule',
  v.pipe(
    v.strictObject({
      name: word(100),
      is_on: v.exactOptional(v.pipe(v.boolean(), v.description('Whether it holds; true where absent.'))),
      when: v.exactOptional(v.pipe(condition, v.description('All of it must hold; every order fits where absent.'))),
      target,
      contractors: v.exactOptional(
        v.pipe(some(id, 20), v.description('The contractors of its pool: the first one who takes an order has it.')),
      ),
      provider: v.exactOptional(v.pipe(providerName, v.description('The provider that is to deliver.'))),
      drivers: v.exactOptional(
        v.pipe(some(id, 200), v.description('Only these drivers are asked; any driver where absent.')),
      ),
      capacity: v.exactOptional(capacity),
      respond_within_minutes: v.exactOptional(
        v.pipe(
          count(10_080),
          v.description('How long a driver, or the contractors, have to answer; without limit where absent.'),
        ),
      ),
    }),
    refusingMember((given) => {
      if (given.target !== 'drivers' && given[given.target] === undefined) return [given.target, 'required']
      const other = targets.find((name) => name !== given.target && given[name] !== undefined)
      if (other !== undefined) return [other, 'not_for_target']
      if (given.target === 'provider' && given.respond_within_minutes !== undefined)
        return ['respond_within_minutes', 'not_for_target']
      const { per_day, per_hour } = given.capacity ?? {}
      const isPerTime = per_day !== undefined || per_hour !== undefined
      return given.target !== 'contractors' && isPerTime ? ['capacity', 'not_for_target'] : undefined
    }),
  ),
)

/** An assignment rule. */
export type Rule = v.InferOutput<typeof rule>

/** An assignment rule in one of its versions. */
export interface VersionedRule {
  readonly rule_id: number
  /** From 1. */
  readonly version: number
  readonly rule: Rule
}

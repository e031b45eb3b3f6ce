import * as v from 'valibot'
import { EngineError, isWriting, type Operation, omitUndefined, parse } from '../../engine/index.ts'
import { type JsonSchema, jsonSchemaOf, propertiesOf } from '../http/schema.ts'

const controls = v.strictObject({
  confirm: v.exactOptional(
    v.pipe(v.boolean(), v.description('Whether this high-risk call is meant: true carries it out.')),
  ),
  idempotency_key: v.exactOptional(
    v.pipe(
      v.string(),
      v.minLength(1),
      v.maxLength(255),
      v.description('A text of your choice: the same call again under it is not done twice, and gets the same answer.'),
    ),
  ),
  postal_code: v.exactOptional(
    v.pipe(
      v.string(),
      v.maxLength(100),
      v.description('Postal code of the delivery: the answer then has all details.'),
    ),
  ),
})

const shapes = propertiesOf(jsonSchemaOf(controls))

/** Arguments of a tool call besides the input of its operation, with their schemas. */
export type ControlMembers = Readonly<Record<string, JsonSchema>>

/** `confirm` for high-risk tools; `idempotency_key` for authenticated writes; `postal_code` where it opens more of a timeline. */
export function controlMembersOf(operation: Operation): ControlMembers {
  const { risk, scopes, secret = false, hasViews = false, rest } = operation
  const takes: Readonly<Record<string, boolean>> = {
    confirm: risk === 'high',
    idempotency_key: isWriting(operation) && scopes.length > 0 && !secret,
    postal_code: hasViews && rest?.method === 'GET',
  }
  return Object.fromEntries(Object.entries(shapes).filter(([name]) => takes[name] === true))
}

/** The arguments of a call, split into input and control members. */
interface Arguments {
  readonly input: Readonly<Record<string, unknown>>
  readonly confirm: boolean
  readonly idempotencyKey?: string
  readonly postalCode?: string
}

/** Splits the arguments of a call; throws `invalid_input` for an invalid control member. */
export function splitArguments(control: ControlMembers, given: Readonly<Record<string, unknown>>): Arguments {
  const isOwn = ([name]: readonly [string, unknown]) => Object.hasOwn(control, name)
  const all = Object.entries(given)
  const { value, findings } = parse(controls, Object.fromEntries(all.filter(isOwn)))
  if (findings !== undefined) throw new EngineError('invalid_input', { count: findings.length }, findings)
  const { confirm = false, idempotency_key: idempotencyKey, postal_code: postalCode } = value
  const input = Object.fromEntries(all.filter((member) => !isOwn(member)))
  return { input, confirm, ...omitUndefined({ idempotencyKey, postalCode }) }
}

import * as v from 'valibot'
import { EngineError, isWriting, type Operation, parse } from '../../engine/index.ts'
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
})

const shapes = propertiesOf(jsonSchemaOf(controls))

/** Arguments of a tool call besides the input of its operation, with their schemas. */
export type ControlMembers = Readonly<Record<string, JsonSchema>>

/** `confirm` for high-risk tools; `idempotency_key` for authenticated writes. */
export function controlMembersOf(operation: Operation): ControlMembers {
  const { risk, scopes, secret = false } = operation
  const takes: Readonly<Record<string, boolean>> = {
    confirm: risk === 'high',
    idempotency_key: isWriting(operation) && scopes.length > 0 && !secret,
  }
  return Object.fromEntries(Object.entries(shapes).filter(([name]) => takes[name] === true))
}

/** The arguments of a call, split into input and control members. */
export interface Arguments {
  readonly input: Readonly<Record<string, unknown>>
  readonly confirm: boolean
  readonly idempotencyKey?: string
}

/** Splits the arguments of a call; throws `invalid_input` for an invalid `confirm` or key. */
export function splitArguments(control: ControlMembers, given: Readonly<Record<string, unknown>>): Arguments {
  const isOwn = ([name]: readonly [string, unknown]) => Object.hasOwn(control, name)
  const all = Object.entries(given)
  const { value, findings } = parse(controls, Object.fromEntries(all.filter(isOwn)))
  if (findings !== undefined) throw new EngineError('invalid_input', { count: findings.length }, findings)
  const { confirm = false, idempotency_key: idempotencyKey } = value
  const input = Object.fromEntries(all.filter((member) => !isOwn(member)))
  return { input, confirm, ...(idempotencyKey !== undefined && { idempotencyKey }) }
}

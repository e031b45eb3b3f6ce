import * as v from 'valibot'
import { EngineError, isWriting, type Operation, parse } from '../../engine/index.ts'

const confirm = v.pipe(v.boolean(), v.description('Whether this high-risk call is meant: true carries it out.'))
const key = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(255),
  v.description('A text of your choice: the same call again under it is not done twice, and gets the same answer.'),
)

const confirmed = { confirm: v.exactOptional(confirm) }
const keyed = { idempotency_key: v.exactOptional(key) }

/** What a tool call may carry beside the input of its operation. */
export interface Control {
  readonly members: readonly string[]
  readonly schema: v.GenericSchema<{ readonly confirm?: boolean; readonly idempotency_key?: string }>
}

/** `confirm` where the risk is high, `idempotency_key` where somebody known writes. */
export function controlOf(operation: Operation): Control {
  const entries = {
    ...(operation.risk === 'high' && confirmed),
    ...(isWriting(operation) && operation.scopes.length > 0 && operation.secret !== true && keyed),
  }
  return { members: Object.keys(entries), schema: v.strictObject(entries) }
}

/** The arguments of a call, taken apart. */
export interface Arguments {
  readonly input: Readonly<Record<string, unknown>>
  readonly confirm: boolean
  readonly idempotencyKey?: string
}

/** Takes apart what a tool was called with; refuses a `confirm` or a key that is none with `invalid_input`. */
export function takeApart({ members, schema }: Control, given: Readonly<Record<string, unknown>>): Arguments {
  const isOwn = ([name]: readonly [string, unknown]) => members.includes(name)
  const all = Object.entries(given)
  const { value, findings } = parse(schema, Object.fromEntries(all.filter(isOwn)))
  if (findings !== undefined) throw new EngineError('invalid_input', { count: findings.length }, findings)
  const { confirm = false, idempotency_key } = value
  return {
    input: Object.fromEntries(all.filter((member) => !isOwn(member))),
    confirm,
    ...(idempotency_key !== undefined && { idempotencyKey: idempotency_key }),
  }
}

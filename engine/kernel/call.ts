import type { GenericSchema, InferOutput } from 'valibot'
import { type Account, type Module, moduleRow, moduleState } from './account.ts'
import { auditEnd, auditRefusal } from './audited.ts'
import type { Caller, Context } from './context.ts'
import { EngineError } from './errors.ts'
import { isObject } from './members.ts'
import type { Code } from './messages/index.ts'
import type { Answer, Operation } from './operation.ts'
import { parse } from './parse.ts'
import { hiddenFrom, isHidden, pricesIn, withoutPrices } from './prices.ts'
import { type Door, isOutsideKey, isOutsideRole, scopesOfAccount } from './rights.ts'

/** Authorizes the caller and returns the validated input for the handler. Throws `invalid_input` with all findings. */
export function authorizeAndValidate<Input extends GenericSchema, Output extends GenericSchema>(
  operation: Operation<Input, Output>,
  context: Context,
  input: unknown,
): InferOutput<Input> {
  authorize(context, operation)
  const { value, findings } = parse(operation.input, input)
  if (findings !== undefined) throw new EngineError('invalid_input', { count: findings.length }, findings)
  return value
}

/**
 * Runs the handler on validated input, if the caller has access. If prices are hidden from the caller, the answer contains only what the output
 * schema declares and no hidden price; `price_hidden` says that prices are missing, not zero.
 */
export async function executeOperation<Input extends GenericSchema, Output extends GenericSchema>(
  operation: Operation<Input, Output>,
  context: Context,
  value: InferOutput<Input>,
): Promise<Answer> {
  await requireAccess(operation, context, value)
  return visibleAnswer(operation, context, await handled(operation, context, value))
}

/** An answer as the caller may see it: without the prices that are hidden from it. */
export function visibleAnswer<Input extends GenericSchema, Output extends GenericSchema>(
  operation: Operation<Input, Output>,
  context: Context,
  answered: Answer,
): Answer {
  const hidden = hiddenFrom(context.caller)
  if (hidden.length === 0) return answered
  const visible = withoutPrices(operation.output, answered, hidden) as Answer
  return pricesIn(operation.output).some((family) => hidden.includes(family))
    ? { ...visible, price_hidden: true }
    : visible
}

/** The answer of the handler. The security log receives it if the operation is audited, and otherwise only a lack of rights. */
async function handled<Input extends GenericSchema, Output extends GenericSchema>(
  operation: Operation<Input, Output>,
  context: Context,
  value: InferOutput<Input>,
): Promise<Answer> {
  const { audited } = operation
  try {
    const answer = await operation.handle(context, value)
    if (audited !== undefined) await auditEnd(context, audited, value, { answer })
    return answer
  } catch (error) {
    if (audited === undefined) auditRefusal(context, operation, error)
    else await auditEnd(context, audited, value, { error })
    throw error
  }
}

/**
 * The three questions of access, in this order: may the caller call the operation, may it see what the input names by ids, and
 * may it give these members of the input.
 */
async function requireAccess<Input extends GenericSchema, Output extends GenericSchema>(
  operation: Operation<Input, Output>,
  context: Context,
  value: InferOutput<Input>,
): Promise<void> {
  authorize(context, operation)
  for (const [path, named] of Object.entries(operation.ids ?? {})) {
    if (typeof named === 'string') continue
    for (const id of valuesAt(value, path.split('.'))) await named.require(context, id)
  }
  operation.requireFields?.(context, value)
}

/** The values at a path of member names, where `*` is each item of a list. */
function valuesAt(value: unknown, [member, ...rest]: readonly string[]): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (member === undefined) return [value]
  if (member === '*') return Array.isArray(value) ? value.flatMap((item) => valuesAt(item, rest)) : []
  return isObject(value) ? valuesAt(value[member], rest) : []
}

/** Calls an operation: authorizes the caller, validates the input, runs the handler. */
export async function call<Input extends GenericSchema, Output extends GenericSchema>(
  operation: Operation<Input, Output>,
  context: Context,
  input: unknown,
): Promise<Answer> {
  return executeOperation(operation, context, authorizeAndValidate(operation, context, input))
}

/**
 * The first question of access. Refuses a caller without the scopes, whose API key or staff role is narrowed to others, with the wrong role, or whose business does not have the
 * module enabled (`requireModule`). Without `by`, handlers refuse callers without an account.
 */
export function authorize(context: Context, operation: Door): void {
  try {
    requireRights(context, operation)
  } catch (error) {
    auditRefusal(context, operation, error)
    throw error
  }
}

function requireRights(context: Context, operation: Door): void {
  requireScopes(context, operation.scopes)
  requireInside(context, operation)
  requireRole(context, operation)
  const { module, by } = operation
  if (module !== undefined && context.caller.account !== undefined) requireModule(context, module)
  if (by !== undefined) requireParty(context, by)
}

/** Refuses a caller that is not among these: `account_required` for one without an account, `wrong_account` for another. */
function requireParty(context: Context, by: NonNullable<Operation['by']>): void {
  const { account } = context.caller
  if (by.includes(account?.role ?? 'provider')) return
  throw new EngineError('wrong_account', { received: accountOf(context).role, expected: by.join(', ') })
}

/**
 * Refuses a caller that lacks one of the scopes: anonymous callers with `unauthenticated`, all others with
 * `forbidden`.
 */
export function requireScopes(context: Context, scopes: readonly string[]): void {
  if (scopes.every((scope) => context.caller.scopes.includes(scope))) return
  throw new EngineError(context.caller.kind === 'anonymous' ? 'unauthenticated' : 'forbidden', {
    scopes: scopes.join(', '),
  })
}

/** Refuses what the API key or the staff role of the caller is narrowed from. */
export function requireInside({ caller }: Pick<Context, 'caller'>, door: Door): void {
  const operation = door.name ?? 'this'
  if (isOutsideKey(caller, door)) throw new EngineError('outside_key', { operation })
  if (isOutsideRole(caller, door))
    throw new EngineError('outside_role', { operation, role: caller.account?.staffRole?.name ?? '' })
}

/** Refuses other kinds of account with `wrong_account`, and payments when prices are hidden. */
function requireRole({ caller }: Context, { roles, pays }: Pick<Operation, 'roles' | 'pays'>): void {
  const role = caller.account?.role
  if (roles !== undefined && role !== undefined && !roles.includes(role))
    throw new EngineError('wrong_account', { received: role, expected: roles.join(', ') })
  if (isHidden(caller, pays)) throw new EngineError('PRICE_HIDDEN_SETTLE_OFFLINE')
}

/** An account as a caller without a session, and with all scopes that it has. */
export function callerOf(account: Account): Caller {
  return { kind: 'account', name: String(account.id), scopes: scopesOfAccount(account), account }
}

/** The caller's account; refuses callers without one with `account_required`. */
export function accountOf({ caller }: Pick<Context, 'caller'>): Account {
  if (caller.account === undefined)
    throw new EngineError(caller.kind === 'anonymous' ? 'unauthenticated' : 'account_required')
  return caller.account
}

/** The refusals of a module that is not on, and of one that is not migrated; an opt-in family has one for both. */
export function moduleRefusals(module: Module): readonly [off: Code, notMigrated: Code] {
  const isOptIn = moduleRow(module).optInPath !== undefined
  return isOptIn ? ['feature_disabled', 'feature_disabled'] : ['module_disabled', 'module_not_migrated']
}

/** Refuses a caller unless the module is on for its business, as `moduleRefusals` says. */
export function requireModule(context: Pick<Context, 'caller'>, module: Module): void {
  const state = moduleState(accountOf(context).business.modules, module)
  const [off, notMigrated] = moduleRefusals(module)
  if (state !== 'on') throw new EngineError(state === 'not_migrated' ? notMigrated : off, { module })
}

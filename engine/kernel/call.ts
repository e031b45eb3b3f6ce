import type { GenericSchema, InferOutput } from 'valibot'
import type { Account, Module } from './account.ts'
import type { Context } from './context.ts'
import { EngineError } from './errors.ts'
import type { Answer, Operation } from './operation.ts'
import { parse } from './parse.ts'
import { hiddenFrom, isHidden, pricesIn, withoutPrices } from './prices.ts'

/** The one door, first half: checks the caller and the input, and answers the input as the handler may see it. */
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
 * The one door, second half: the handler's answer to an input that was let in. A caller from whom prices are hidden receives
 * what the schema of the output declares and no hidden price; `price_hidden` says that prices are missing, not zero.
 */
export async function executeOperation<Input extends GenericSchema, Output extends GenericSchema>(
  operation: Operation<Input, Output>,
  context: Context,
  value: InferOutput<Input>,
): Promise<Answer> {
  const answered = await operation.handle(context, value)
  const hidden = hiddenFrom(context.caller)
  if (hidden.length === 0) return answered
  const visible = withoutPrices(operation.output, answered, hidden) as Answer
  return pricesIn(operation.output).some((family) => hidden.includes(family))
    ? { ...visible, price_hidden: true }
    : visible
}

/** Calls an operation through the door: who calls, the input, then its handler. */
export async function call<Input extends GenericSchema, Output extends GenericSchema>(
  operation: Operation<Input, Output>,
  context: Context,
  input: unknown,
): Promise<Answer> {
  return executeOperation(operation, context, authorizeAndValidate(operation, context, input))
}

/**
 * Refuses a caller whose input is not to be looked at: without the scopes, of another kind, or of a business for which the
 * module is not on (`module_disabled`, `module_not_migrated`). Who has no account is asked for one by the handler.
 */
export function authorize(context: Context, operation: Pick<Operation, 'scopes' | 'roles' | 'pays' | 'module'>): void {
  requireScopes(context, operation.scopes)
  requireRole(context, operation)
  const { module } = operation
  if (module !== undefined && context.caller.account !== undefined) requireModule(context, module)
}

/** Refuses a caller that lacks one of the scopes: `unauthenticated` for the public, `forbidden` for the known. */
export function requireScopes(context: Context, scopes: readonly string[]): void {
  if (scopes.every((scope) => context.caller.scopes.includes(scope))) return
  throw new EngineError(context.caller.kind === 'anonymous' ? 'unauthenticated' : 'forbidden', {
    scopes: scopes.join(', '),
  })
}

/** Refuses an account of another kind with `wrong_account`, and payment where prices are hidden. */
function requireRole({ caller }: Context, { roles, pays }: Pick<Operation, 'roles' | 'pays'>): void {
  const role = caller.account?.role
  if (roles !== undefined && role !== undefined && !roles.includes(role))
    throw new EngineError('wrong_account', { received: role, expected: roles.join(', ') })
  if (isHidden(caller, pays)) throw new EngineError('PRICE_HIDDEN_SETTLE_OFFLINE')
}

/** The account that calls; refuses whoever has none with `account_required`. */
export function accountOf({ caller }: Pick<Context, 'caller'>): Account {
  if (caller.account === undefined)
    throw new EngineError(caller.kind === 'anonymous' ? 'unauthenticated' : 'account_required')
  return caller.account
}

/** Refuses with `module_disabled` or `module_not_migrated` where a module is not on for the business of the caller. */
export function requireModule(context: Pick<Context, 'caller'>, module: Module): void {
  const state = accountOf(context).business.modules[module] ?? 'off'
  if (state === 'not_migrated') throw new EngineError('module_not_migrated', { module })
  if (state !== 'on') throw new EngineError('module_disabled', { module })
}

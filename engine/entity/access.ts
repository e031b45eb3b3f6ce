import { accountOf, requireEntry } from '../kernel/call.ts'
import type { Context } from '../kernel/context.ts'
import { type Decider, fold } from '../kernel/decider.ts'
import { EngineError } from '../kernel/errors.ts'
import type { Finding } from '../kernel/finding.ts'
import type { Operation } from '../kernel/operation.ts'
import { isSeenBy, ownedBy, partyOf } from '../kernel/party.ts'
import type { StreamName } from '../kernel/stream.ts'
import type { AccessRule, Entity, Party, StateOf, Table, Values, View } from './field.ts'
import { givenFields } from './input.ts'
import type { EntityEvent } from './machine.ts'

/** An entity and its decider. */
export interface Kind<E extends Entity = Entity> {
  readonly entity: E
  readonly decider: Pick<Decider<StateOf<E> | undefined, never, EntityEvent>, 'initial' | 'evolve'>
}

/** What a caller asks of an entity. */
export interface Request {
  readonly operation: Pick<Operation, 'scopes' | 'roles' | 'pays' | 'module'>
  readonly by: readonly Party[]
  readonly id: number
  readonly move?: string
  readonly given?: Values
}

/**
 * The three questions of access, in this order: may the caller call the operation, does the entity belong to the caller, and
 * does the table let the caller give these fields. Answers the entity; refuses with the codes of the door, with the entity's
 * own code for a missing one (which it also uses for one that belongs to somebody else), and with `only_staff`.
 */
export async function authorized<E extends Entity>(
  context: Context,
  kind: Kind<E>,
  request: Request,
): Promise<StateOf<E>> {
  requireEntry(context, request.operation)
  requireParty(context, request.by)
  const state = await loadEntity(context, kind, request.id)
  const { access, refusals } = kind.entity
  if (state === undefined || !access.belongs(context, state))
    throw new EngineError(refusals.missing, { [refusals.param]: request.id })
  requireFields(context, kind.entity, request.move ?? '', request.given ?? {})
  return state
}

/** Refuses a caller that is not among these: `account_required` for one without an account. */
export function requireParty(context: Pick<Context, 'caller'>, by: readonly Party[]): void {
  const isProvider = context.caller.account === undefined
  if (isProvider && !by.includes('provider')) accountOf(context)
}

/** The caller as tables name it. */
export function readerOf({ caller }: Pick<Context, 'caller'>): Party {
  return caller.account?.role ?? 'provider'
}

/** The caller as a reader of records, in the time zone of its business; UTC where it has none. */
export function viewOf(context: Pick<Context, 'caller'>): View {
  return { reader: readerOf(context), timeZone: context.caller.account?.business.timeZone ?? 'UTC' }
}

/** Refuses fields that the caller may not give. */
export function requireFields(
  context: Pick<Context, 'caller'>,
  entity: Pick<Table, 'fields'>,
  move: string,
  given: Values,
): void {
  const refused = givenFields(entity, move).filter(
    ([name, { setBy }]) => given[name] !== undefined && !setBy.includes(readerOf(context)),
  )
  const findings = refused.map(([path]): Finding => ({ path, code: 'only_staff' }))
  if (findings.length > 0) throw new EngineError('invalid_input', { count: findings.length }, findings)
}

/** The stream of an entity. */
export function streamOf({ category }: Pick<Entity, 'category'>, id: number): StreamName {
  return `${category}-${id}`
}

/** An entity by its id, whoever asks; nothing where there is none. */
export async function loadEntity<E extends Entity>(
  { store }: Pick<Context, 'store'>,
  { entity, decider }: Kind<E>,
  id: number,
): Promise<StateOf<E> | undefined> {
  return fold(decider, (await store.read(streamOf(entity, id))) as readonly EntityEvent[])
}

/** What belongs to a business and one of its providers: staff see those of their business, a provider its own there. */
export const ofBusinessAndProvider: AccessRule = {
  belongs: (context, { business_id, provider }) =>
    isSeenBy(partyOf(context), { businessId: Number(business_id), provider: String(provider) }),
  cells: ownedBy,
}

import { accountOf, authorize } from '../kernel/call.ts'
import type { Context } from '../kernel/context.ts'
import { type Decider, fold } from '../kernel/decider.ts'
import { EngineError } from '../kernel/errors.ts'
import type { Finding } from '../kernel/finding.ts'
import type { Operation } from '../kernel/operation.ts'
import { isSeenBy, ownedBy, partyOf } from '../kernel/party.ts'
import type { StreamName } from '../kernel/stream.ts'
import type { AccessRule, Entity, Party, StateOf, Table, Values, View } from './field.ts'
import { inputFields, inputValue } from './input.ts'
import { type EntityEvent, ofOne } from './machine.ts'

/** An entity and its decider. */
export interface Kind<E extends Entity = Entity> {
  readonly entity: E
  readonly decider: Pick<Decider<StateOf<E> | undefined, never, EntityEvent>, 'initial' | 'evolve'>
  /** Finds the stream of an entity whose stream has others too; each event there has the id. */
  streamOf?(context: Pick<Context, 'models'>, id: number): Promise<StreamName | undefined>
}

/** What a caller asks of an entity. */
export interface Request {
  readonly operation: Pick<Operation, 'scopes' | 'roles' | 'pays' | 'module'>
  readonly by: readonly Party[]
  readonly id: number
  readonly move?: string
  readonly input?: Values
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
  authorize(context, request.operation)
  requireParty(context, request.by)
  const state = await loadEntity(context, kind, request.id)
  const { access, refusals } = kind.entity
  if (state === undefined || !access.belongs(context, state))
    throw new EngineError(refusals.missing, { [refusals.param]: request.id })
  requireFields(context, kind.entity, request.move ?? '', request.input ?? {})
  return state
}

/** Refuses a caller that is not among these: `account_required` for one without an account, `wrong_account` for another. */
export function requireParty(context: Pick<Context, 'caller'>, by: readonly Party[]): void {
  const party = readerOf(context)
  if (by.includes(party)) return
  const { role } = accountOf(context)
  throw new EngineError('wrong_account', { received: role, expected: by.join(', ') })
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
  entity: Pick<Table, 'fields' | 'parts'>,
  move: string,
  input: Values,
): void {
  const refused = inputFields(entity, move).filter(
    ([name, field]) => inputValue(name, field, input) !== undefined && !field.setBy.includes(readerOf(context)),
  )
  const findings = refused.map(([name, { inputAs: path = name }]): Finding => ({ path, code: 'only_staff' }))
  if (findings.length > 0) throw new EngineError('invalid_input', { count: findings.length }, findings)
}

/** The stream of an entity. */
export function streamOf({ category }: Pick<Entity, 'category'>, id: number): StreamName {
  return `${category}-${id}`
}

/** The stream that has an entity; nothing where it is known that there is none. */
export async function findStream<E extends Entity>(
  context: Pick<Context, 'models'>,
  kind: Pick<Kind<E>, 'entity' | 'streamOf'>,
  id: number,
): Promise<StreamName | undefined> {
  return kind.streamOf === undefined ? streamOf(kind.entity, id) : kind.streamOf(context, id)
}

/** An entity by its id, whoever asks; nothing where there is none. */
export async function loadEntity<E extends Entity>(
  context: Pick<Context, 'store' | 'models'>,
  kind: Kind<E>,
  id: number,
): Promise<StateOf<E> | undefined> {
  const stream = await findStream(context, kind, id)
  if (stream === undefined) return undefined
  const { entity, decider } = kind
  const one = { ...decider, evolve: ofOne(entity, decider.evolve, id) }
  return fold(one, (await context.store.read(stream)) as readonly EntityEvent[])
}

/** What belongs to a business and one of its providers: staff see those of their business, a provider its own there. */
export const ofBusinessAndProvider: AccessRule = {
  belongs: (context, { business_id, provider }) =>
    isSeenBy(partyOf(context), { businessId: Number(business_id), provider: String(provider) }),
  cells: ownedBy,
}

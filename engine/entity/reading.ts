import * as v from 'valibot'
import { moduleRefusals } from '../kernel/call.ts'
import type { Context } from '../kernel/context.ts'
import type { Code } from '../kernel/messages/index.ts'
import { exampled, named } from '../kernel/named.ts'
import { type Operation, operation } from '../kernel/operation.ts'
import { pageAnswerEntries, pageEntries, pageOf } from '../kernel/paging.ts'
import type { ReadModel, Row } from '../kernel/read-model.ts'
import { id as idSchema, refusingMember } from '../kernel/schemas.ts'
import { type Kind, loadEntity, loadOwn, ownId, viewOf } from './access.ts'
import { changedRows, followedEntries, followingEntries, followingOf, followingProblem } from './changed.ts'
import type { Api, Entity, Party, Values } from './field.ts'
import { described } from './input.ts'
import { changeColumns, listedOf, rowOf } from './list.ts'
import { besideRecord, idEntries, listedSchemaOf, recordName, recordOf, recordSchemaOf } from './record.ts'

/** The operations of an entity for accounts, or its own for providers. */
export type Door = 'api' | 'providerApi'

/** Where the operations of a door are found. */
export function apiOf(entity: Entity, door: Door): Api {
  return entity[door] ?? entity.api
}

/** The operation that lists entities, newest first. */
export function listOperation<E extends Entity>(kind: Kind<E>, model: ReadModel, door: Door): Operation {
  const { entity } = kind
  const { read, list, many, path, ...api } = apiOf(entity, door)
  const filters = Object.entries(entity.fields).filter(
    ([, { listed, setBy }]) =>
      (listed === 'filter' || listed === 'hidden filter') && setBy.some((party) => read.by.includes(party)),
  )
  const entries = filters.map(([name, { type, about }]) => [name, v.exactOptional(described(type, about))] as const)
  const ids = filters.flatMap(([name, { names }]) => (names === undefined ? [] : [[name, 'filter'] as const]))
  const isFollowed = Object.hasOwn(model.columns, changeColumns.position)
  const followed: v.ObjectEntries = isFollowed ? followedEntries : {}
  return operation({
    ...{ name: list.operation, summary: list.summary, scopes: [read.scope], ...callersIn(read.by), risk: 'low' },
    ...familyOf(api),
    input: listingOf(isFollowed, Object.fromEntries(entries)),
    ids: Object.fromEntries(ids),
    output: v.strictObject({
      result: v.literal(true),
      ...pageAnswerEntries,
      ...followed,
      [many]: v.array(
        list.shows === 'records' ? recordSchemaOf(entity, [], recordName(entity)) : listedSchemaOf(entity),
      ),
    }),
    errors: entryErrors(api),
    rest: { method: 'GET', path },
    ...(door === 'api' && { page: entity.noun }),
    handle: async (context, { page, per_page, sort = '-created_at', updated_since, cursor, ...filter }: Listing) => {
      // A row has the cells of the caller and those that the filters ask for: neither replaces the other.
      const among = Object.fromEntries(Object.entries(rowOf(filter)).map(([name, cell]) => [name, [cell]]))
      const condition = { where: entity.access.cells(context), among }
      const { range, paging } = pageOf({ ...(page && { page }), ...(per_page && { per_page }) })
      const following = followingOf(context, changeColumns, { updated_since, cursor })
      const order = {
        newestFirst: sort.startsWith('-'),
        ...(sort.endsWith('updated_at') && { orderBy: changeColumns.position }),
      }
      const { rows, total, ...more } =
        following === undefined
          ? await context.models.page(model, { ...condition, ...order, ...range })
          : await changedRows(context, model, changeColumns, condition, following, range.limit)
      const shown =
        list.shows === 'records'
          ? await recordsOf(context, kind, rows)
          : rows.map((row) => listedOf(entity, row, viewOf(context)))
      return { result: true, total, ...paging, [many]: shown, ...more }
    },
  })
}

async function recordsOf<E extends Entity>(context: Context, kind: Kind<E>, rows: readonly Row[]) {
  const { entity } = kind
  const found = await Promise.all(rows.map((row) => loadEntity(context, kind, Number(row[entity.id]))))
  return found.filter((state) => state !== undefined).map((state) => recordOf(entity, state, viewOf(context)))
}

/** A page of a list, and the values that its filters ask for. */
type Listing = Values & {
  readonly page?: number
  readonly per_page?: number
  readonly sort?: string
  readonly updated_since?: string
  readonly cursor?: string
}

/** The input of a list: its filters, and which page of it, in which order, or what has changed. */
function listingOf(isFollowed: boolean, filters: v.ObjectEntries): v.GenericSchema<Listing> {
  const sorts = ['-created_at', 'created_at', '-updated_at', 'updated_at'] as const
  const schema: v.GenericSchema = isFollowed
    ? v.pipe(
        v.strictObject({ ...filters, ...followingEntries(sorts) }),
        refusingMember((input) => followingProblem(input)),
      )
    : v.strictObject({ ...filters, ...pageEntries })
  return schema as v.GenericSchema<Listing>
}

/** The operation that reads one entity, if there is one. */
export function getOperation<E extends Entity>(kind: Kind<E>, door: Door): readonly Operation[] {
  const { entity } = kind
  const { read, get, one, path, ...api } = apiOf(entity, door)
  if (get === undefined) return []
  const own = operation({
    ...{ name: get.operation, summary: get.summary, scopes: [read.scope], ...callersIn(read.by), risk: 'low' },
    ...familyOf(api),
    input: v.strictObject(idEntry(entity)),
    ids: { [entity.id]: ownId(kind) },
    output: v.strictObject({
      ...(one === undefined
        ? recordAnswer(entity).entries
        : wrapped(one, recordSchemaOf(entity, [], recordName(entity)))),
      ...recordSchemaOf(besideRecord(entity)).entries,
    }),
    errors: [...entryErrors(api), entity.refusals.missing],
    rest: { method: 'GET', path: `${path}/{${entity.id}}` },
    handle: async (context, { [entity.id]: id }: Values) => {
      const { state } = await loadOwn(context, kind, Number(id))
      const view = viewOf(context)
      const record = recordOf(entity, state, view)
      const beside = recordOf(besideRecord(entity), state, view)
      return { result: true, ...(one === undefined ? record : { [one]: record }), ...beside }
    },
  })
  return [own]
}

function wrapped(one: string, record: v.GenericSchema): v.ObjectEntries {
  return { result: v.literal(true), [one]: record }
}

/** The schema of an answer that is the record itself. */
export function recordAnswer(entity: Entity): v.StrictObjectSchema<v.ObjectEntries, undefined> {
  const record = recordSchemaOf(entity, [], recordName(entity))
  return named(`${recordName(entity)}Answer`, v.strictObject({ result: v.literal(true), ...record.entries }))
}

/** What operations of a kind have in common in lists. */
export function familyOf({ tag, module }: Pick<Api, 'tag' | 'module'>) {
  return { tag, ...(module && { module }) }
}

/** What the door of operations refuses with: an account is needed, which has the module if they are of one. */
export function entryErrors({ module }: Pick<Api, 'module'>): readonly Code[] {
  return module === undefined ? ['account_required'] : moduleRefusals(module)
}

/** Who may call an operation. */
export function callersIn(by: readonly Party[]): Pick<Operation, 'roles' | 'by'> {
  const roles = by.filter((party) => party !== 'provider')
  return roles.length === 0 ? { by } : { roles, by }
}

/** The member of a path that names an entity. */
export function idEntry({ id, fields }: Entity): v.ObjectEntries {
  return { [id]: exampled(described(idSchema, fields[id]?.about ?? ''), fields[id]?.example) }
}

/** The members of an answer that says how an entity is: its id and its status. */
export function statusAnswer({ id, fields, statuses }: Entity) {
  const any: v.GenericSchema = exampled(v.picklist(Object.keys(statuses)), fields.status?.example)
  return { ...idEntries(id, exampled(v.number(), fields[id]?.example)), status: any }
}

/** How an entity is, as answers say it. */
export function statusOf({ id }: Pick<Entity, 'id'>, state: Values): Values {
  return { result: true, id: state[id], [id]: state[id], status: state.status }
}

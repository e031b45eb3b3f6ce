import type * as v from 'valibot'
import { type Family, type Module, type Role, roles } from '../kernel/account.ts'
import type { Context } from '../kernel/context.ts'
import type { Code } from '../kernel/messages/index.ts'
import type { IdUse, NamedId } from '../kernel/operation.ts'
import type { Row } from '../kernel/read-model.ts'

/** A reader or a writer of fields: an account by its role, or a provider. */
export type Party = Role | 'provider'

/** Every account and every provider. */
export const everybody: readonly Party[] = [...roles, 'provider']

/** A field for the engine alone. */
export const nobody: readonly [] = []

/**
 * How a move sets a field:
 * - `required`, `optional`: the caller gives it; `required` with a type: within narrower bounds than those of the field;
 * - `defaulted`: the caller may give it, and else a rule does; `kept`: the caller may give it, and else it stays as it was; an event that says null takes it away;
 * - `engine`: a rule gives it; `sometimes`: a rule gives it in some cases; `repeated`: the event repeats it, as it was;
 * - `now`: the time of the event; `cleared`: no value; `is`: this value. The event does not repeat these; `of`: made from the data of the event and the state before it;
 * - `input`: the caller gives a change. The event records it under the name of the field, and `of` makes the new value from it.
 */
export type Setting =
  | Recorded
  | 'now'
  | 'cleared'
  | { readonly is: string | number | boolean | readonly [] | Values }
  | { readonly required: v.GenericSchema }
  | { of(data: never, before: never): unknown }
  | Change

type Recorded = 'required' | 'optional' | 'defaulted' | 'kept' | 'engine' | 'sometimes' | 'repeated'

/** A change of a field: its type, its sentence and an example, and the value that follows from it. */
export interface Change {
  readonly input: v.GenericSchema
  readonly about: string
  readonly example: unknown
  of(data: never, before: never): unknown
}

/** Who reads an entity, and in which time zone (IANA name). */
export interface View {
  readonly reader: Party
  readonly timeZone: string
}

/** A member of webhook events that is made of a field. */
interface WebhookMember extends Pick<Field, 'type' | 'always'> {
  readonly name: string
  of(state: never, view: View): unknown
}

/** A fact about an entity, with every decision about it. A field without a decision does not compile. */
export interface Field<Move extends string = string> {
  /** Type and bounds of the value, as events record it and answers show it. */
  readonly type: v.GenericSchema
  /** One sentence for the documentation. */
  readonly about: string
  readonly example: unknown
  /** Whether it tells something of a person: it is then sealed in the store and erased with the person. */
  readonly personal: boolean
  /** The order family whose price it is. */
  readonly price: Family | 'none'
  /** How each move sets it; `*` means every move. */
  readonly set: { readonly [Name in Move | '*']?: Setting }
  /** Who may give it in a request. */
  readonly setBy: readonly Party[]
  /** Whether a copy takes it over, such as the order that a reroute creates. */
  readonly carried: boolean
  /** Who reads it in answers. */
  readonly shownTo: readonly Party[]
  /** Where answers have it, as `distribution.status`; under its own name where absent. */
  readonly shownAs?: string
  /** Where requests have it, as `order.delivery`; under its own name where absent. */
  readonly inputAs?: string
  /** How answers and events show it where it is missing, if not as the table says. */
  readonly missing?: 'null' | 'left out'
  /** Whether answers that read one entity, and webhook events, show it beside the record and not in it. Other answers do not show it. */
  readonly beside?: true
  /** Lists show it and filter by it (`filter`), only filter by it (`hidden filter`) or only show it (`column`); a `key` is for the engine. */
  readonly listed: 'filter' | 'hidden filter' | 'column' | 'key' | 'no'
  /** The webhook events that carry it. */
  readonly webhooks: 'all' | 'none' | readonly string[]
  /** How webhook events carry it, where that differs from answers. */
  readonly webhookAs?: WebhookMember
  /** The value that a reader sees, where it is not the stored one or is made from other fields; missing where undefined. */
  of?(state: never, view: View): unknown
  /** Whether the value that `of` makes is never missing. */
  readonly always?: true
  /** What it names by an id; the caller who gives it must be allowed to see that. */
  readonly names?: NamedId | IdUse
  /** A form that is easier to give than `type`, and what is stored of it. */
  readonly input?: { readonly type: v.GenericSchema; stored(input: never): unknown }
}

/** The fields of an entity by their names. `status` is one of them, and is set by the `to` of the moves. */
export type Fields<Move extends string> = Readonly<Record<string, Field<Move>>>

/** A step of an entity: the statuses it is possible in, and the event that records it. */
export interface Move<Status extends string = string> {
  /** `nothing` before the entity exists; `any` in every status. */
  readonly from: readonly Status[] | 'nothing' | 'any'
  /** The status after it; the same as before where absent. */
  readonly to?: Status
  /** The statuses in which it changes nothing, as it is done already or comes too late; `others`: all but those of `from`. */
  readonly ignoredIn?: readonly Status[] | 'others'
  /** The type of its event. */
  readonly event: string
  /** The member of its event that says when it was made; `at` where absent. */
  readonly timeAs?: string
  /** Values that its event always has. They tell moves with the same event or the same operation apart. */
  readonly says?: Readonly<Record<string, string>>
  /** Whether it erases what the entity tells of people. Once that is done, nothing follows. */
  readonly erases?: true
  /** Fields that lists show as missing after it, while the record keeps their last value. */
  readonly unlists?: readonly string[]
  /** The operation that makes it. */
  readonly call?: MoveCall
  /** The operation of `providerApi` that makes it. */
  readonly providerCall?: MoveCall
  /** The webhook event that reports it. */
  readonly webhook?: MoveWebhook
}

/** The webhook event that reports a move. */
export interface MoveWebhook {
  readonly event: string
  readonly summary: string
  /** The member that has the part which the move is about, and the list of the entity that has the part. */
  readonly part?: { readonly as: string; readonly of: string }
}

/** How callers make a move. */
export interface MoveCall {
  /** As `load_carrier_package`. Callers of an operation that several moves share choose one by what it `says`. */
  readonly operation: string
  /** The last part of the path, as `load`; none for the move that creates the entity. */
  readonly verb?: string
  readonly summary: string
  readonly by: readonly Party[]
  /** `medium` where absent. */
  readonly risk?: 'low' | 'high'
  /** The scope that it takes, where that is not `write` of the operations. */
  readonly scope?: string
  /** Members of a request that no field has, such as a code that is compared and not kept. */
  readonly asks?: v.ObjectEntries
  /** What it answers beside the id and the status. */
  readonly answers?: v.ObjectEntries
  /** Whether it does not answer the status. */
  readonly hidesStatus?: true
  /** Whether its input or its answer holds a secret: no call of it is then kept under an idempotency key. */
  readonly secret?: true
  /** Refusals of the rules of this move. */
  readonly errors?: readonly Code[]
  /** The order family that it pays for; `payingOperations` makes its operation. */
  readonly pays?: Family
}

/** The moves of an entity by their names. */
export type Moves<Status extends string> = Readonly<Record<string, Move<Status>>>

/** What one kind of thing is and how it moves. Everything else is derived from this table. */
export interface Table extends Part {
  /** The category of its streams, as `carrier_package`. */
  readonly category: string
  /** What people call it, as `carrier package`. */
  readonly noun: string
  /** The field that names it. */
  readonly id: string
  /** To whom one belongs; absent if no caller names one by its id. */
  readonly access?: AccessRule
  /** The codes of its refusals, and the name of the parameter that has its id in their messages. */
  readonly refusals?: { readonly missing: Code; readonly forbidden: Code; readonly param: string }
}

/** A thing that may be in a list of another one, such as an amendment of a handoff. */
export interface Part {
  /** The field that names it, where events do. */
  readonly id?: string
  /** Whether answers that read one entity show its parts of this kind beside the record and not in it. */
  readonly beside?: true
  /** Who reads it at all; everybody where absent. */
  readonly readers?: readonly Party[]
  /** The statuses and what each means. */
  readonly statuses: Readonly<Record<string, string | { readonly meaning: string; readonly id?: number }>>
  readonly moves: Readonly<Record<string, Move>>
  readonly fields: Readonly<Record<string, Field>>
  /** How answers and events show a missing value; a personal one is always left out. */
  readonly missing: 'null' | 'left out'
  /** Whether its events record the status before and after them, as `from` and `to`. */
  readonly recordsStatus?: true
  /** What the groups of `shownAs` hold, as `distribution`. */
  readonly groups?: Readonly<Record<string, string>>
  /** Its lists of parts, which its own moves add and move: those that a part has under the same names. */
  readonly parts?: Readonly<Record<string, Part>>
}

/** A table whose moves are decided and whose rows are listed. */
export interface Listed extends Table {
  readonly refusals: NonNullable<Table['refusals']>
  /** The columns that lists are looked up by, beside the id. */
  readonly indexes: readonly (readonly string[])[]
  /** Grows with every change of what lists hold; the lists are then built again. */
  readonly listVersion: number
}

/** A table whose operations, lists and refusals are all derived. */
export interface Entity extends Listed {
  readonly access: AccessRule
  /** Its operations. */
  readonly api: Api
  /** Its operations for providers, where those have their own. */
  readonly providerApi?: Api
}

/** Where the operations of an entity are found. The `forms` of `get` are those on one that are no moves, and have a form on its pages. */
export interface Api {
  /** The family of its operations in lists. */
  readonly tag: string
  /** As `/api/v1/carrier-packages`. */
  readonly path: `/${string}`
  /** The members of answers that hold one and many. Without `one`, reads and moves answer the record itself. */
  readonly one?: string
  readonly many: string
  readonly read: { readonly scope: string; readonly by: readonly Party[] }
  readonly write: { readonly scope: string }
  /** The module that its operations are. */
  readonly module?: Module
  /** The operation that lists entities: the fields that the table lists, or whole records. */
  readonly list: { readonly operation: string; readonly summary: string; readonly shows?: 'records' }
  readonly get?: { readonly operation: string; readonly summary: string; readonly forms?: readonly string[] }
}

/** To whom an entity belongs: the second of the three questions of access. */
export interface AccessRule {
  /** Whether the caller may see an entity in this state. */
  belongs(context: Pick<Context, 'caller'>, state: Values): boolean
  /** The cells of the listed entities that the caller may see. */
  cells(context: Pick<Context, 'caller'>): Row
}

type Created<E extends Part> = {
  [Name in keyof E['moves']]: E['moves'][Name]['from'] extends 'nothing' ? Name : never
}[keyof E['moves']]

type Present = Required | 'defaulted' | 'engine' | 'now' | { readonly is: unknown } | Change

/** How a move sets a field that the caller has to give. */
export type Required = 'required' | { readonly required: v.GenericSchema }

/** The fields that have a value from the beginning to the end; personal ones are erased. */
export type AlwaysSet<E extends Part> = {
  [Name in keyof E['fields']]: E['fields'][Name] extends {
    readonly personal: false
    readonly set: { readonly [Move in Created<E>]: Present }
  }
    ? 'cleared' extends E['fields'][Name]['set'][keyof E['fields'][Name]['set']]
      ? never
      : Name
    : never
}[keyof E['fields']]

/** The value of a field. */
export type ValueOf<F> = F extends { readonly type: infer Schema extends v.GenericSchema }
  ? v.InferOutput<Schema>
  : never

/** An entity as its events have left it: a value for each field, by its name; a missing one is undefined. */
export type StateOf<E extends Part> = {
  readonly [Name in Exclude<AlwaysSet<E>, 'status'>]: NonNullable<ValueOf<E['fields'][Name]>>
} & {
  readonly [Name in Exclude<keyof E['fields'], AlwaysSet<E> | 'status'>]?:
    | NonNullable<ValueOf<E['fields'][Name]>>
    | undefined
} & {
  readonly status: keyof E['statuses'] & string
  /** Whether what it tells of people was erased. */
  readonly isErased: boolean
} & {
  readonly [List in keyof PartsOf<E>]: PartsOf<E>[List] extends Part ? readonly StateOf<PartsOf<E>[List]>[] : never
}

/** The parts of an entity by their lists. */
export type PartsOf<E extends Part> = E extends { readonly parts: infer Parts extends Readonly<Record<string, Part>> }
  ? Parts
  : Record<never, never>

/** The name of a move of an entity. */
export type MoveOf<E extends Part> = keyof E['moves'] & string

/** The setting of a field by a move; nothing where the move leaves the field as it is. */
export function settingOf({ set }: Field, move: string): Setting | undefined {
  return Object.hasOwn(set, move) ? set[move] : set['*']
}

/** Values of fields by their names. */
export type Values = Readonly<Record<string, unknown>>

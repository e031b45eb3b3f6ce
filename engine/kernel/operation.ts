import type { GenericSchema, InferOutput } from 'valibot'
import type { Family, Module, Role } from './account.ts'
import type { Concerned } from './audit.ts'
import type { Context } from './context.ts'
import type { Code } from './messages/index.ts'
import type { Representation } from './projection.ts'
import type { StreamName } from './stream.ts'

/** The version of an answer. */
export interface AnswerVersion {
  /** The same as long as the answer is the same. */
  readonly text: string
  /** The streams that decide the answer: it is valid until one of them grows. Absent if it may depend on more. */
  readonly streams?: readonly StreamName[] | undefined
}

/**
 * The HTTP route of an operation. `{name}` in the path is a member of the input; `{name...}` is the rest of the path.
 */
export interface RestRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: `/${string}`
  /** The input member that gets the whole body; if absent, the body's members are members of the input. */
  readonly document?: string
  /** Whether the body may be NDJSON; the member is then `{lines: [...]}`. */
  readonly lines?: boolean
  /** Largest body in bytes; 64 KiB if absent. */
  readonly bodyLimit?: number
  /** Accepted media types of the body; JSON types are parsed, others are read as text. JSON only if absent. */
  readonly types?: readonly string[]
  /** Whether the body is bytes, which become a member in base64. */
  readonly isBinary?: boolean
  /** Request headers that become members of the input: `{member: 'Header-Name'}`. */
  readonly headers?: Readonly<Record<string, string>>
  /** The input member that gets all request headers, by their names in lower case, but those with credentials of this server. */
  readonly allHeaders?: string
  /** Response headers that repeat request headers, with their default values; an empty default sends no header. */
  readonly echoed?: Readonly<Record<string, string>>
  /** Whether and how the body can be processed in parts. */
  readonly parts?: PartsRule
  /** `Cache-Control` of the response; `no-store` if absent. */
  readonly cache?: string
  /** Whether `Accept` may choose the input's `format`: for `one` document, also without an envelope, or for `many`. */
  readonly formats?: 'one' | 'many'
  /** Sends the answer, and those that follow it, as a table; refusals are as of any other operation. */
  readonly csv?: CsvRoute
  /** Whether `data` is sent without the envelope, in the media type of its `format`. */
  readonly bare?: boolean
}

/** How answers become one text in CSV: each is asked for with `asks`, which is what the one before says in `tells`. */
interface CsvRoute {
  readonly columns: readonly string[]
  /** The member of an answer that has the rows, which have their cells by column. */
  readonly rows: string
  readonly asks: string
  /** Absent in the last answer. */
  readonly tells: string
  /** The name that the file is saved under, without its ending. */
  readonly file: string
}

/** When a JSON body is processed in parts while it arrives, and how large it may then be. */
export interface PartsRule {
  /** Paths of the lists that are split: `body.events`. */
  readonly lists: readonly string[]
  /** The input member and value that ask for it. */
  readonly where: readonly [member: string, value: string]
  /** In bytes. */
  readonly bodyLimit: number
}

/** Some items of a long list in a document, with the members before it. */
export interface BodyPart {
  /** The members of the document so far; all members in the last part, which has no items. */
  readonly document: Readonly<Record<string, unknown>>
  readonly list: string
  /** Index of the first item in the whole list. */
  readonly offset: number
  readonly items: readonly unknown[]
  /** The document with these items as its list. */
  with(items: readonly unknown[]): unknown
}

/** A body that arrives in parts. */
export interface PartedBody {
  readonly parts: AsyncIterable<BodyPart>
}

/** Whether a body arrives in parts; no JSON value looks like one. */
export function isPartedBody(body: unknown): body is PartedBody {
  if (typeof body !== 'object' || body === null || !('parts' in body)) return false
  return typeof body.parts === 'object' && body.parts !== null && Symbol.asyncIterator in body.parts
}

/** The body of an answer. A refusal with more details has `result: false` and a `code`. */
export type Answer = Readonly<Record<string, unknown>>

/** What an id in an input names, and how it is checked. */
export interface NamedId {
  /** As `order`. */
  readonly noun: string
  /** Refuses an id that the caller may not see, as one that does not exist. */
  require(context: Context, id: unknown): Promise<unknown>
}

/**
 * An id in an input that is not refused before the handler runs:
 * - `filter`: it narrows a list of what the caller may see;
 * - `each`: it is one of several, and the answer or a finding says which are refused;
 * - `part`: it names a part of what another id names, and is looked for there alone;
 * - `rule`: a rule of the operation checks it, with its own refusal;
 * - `external`: another system gave it, and it names nothing here.
 */
const idUses = ['filter', 'each', 'part', 'rule', 'external'] as const

/** A use of an id that the handler or nobody checks. */
export type IdUse = (typeof idUses)[number]

/** What the ids in an input name, by their paths: `order_id`, `order_ids.*`, `orders.*.customer_id`. */
export type Ids = Readonly<Record<string, NamedId | IdUse>>

/** What the security log says of every call of an operation that reaches its handler. */
export interface Audited<Input extends GenericSchema = GenericSchema> {
  /** The name of the entry. */
  event(input: InferOutput<Input>): string
  /** Whom it concerns; `answer` is missing if the call was refused. */
  concerned?(context: Context, input: InferOutput<Input>, answer?: Answer): Concerned | Promise<Concerned>
}

/** Something that a caller can request. REST, OpenAPI, MCP and the CLI are derived from it by plain loops. */
export interface Operation<Input extends GenericSchema = GenericSchema, Output extends GenericSchema = GenericSchema> {
  /** Snake case, as in the catalogue; also the OpenAPI `operationId`. */
  readonly name: string
  readonly summary: string
  /** Required scopes, all of them; empty for public operations. */
  readonly scopes: readonly string[]
  readonly risk: 'low' | 'medium' | 'high'
  readonly input: Input
  readonly output: Output
  /** Possible error codes, in addition to the general ones. */
  readonly errors: readonly Code[]
  readonly rest?: RestRoute
  /**
   * Kinds of account that may call it; all kinds with the scopes if absent. Callers without an account (providers,
   * operators) are not restricted.
   */
  readonly roles?: readonly Role[]
  /** The accounts and providers that may call it, if it tells them apart; `roles` are then the accounts among them. */
  readonly by?: readonly (Role | 'provider')[]
  /** What the ids in its input name. The caller must be allowed to see it. */
  readonly ids?: Ids
  /** Refuses members of the input that the caller may not give. */
  requireFields?(context: Context, input: InferOutput<Input>): void
  /** The module that it belongs to; refused if the module is not on for the caller's business. */
  readonly module?: Module
  /** Its group in lists of operations, for example `Device Orders`. */
  readonly tag?: string
  /** Whether it changes anything; if absent, true unless the risk is low. */
  readonly writes?: boolean
  /** Whether its input or answer contains a secret; such calls are not stored under an idempotency key. */
  readonly secret?: boolean
  /** Whether anybody may call it, and some callers see more than others. */
  readonly hasViews?: boolean
  /** What the security log says of its calls, beside refusals for lack of credentials or rights. */
  readonly audited?: Audited<Input>
  /** The limit that its calls count against, if it is not that of all calls with the same scopes. */
  readonly limit?: 'batch' | 'validate'
  /** How many things that an answer was to contain were not found; for lookups of many things. */
  misses?(answer: Answer): number
  /** The order family that it pays for online; refused for customers from whom its prices are hidden. */
  readonly pays?: Family
  /** Its description for agents; not an MCP tool if absent. */
  readonly mcp?: Tool
  /**
   * What people call one of the things that it lists, as `exchange rate`. They have pages: a list, one for each thing, and a form for
   * each operation below the path of the list. None if absent.
   */
  readonly page?: string
  /** The member of its answer that has a file in base64, whose media type is `media_type`; none if absent. */
  readonly file?: string
  /** Its GraphQL field; none if absent. */
  readonly graphql?: { readonly kind: 'query' | 'mutation'; readonly name: string }
  /**
   * Prepares the version of what `handle` would answer. The result tells the current one, to this caller or to another who
   * sees the same.
   */
  version?(context: Context, input: InferOutput<Input>): (context: Context) => Promise<AnswerVersion>
  /** Returns the answer in the form of `output` (checked by the tests). */
  handle(context: Context, input: InferOutput<Input>): Promise<Answer>
  /**
   * Does what cannot be undone outside of the house, once the events of a call are recorded, and returns the answer as it is
   * then. It may run again, or never: whatever it does has to be done by others, too, as a deadline.
   */
  settle?(context: Context, answer: Answer): Promise<Answer>
  /**
   * The same answer as text: JSON, or the bare document in a representation of its format. Undefined if only `handle`
   * answers.
   */
  text?(
    context: Context,
    input: InferOutput<Input>,
    representation: Representation | undefined,
  ): Promise<Text | undefined>
  /** One document of many things in a representation of the format; absent if it looks up one thing. */
  joined?(context: Context, input: InferOutput<Input>, representation: Representation): Promise<Joined>
}

/** A text in pieces that are created on demand, or in pages of pieces that are read on demand. */
export type Text = Iterable<string> | AsyncIterable<readonly string[]>

/** A document of many things. */
export interface Joined {
  readonly pieces: Iterable<string>
  /** What of the answer of `handle` is not in the document: what is refused. */
  readonly refused: Answer
}

/** An operation as a tool for agents (Model Context Protocol). Whether it is read-only follows from `writes`. */
export interface Tool {
  /** A few words for people. */
  readonly title: string
  /** `developer` for a tool of the developer server only, which is not part of the contract. Both servers if absent. */
  readonly server?: 'developer'
  /** Whether it may undo or overwrite something; if absent, true for high risk. */
  readonly destructive?: boolean
  /** Whether repeating a call has no further effect. */
  readonly idempotent?: boolean
  /** What agents should know in addition to the summary. */
  readonly hint?: string
}

/** Whether an operation changes anything. */
export function isWriting({ writes, risk }: Partial<Pick<Operation, 'writes' | 'risk'>>): boolean {
  return writes ?? risk !== 'low'
}

/** Returns the literal itself, with its inferred types. */
export function operation<Input extends GenericSchema, Output extends GenericSchema>(
  literal: Operation<Input, Output>,
): Operation<Input, Output> {
  return literal
}

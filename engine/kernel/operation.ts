import type { GenericSchema, InferOutput } from 'valibot'
import type { Family, Module, Role } from './account.ts'
import type { Context } from './context.ts'
import type { Code } from './messages/index.ts'
import type { Representation } from './projection.ts'

/** Where an operation is found over HTTP; `{name}` in the path is a member of the input, `{name...}` all that is left of the path. */
export interface RestRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: `/${string}`
  /** The member of the input that the body is as a whole; without it, the body's members are the input's. */
  readonly document?: string
  /** Whether the body may come as NDJSON; the member then holds `{lines: [...]}`. */
  readonly lines?: boolean
  /** Largest body, in bytes; 64 KiB where absent. */
  readonly bodyLimit?: number
  /** Media types that the body may have: those of JSON are read as a value, others as a text; JSON alone where absent. */
  readonly types?: readonly string[]
  /** Request headers that are members of the input: `{member: 'Header-Name'}`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Headers of the answer that repeat those of the request, with what they say without one; empty for nothing. */
  readonly echoed?: Readonly<Record<string, string>>
  /** Whether the body may be taken in parts. */
  readonly parts?: PartsRule
  /** How long a shared cache may keep the answer, as `Cache-Control`; `no-store` where absent. */
  readonly cache?: string
  /** Whether the input has a `format` that `Accept` may choose: for `one` document, bare too, or for `many`. */
  readonly formats?: 'one' | 'many'
  /** Whether `data` is answered without its envelope, in the media type of its `format`. */
  readonly bare?: boolean
}

/** When a JSON body is handed over in parts, as it comes in, and how large it may then be. */
export interface PartsRule {
  /** Paths of the lists that it is cut at: `body.events`. */
  readonly lists: readonly string[]
  /** The member of the input, and the value that asks for it. */
  readonly where: readonly [member: string, value: string]
  /** In bytes. */
  readonly bodyLimit: number
}

/** Some items of a long list of a document, and what stood before them. */
export interface BodyPart {
  /** The members of the document so far; those of the whole in the last part, which has no items. */
  readonly document: Readonly<Record<string, unknown>>
  readonly list: string
  /** Place of the first item in the whole list. */
  readonly offset: number
  readonly items: readonly unknown[]
  /** The document with these items as its list. */
  with(items: readonly unknown[]): unknown
}

/** A body that is handed over in parts. */
export interface PartedBody {
  readonly parts: AsyncIterable<BodyPart>
}

/** Whether a body is handed over in parts; no value of JSON looks like one. */
export function isPartedBody(body: unknown): body is PartedBody {
  if (typeof body !== 'object' || body === null || !('parts' in body)) return false
  return typeof body.parts === 'object' && body.parts !== null && Symbol.asyncIterator in body.parts
}

/** The body of an answer; a refusal that still has much to tell says `result: false` and its `code`. */
export type Answer = Readonly<Record<string, unknown>>

/** A context without who asks, and so the same for all. */
export type AnonymousContext = Omit<Context, 'caller' | 'messages' | 'requestId'>

/** Something a caller can ask for. REST, OpenAPI, MCP and the CLI are derived from it by plain loops. */
export interface Operation<Input extends GenericSchema = GenericSchema, Output extends GenericSchema = GenericSchema> {
  /** Snake case, as the catalogue spells it; also the OpenAPI `operationId`. */
  readonly name: string
  readonly summary: string
  /** All of them are needed; none means public. */
  readonly scopes: readonly string[]
  readonly risk: 'low' | 'medium' | 'high'
  readonly input: Input
  readonly output: Output
  /** Codes it may refuse with, beside those of the door. */
  readonly errors: readonly Code[]
  readonly rest?: RestRoute
  /** Kinds of account that may; all that have the scopes where absent. Who has no account (a provider, an operator) is not asked. */
  readonly roles?: readonly Role[]
  /** The module that it is a part of: where that is not on for the business of the caller, it is refused. */
  readonly module?: Module
  /** The family that it belongs to in lists of operations, as `Device Orders`. */
  readonly tag?: string
  /** Whether it changes anything; whatever has more than low risk does where absent. */
  readonly writes?: boolean
  /** Whether its input or its answer holds a secret: nothing of a call is then kept under an idempotency key. */
  readonly secret?: boolean
  /** The order family that it pays for online: refused for a customer from whom its prices are hidden. */
  readonly pays?: Family
  /** How agents see it; it is no tool where absent. */
  readonly mcp?: Tool
  /** How it is found in GraphQL; it is no field there where absent. */
  readonly graphql?: { readonly kind: 'query' | 'mutation'; readonly name: string }
  /**
   * Prepares to name the state of what `handle` would answer to anybody: what it gives names it each time it is called, by
   * the same text as long as the answer is the same.
   */
  version?(context: AnonymousContext, input: InferOutput<Input>): () => Promise<string>
  /** The answer, in the form of `output` (which the tests hold it to). */
  handle(context: Context, input: InferOutput<Input>): Promise<Answer>
  /**
   * The same answer as text in pieces, which are made as they are taken: as JSON, or the bare document in a representation
   * of its format.
   */
  text?(
    context: Context,
    input: InferOutput<Input>,
    representation: Representation | undefined,
  ): Promise<Iterable<string>>
}

/** How an operation looks to agents (Model Context Protocol, tools). Whether it only reads follows from `writes`. */
export interface Tool {
  /** In a few words, for people. */
  readonly title: string
  /**
   * `developer` for a tool of the developer server alone, which the contract does not name. Both servers offer the tool where
   * absent.
   */
  readonly server?: 'developer'
  /** Whether it may undo or overwrite something; whatever is high risk does where absent. */
  readonly destructive?: boolean
  /** Whether the same call twice does no more than once. */
  readonly idempotent?: boolean
  /** What agents should know beside the summary. */
  readonly hint?: string
}

/** Whether an operation changes anything. */
export function isWriting({ writes, risk }: Pick<Operation, 'writes' | 'risk'>): boolean {
  return writes ?? risk !== 'low'
}

/** The literal itself, with its types seen. */
export function operation<Input extends GenericSchema, Output extends GenericSchema>(
  literal: Operation<Input, Output>,
): Operation<Input, Output> {
  return literal
}

import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  parse,
  validate,
} from 'graphql'
import { type Context, EngineError, type Finding, isEngineError, messageOf, remark } from '../../engine/index.ts'
import { bounds, refuseExcess, refuseNesting, type Variables } from './bounds.ts'
import type { Asked } from './schema.ts'

/** What a request asks for. */
export interface Request {
  readonly query: string
  readonly operationName?: string | null
  readonly variables?: Variables | null
}

/** What is done with errors: which HTTP status a refusal has, and where an unexpected one is told. */
export interface Telling {
  readonly statusOf: (code: EngineError['code']) => number
  readonly report: (error: unknown) => void
}

/** An answer as it goes out; without `data` where nothing was carried out. */
export interface Told {
  readonly data?: ExecutionResult['data']
  readonly errors?: readonly GraphQLFormattedError[]
}

/** Answers a request. Mutations are carried out one after the other, as they stand. */
export async function answerTo(
  { query, operationName, variables }: Request,
  schema: GraphQLSchema,
  asked: Asked,
  telling: Telling,
): Promise<Told> {
  const variableValues = variables ?? {}
  const document = readDocument(query, schema, variableValues)
  if (document instanceof Error) return { errors: [told(document, asked.context, telling)] }
  const invalid = validate(schema, document, undefined, { maxErrors: 20, hideSuggestions: false })
  if (invalid.length > 0) return { errors: invalid.map((error) => told(error, asked.context, telling)) }
  const named = operationName ? { operationName } : {}
  const { data, errors } = await execute({ schema, document, contextValue: asked, variableValues, ...named })
  return {
    ...(data === undefined ? {} : { data }),
    ...(errors === undefined ? {} : { errors: errors.map((error) => told(error, asked.context, telling)) }),
  }
}

/** The document of a text, or what is wrong with it. */
function readDocument(query: string, schema: GraphQLSchema, variables: Variables): DocumentNode | Error {
  try {
    refuseNesting(query)
    const document = parse(query, { maxTokens: bounds.tokens })
    refuseExcess(document, schema, variables)
    return document
  } catch (error) {
    if (error instanceof GraphQLError || isEngineError(error)) return error
    throw error
  }
}

/** An error as the caller is told it: the engine's refusals as in REST, what nobody expected by the id of the request. */
function told(error: Error, context: Context, { statusOf, report }: Telling): GraphQLFormattedError {
  const refused = refusalIn(error, context, report)
  const { code, params, findings } = refused
  const errors = findings.map((finding: Finding) => remark(finding, context.messages))
  const extensions = { code, status: statusOf(code), ...(errors.length === 0 ? {} : { errors }) }
  const { locations, path } = error instanceof GraphQLError ? error : {}
  return {
    message: messageOf(code, params, context.messages),
    ...(locations === undefined ? {} : { locations }),
    ...(path === undefined ? {} : { path }),
    extensions,
  }
}

function refusalIn(error: Error, { requestId }: Context, report: Telling['report']): EngineError {
  const cause = error instanceof GraphQLError ? error.originalError : error
  if (isEngineError(cause) && cause.code !== 'internal') return cause
  if (error instanceof GraphQLError && (cause === undefined || cause instanceof GraphQLError))
    return new EngineError('graphql_invalid', { reason: cut(error.message) })
  report(cause)
  return new EngineError('internal', { request: requestId })
}

/** What graphql says of a document, which may repeat all of it. */
function cut(reason: string): string {
  const plain = reason.toWellFormed().replace(/\p{Cc}/gu, ' ')
  return plain.length > 200 ? `${plain.slice(0, 200)}…` : plain
}

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
import { pause } from '../http/pause.ts'
import { bounds, refuseExcessive, refuseNesting, type Variables } from './bounds.ts'
import type { RequestContext } from './schema.ts'

/** A GraphQL request. */
interface GraphqlRequest {
  readonly query: string
  readonly operationName?: string | null
  readonly variables?: Variables | null
}

/** How errors are reported: the HTTP status of a code, and the log for unexpected errors. */
export interface ErrorReporting {
  readonly statusOf: (code: EngineError['code']) => number
  readonly report: (error: unknown) => void
}

/** A GraphQL response; without `data` if nothing was executed. */
export interface GraphqlResponse {
  readonly data?: ExecutionResult['data']
  readonly errors?: readonly GraphQLFormattedError[]
}

/** Executes a request. Mutations run one after the other, in their order. */
export async function answerTo(
  { query, operationName, variables }: GraphqlRequest,
  schema: GraphQLSchema,
  asked: RequestContext,
  telling: ErrorReporting,
): Promise<GraphqlResponse> {
  const variableValues = variables ?? {}
  // Each of the three steps takes long for the largest document that is accepted.
  await pause()
  const document = readDocument(query, schema, variableValues)
  if (document instanceof Error) return { errors: [formatError(document, asked.context, telling)] }
  await pause()
  const invalid = validate(schema, document, undefined, { maxErrors: 20, hideSuggestions: false })
  if (invalid.length > 0) return { errors: invalid.map((error) => formatError(error, asked.context, telling)) }
  await pause()
  const named = operationName ? { operationName } : {}
  const { data, errors } = await execute({ schema, document, contextValue: asked, variableValues, ...named })
  return {
    ...(data === undefined ? {} : { data }),
    ...(errors === undefined ? {} : { errors: errors.map((error) => formatError(error, asked.context, telling)) }),
  }
}

/** Parses a document, or returns what is wrong with it. */
function readDocument(query: string, schema: GraphQLSchema, variables: Variables): DocumentNode | Error {
  try {
    refuseNesting(query)
    const document = parse(query, { maxTokens: bounds.tokens })
    refuseExcessive(document, schema, variables)
    return document
  } catch (error) {
    if (error instanceof GraphQLError || isEngineError(error)) return error
    throw error
  }
}

/** An error for the caller: codes as in REST; for unexpected errors the id of the request. */
export function formatError(
  error: Error,
  context: Context,
  { statusOf, report }: ErrorReporting,
): GraphQLFormattedError {
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

function refusalIn(error: Error, { requestId }: Context, report: ErrorReporting['report']): EngineError {
  const cause = error instanceof GraphQLError ? error.originalError : error
  if (isEngineError(cause) && cause.code !== 'internal') return cause
  if (error instanceof GraphQLError && (cause === undefined || cause instanceof GraphQLError))
    return new EngineError('graphql_invalid', { reason: cut(error.message) })
  report(cause)
  return new EngineError('internal', { request: requestId })
}

/** Shortens a message of the library, which may repeat the whole document. */
function cut(reason: string): string {
  const plain = reason.toWellFormed().replace(/\p{Cc}/gu, ' ')
  return plain.length > 200 ? `${plain.slice(0, 200)}…` : plain
}

import {
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  GraphQLObjectType,
  GraphQLSchema,
  validateSchema,
} from 'graphql'
import { authorizeAndValidate, type Context, type Operation, perform } from '../../engine/index.ts'
import { answerSchemaOf, jsonSchemaOf } from '../http/schema.ts'
import { countCall, runLimited } from '../node/limited.ts'
import type { Limits } from '../node/limits.ts'
import { argumentsOf, capitalized, outputOf } from './types.ts'

/** The context of all fields of a request. */
export interface RequestContext {
  readonly context: Context
  readonly limits: Limits
  /** The `Idempotency-Key` of the request; each field derives its own key. */
  readonly key: string | undefined
}

/** An operation that is a GraphQL field. */
type Mirrored = Operation & { readonly graphql: NonNullable<Operation['graphql']> }

/** The schema, derived from the operations with `graphql`; `undefined` if none of them is a query. */
export function schemaOf(operations: readonly Operation[]): GraphQLSchema | undefined {
  const query = fieldsOf(operations, 'query')
  const mutation = fieldsOf(operations, 'mutation')
  if (Object.keys(query).length === 0) return undefined
  const schema = new GraphQLSchema({
    query: new GraphQLObjectType({ name: 'Query', fields: query }),
    ...(Object.keys(mutation).length === 0
      ? {}
      : { mutation: new GraphQLObjectType({ name: 'Mutation', fields: mutation }) }),
  })
  for (const error of validateSchema(schema)) throw error
  return schema
}

function fieldsOf(
  operations: readonly Operation[],
  kind: 'query' | 'mutation',
): GraphQLFieldConfigMap<unknown, RequestContext> {
  const mirrored = operations.filter((operation): operation is Mirrored => operation.graphql?.kind === kind)
  return Object.fromEntries(mirrored.map((operation) => [operation.graphql.name, fieldOf(operation)]))
}

/** Nullable, so that a refused field leaves the others of its request intact. */
function fieldOf(operation: Mirrored): GraphQLFieldConfig<unknown, RequestContext> {
  const name = capitalized(operation.graphql.name)
  return {
    type: outputOf(answerSchemaOf(operation), name),
    args: argumentsOf(jsonSchemaOf(operation.input), name),
    description: operation.summary,
    resolve: async (_, given, { context, limits, key }, { path }) => {
      countCall(limits, operation, context)
      const input = authorizeAndValidate(operation, context, withoutNulls(given))
      const own = key === undefined ? undefined : `${key} ${path.key}`
      return runLimited(limits, operation, context, () => perform(operation, context, input, own))
    },
  }
}

/** Drops nulls: null and absent mean the same (GraphQL, section 2.9.5, leaves it to the server). */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]))
}

import { buildSchema, type GraphQLError, parse, validate } from 'graphql'

/** What is wrong with a query by the schema (SDL) of an interface, a sentence each. */
export function queryFaults(schema: string, query: string): readonly string[] {
  try {
    return validate(buildSchema(schema), parse(query)).map(({ message }) => message)
  } catch (error) {
    return [(error as GraphQLError).message]
  }
}

import type { Context as Request } from 'hono'
import { type Context, capFindings, EngineError, excerptOf, optionNames, unknownAmong } from '../../engine/index.ts'
import { passMembers } from '../http/pass.ts'
import { isList, type JsonSchema, propertiesOf } from '../http/schema.ts'
import { isInQuery, type Routed } from './routed.ts'

/** The names that a query may have. */
export function queryNames(
  operation: Routed,
  schema: JsonSchema,
  { formats }: Pick<Context, 'formats'>,
): readonly string[] {
  const declared = Object.keys(propertiesOf(schema)).filter((name) => isInQuery(operation, name))
  const isOpen = schema.additionalProperties !== false
  return [
    ...declared,
    ...(isOpen ? formats.flatMap(optionNames) : []),
    ...(operation.hasViews === true ? Object.values(passMembers) : []),
  ]
}

/** The names that a query may have by the description of a route. */
export function namesIn({ get }: JsonSchema): readonly string[] {
  const { parameters = [] } = get as { readonly parameters?: readonly { readonly name: string; readonly in: string }[] }
  return parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
}

/**
 * Refuses a query with other names than these, and with a repeated one that is not a list: a filter that is ignored would be
 * answered with what was not meant.
 */
export function checkQuery({ req }: Request, known: readonly string[], schema: JsonSchema = {}): void {
  const start = req.url.indexOf('?')
  if (start === -1) return
  const names = [...new URLSearchParams(req.url.slice(start)).keys()]
  const unknown = [...new Set(names)].filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw refused(
      unknown.map((name, at) => ({
        path: excerptOf(name),
        ...unknownAmong(name === '' ? '""' : name, at < maxMeant ? known : []),
      })),
    )
  const repeated = names.filter((name, at) => names.indexOf(name) !== at && !isList(schema, name))
  if (repeated.length > 0)
    throw refused([...new Set(repeated)].map((name) => ({ path: excerptOf(name), code: 'not_unique' }) as const))
}

/** The most names of a query for which the known one that was probably meant is looked for. */
const maxMeant = 20

function refused(findings: EngineError['findings']): EngineError {
  return new EngineError('invalid_input', { count: findings.length }, capFindings(findings, 100))
}

import * as v from 'valibot'
import { EngineError, excerptOf, isObject, type Operation, operation } from '../../../engine/index.ts'
import type { JsonSchema } from '../../http/schema.ts'
import { once } from '../../node/once.ts'
import type { Published } from '../published.ts'
import type { StatusOf } from '../refusal.ts'

/** What describes operations. */
export interface DescribingParts {
  readonly published: Published
  readonly statusOf: StatusOf
}

/** Describes an operation as the OpenAPI description has it, with the schemas that it refers to and its refusals in words. */
export function getOperation(operations: readonly Operation[], { published, statusOf }: DescribingParts): Operation {
  const described = once(async () => description(await published.openapi()))
  return operation({
    name: 'get_operation',
    summary:
      'One operation of the REST interface: route, parameters, schemas, an example of request and answer, errors.',
    scopes: [],
    risk: 'low',
    mcp: { title: 'Describe an operation', server: 'developer', idempotent: true },
    input: v.strictObject({
      name: v.pipe(v.string(), v.maxLength(100), v.description('Its name, as search_reference tells it: otep_ingest.')),
    }),
    output: v.strictObject({
      result: v.literal(true),
      name: v.string(),
      method: v.string(),
      path: v.string(),
      is_tool: v.pipe(v.boolean(), v.description('Whether agents have it as a tool.')),
      description: v.pipe(v.looseObject({}), v.description('The operation object of OpenAPI 3.1, with examples.')),
      schemas: v.pipe(
        v.record(v.string(), v.unknown()),
        v.description('The schemas that it refers to, by their names in #/components/schemas.'),
      ),
      errors: v.array(v.strictObject({ code: v.string(), status: v.number(), message: v.string() })),
    }),
    errors: ['unknown_operation'],
    handle: async ({ messages }, { name }) => {
      const { items, schemas } = await described()
      const item = items.get(name)
      const found = operations.find((one) => one.name === name)
      if (item === undefined || found === undefined)
        throw new EngineError('unknown_operation', { received: excerptOf(name) })
      const errors = [...new Set(found.errors)].map((code) => ({
        ...{ code, status: statusOf(code), message: messages[code] ?? code },
      }))
      return {
        result: true,
        ...{ name, method: item.method, path: item.path, is_tool: found.mcp !== undefined },
        ...{ description: item.description, schemas: referredBy(item.description, schemas), errors },
      }
    },
  })
}

interface Item {
  readonly method: string
  readonly path: string
  readonly description: JsonSchema
}

interface Description {
  /** By the name of the operation. */
  readonly items: ReadonlyMap<string, Item>
  readonly schemas: Readonly<Record<string, unknown>>
}

function description({ paths, components }: JsonSchema): Description {
  const items = new Map<string, Item>()
  for (const [path, methods] of Object.entries(membersOf(paths)))
    for (const [method, described] of Object.entries(membersOf(methods)))
      if (isObject(described) && typeof described.operationId === 'string')
        items.set(described.operationId, { method: method.toUpperCase(), path, description: described })
  return { items, schemas: membersOf(membersOf(components).schemas) }
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {}
}

/** The schemas that a value refers to, directly or by others. */
function referredBy(value: unknown, schemas: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  const waiting = [...referencesIn(value)]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (Object.hasOwn(found, name) || !Object.hasOwn(schemas, name)) continue
    found[name] = schemas[name]
    waiting.push(...referencesIn(schemas[name]))
  }
  return found
}

function referencesIn(value: unknown): readonly string[] {
  return [...JSON.stringify(value).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name)
}

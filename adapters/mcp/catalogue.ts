import type { Tool } from '@modelcontextprotocol/server'
import * as v from 'valibot'
import { type Caller, isOpenTo, isWriting, type Operation } from '../../engine/index.ts'
import { agentPaths } from '../http/oauth.ts'
import { answerSchemaOf, type JsonSchema, jsonSchemaOf, propertiesOf } from '../http/schema.ts'
import { capabilities } from './capabilities.ts'
import { type ControlMembers, controlMembersOf } from './control.ts'
import { outcomeSchemaOf } from './outcome.ts'

/** A tool, prepared once at the start of the server. */
export interface Entry {
  readonly operation: Operation
  /** Arguments of calls besides the input of the operation. */
  readonly control: ControlMembers
  /** The entry of `tools/list`. */
  readonly listed: Tool
}

/** One of the two servers. */
export type ServerName = keyof typeof agentPaths

/** The tools of a server. */
export interface Catalogue {
  find(name: string): Entry | undefined
  /** Where an operation that is not a tool of this server is available: another server, or its REST route. */
  elsewhere(name: string): string | undefined
  /** The tools that a caller may call, in the order of the catalogue. */
  list(caller: Caller): readonly Tool[]
  /** Scopes that any of its tools requires. */
  readonly scopes: readonly string[]
  /** Scopes that the tools require that no other server has and that change nothing. */
  readonly ownScopes: readonly string[]
}

/**
 * Prepares the tools of a server, and the one that lists them. The operations server offers the tools that the contract names
 * (document 1, agent tool server); the developer server offers those and the tools for integrators.
 */
export function createCatalogue(operations: readonly Operation[], server: ServerName): Catalogue {
  const tools = operations.filter(
    ({ mcp }) => mcp !== undefined && (server === 'developer' || mcp.server === undefined),
  )
  const open = (caller: Caller) => all.filter((tool) => isOpenTo(tool, caller))
  const all: readonly Operation[] = [capabilities(open), ...tools]
  const entries = new Map(all.map((tool) => [tool.name, entryOf(tool)]))
  return {
    find: (name) => entries.get(name),
    elsewhere: (name) => {
      const operation = operations.find((one) => one.name === name)
      return operation && placeOf(operation)
    },
    list: (caller) => [...entries.values()].flatMap((entry) => (isOpenTo(entry.operation, caller) ? entry.listed : [])),
    scopes: scopesOf(all),
    ownScopes: scopesOf(tools.filter((tool) => tool.mcp?.server === server && !isWriting(tool))),
  }
}

function scopesOf(operations: readonly Operation[]): readonly string[] {
  return [...new Set(operations.flatMap(({ scopes }) => scopes))]
}

function placeOf({ mcp, rest }: Operation): string | undefined {
  if (mcp !== undefined) return agentPaths[mcp.server ?? 'operations']
  return rest && `${rest.method} ${rest.path}`
}

function entryOf(operation: Operation): Entry {
  const { name, mcp } = operation
  const control = controlMembersOf(operation)
  const outputSchema = isWriting(operation) ? outcomeSchemaOf(operation) : answerSchemaOf(operation)
  return {
    operation,
    control,
    listed: {
      name,
      title: mcp?.title ?? name,
      description: describe(operation),
      inputSchema: rooted(withMembers(selfContained(jsonSchemaOf(operation.input)), control, name), name),
      outputSchema: rooted(outputSchema, name),
      annotations: annotationsOf(operation),
    },
  }
}

/** The description by which agents choose a tool. */
function describe({ summary, mcp, risk }: Operation): string {
  const warning = 'High risk: needs confirm=true, or a proposal by propose_write.'
  return [summary, mcp?.hint, risk === 'high' ? warning : undefined].filter((part) => part !== undefined).join(' ')
}

function annotationsOf(operation: Operation): NonNullable<Tool['annotations']> {
  const { name, mcp, risk } = operation
  const writes = isWriting(operation)
  return {
    title: mcp?.title ?? name,
    readOnlyHint: !writes,
    destructiveHint: writes && (mcp?.destructive ?? risk === 'high'),
    idempotentHint: mcp?.idempotent ?? !writes,
    openWorldHint: false,
  }
}

/** Drops references to the schemas of the OpenAPI description, which MCP clients do not have. */
function selfContained(schema: JsonSchema): JsonSchema {
  const members = Object.entries(propertiesOf(schema)).map(([name, { $ref, ...rest }]) => {
    const isOutside = typeof $ref === 'string' && $ref.startsWith('#/components/')
    return [name, isOutside || $ref === undefined ? rest : { $ref, ...rest }]
  })
  return { ...schema, properties: Object.fromEntries(members) }
}

function withMembers(schema: JsonSchema, added: ControlMembers, name: string): JsonSchema {
  const own = propertiesOf(schema)
  const clash = Object.keys(added).find((member) => Object.hasOwn(own, member))
  if (clash !== undefined) throw new Error(`The member ${clash} of ${name} is one of the tool call itself.`)
  return { ...schema, properties: { ...own, ...added } }
}

const root = v.looseObject({ type: v.literal('object') })

/** Checks that the root of a schema is an object; clients refuse the whole list otherwise. */
function rooted(schema: JsonSchema, name: string): Tool['inputSchema'] {
  if (!v.is(root, schema)) throw new Error(`A schema of the tool ${name} is not of an object.`)
  return schema
}

import { readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { parse } from 'yaml'
import { official } from '../../../conformance/judges/official.ts'
import type { Asked, Told } from '../servers.test.fixture.ts'

type Schema = Readonly<Record<string, unknown>>

interface Operation {
  readonly parameters?: readonly { readonly in: string; readonly name: string }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }>
  >
}

/** Parameters of every list, by the prose of the description. */
const paging = ['limit', 'offset']

/** Lists are described as one of their items, although the prose and the example show pages of them. */
const pages: Readonly<Record<string, string>> = { 'get /v1/shipments': 'Shipment' }

/** Says what of an exchange is not as Karrio's OpenAPI describes it. */
export const described = official(['carriers/karrio-openapi.yml'], faultsBy)

function faultsBy([file]: readonly [string]): (asked: Asked, told: Told) => readonly string[] {
  const { paths, components } = parse(readFileSync(file, 'utf8')) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
    readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
  }
  const ajv = new Ajv({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'karrio', components: { schemas: plain(components.schemas) } })
  const templates = Object.keys(paths).map((path) => {
    const pattern = path.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '([^/]+)')
    return { path, pattern: new RegExp(`^${pattern}$`) }
  })
  const compiled = new Map<string, ValidateFunction>()
  const faultsOf = (what: string, schema: Schema, value: unknown) => {
    const valid = compiled.get(what) ?? ajv.compile(plain(schema) as object)
    compiled.set(what, valid)
    return valid(value) ? [] : [`${what}: ${ajv.errorsText(valid.errors)}`]
  }

  return ({ method, path, query, body }, { status, json }) => {
    const found = templates.find(
      ({ path: template, pattern }) => pattern.test(path) && paths[template]?.[method.toLowerCase()],
    )
    const name = `${method.toLowerCase()} ${found?.path}`
    const operation = paths[found?.path ?? '']?.[method.toLowerCase()]
    if (operation === undefined) return [`${method} ${path} is not described`]
    const known = [...(operation.parameters ?? []).flatMap((one) => (one.in === 'query' ? one.name : [])), ...paging]
    const unknown = [...query.keys()].filter((one) => !known.includes(one))
    const asked = operation.requestBody?.content['application/json']?.schema
    const answer = operation.responses[status]?.content['application/json']?.schema
    const page = pages[name]
    const told =
      page === undefined || status !== 200
        ? answer
        : {
            type: 'object',
            required: ['results'],
            properties: { ...links, results: { type: 'array', items: reference(page) } },
          }
    return [
      ...unknown.map((one) => `${name}: the parameter ${one} is not described`),
      ...(asked === undefined ? [] : faultsOf(`${name}, the request`, asked, body)),
      ...(told === undefined ? [`${name}: the status ${status} is not described`] : []),
      ...(told === undefined ? [] : faultsOf(`${name}, the answer ${status}`, told, json)),
    ]
  }
}

const links = {
  count: { type: 'integer' },
  next: { type: 'string', nullable: true },
  previous: { type: 'string', nullable: true },
}

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** A schema of OpenAPI 3.0 as JSON Schema: what may be null says so, and objects have no members that are not described. */
function plain(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plain)
  if (typeof schema !== 'object' || schema === null) return schema
  const { nullable, $ref, ...rest } = schema as Schema
  const members = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, name === 'enum' || name === 'default' ? value : plain(value)]),
  )
  const isClosed = members.properties !== undefined && members.additionalProperties === undefined
  const said =
    typeof $ref === 'string'
      ? { $ref: $ref.replace('#/', 'karrio#/') }
      : { ...members, ...(isClosed && { additionalProperties: false }) }
  return nullable === true ? { anyOf: [said, { type: 'null' }] } : said
}

import { readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { official } from './judges/official.ts'

/** A part of the document that may stand elsewhere in it. */
interface Part {
  readonly $ref?: string
  readonly name?: string
  readonly in?: string
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>
}

/** An operation of the document. */
interface Operation {
  readonly parameters?: readonly Part[]
  readonly requestBody?: Part
  readonly responses: Readonly<Record<string, Part>>
}

/** What is read of GS1's description of the interface. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, Part>>>>
}

/** The document. */
export const openapi = official(
  ['epcis/rest/openapi.json'],
  ([file]) => JSON.parse(readFileSync(file, 'utf8')) as OpenApi,
)

/** The patterns of schedules in the document are of another dialect: they say nothing here. */
const regExp = Object.assign(
  (pattern: string, flags: string) => new RegExp(pattern.includes('\\g<') ? '' : pattern, flags),
  { code: 'new RegExp' },
)

/** The part itself, wherever it is. */
export function partOf(openapi: OpenApi, part: Part | undefined): Part | undefined {
  const [kind = '', name = ''] = part?.$ref?.split('/').slice(-2) ?? []
  return part?.$ref === undefined ? part : openapi.components[kind]?.[name]
}

/** The schema of a body in JSON: of a response, or of a request. */
export function bodySchema(openapi: OpenApi, part: Part | undefined): ValidateFunction | undefined {
  const schema = partOf(openapi, part)?.content?.['application/json']?.schema
  return schema === undefined ? undefined : compiled(openapi, schema)
}

/** The schema of a component. */
export function componentSchema(openapi: OpenApi, name: string): ValidateFunction {
  return compiled(openapi, { $ref: `#/components/schemas/${name}` })
}

function compiled(openapi: OpenApi, schema: object): ValidateFunction {
  const ajv = addFormats.default(new Ajv({ strict: false, allErrors: true, code: { regExp } }))
  // Of the two alternatives of a capture job each has only optional members, so every job has both.
  const anyOf = JSON.parse(
    JSON.stringify(openapi).replaceAll('"oneOf":[{"properties":{"errors"', '"anyOf":[{"properties":{"errors"'),
  )
  ajv.addSchema(anyOf, 'openapi')
  return ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/')))
}

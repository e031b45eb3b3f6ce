import { createRequire } from 'node:module'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import type { Capture } from './receiver.ts'

type Json = ReturnType<typeof JSON.parse>

/**
 * The errors of a captured request for an event in a format, according to the description of the webhooks; undefined if
 * it is valid.
 */
type DescriptionJudge = (event: string, format: string, capture: Capture) => readonly string[]

/** What is wrong with a description, according to the official schema of AsyncAPI 3.0. */
export function errorsIn(description: Json): readonly string[] {
  const schema = createRequire(import.meta.url)('@asyncapi/specs/schemas/3.0.0-without-$id.json')
  const ajv = new Ajv({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.validate(schema, description)
  return (ajv.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`)
}

/**
 * A validator that only uses the description: it finds the message of an event, and checks headers and body against its
 * schemas. The schemas allow further members, because some may be added; this one allows none.
 */
export function judgeBy(open: Json): DescriptionJudge {
  const description = { ...open, components: { ...open.components, schemas: closed(open.components.schemas) } }
  const check = checkerOf(description)
  return (event, format, { headers, body }) => {
    const name = messageIn(description, event, format)
    if (name === undefined) return [`${event} has no message in ${format}`]
    const { contentType, payload, traits } = description.components.messages[name]
    const given = Object.fromEntries(headers.map(([header, value]) => [header.toLowerCase(), value]))
    return [
      ...(given['content-type'] === contentType ? [] : [`Content-Type ${given['content-type']}, not ${contentType}`]),
      ...traits.flatMap(({ $ref }: Json) => check(lowerCased(resolved(description, $ref).headers), given)),
      ...check(payload, JSON.parse(body.toString())),
    ]
  }
}

function closed(schema: Json): Json {
  if (typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return schema.map(closed)
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]))
  return schema.type === 'object' && 'properties' in schema ? { additionalProperties: false, ...inner } : inner
}

/** What is wrong with the examples of a description, and which events have none. */
export function exampleErrors(description: Json): readonly string[] {
  const check = checkerOf(description)
  return Object.keys(description.channels).flatMap((event) => {
    const { examples = [], payload } =
      description.components.messages[messageIn(description, event, 'native') ?? ''] ?? {}
    if (examples.length === 0) return [`${event} has no example`]
    return examples
      .flatMap((example: Json) => check(payload, example.payload))
      .map((error: string) => `${event}${error}`)
  })
}

function messageIn(description: Json, event: string, format: string): string | undefined {
  const reference: string | undefined = description.channels[event]?.messages[format]?.$ref
  return reference?.split('/').at(-1)
}

function checkerOf(description: Json) {
  const ajv = new Ajv({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema(description, 'description')
  const known = new Map<string, ReturnType<typeof ajv.compile>>()
  return (schema: Json, value: unknown): readonly string[] => {
    const whole = schema.$ref === undefined ? schema : { $ref: `description${schema.$ref}` }
    const text = JSON.stringify(whole)
    const validate = known.get(text) ?? ajv.compile(whole)
    known.set(text, validate)
    validate(value)
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  }
}

function resolved(description: Json, reference: string): Json {
  return reference
    .slice(2)
    .split('/')
    .reduce((value, name) => value[name], description)
}

/** Names of headers are the same in every case (RFC 9110, section 5.1); schemas know one. */
function lowerCased({ properties, required, ...rest }: Json): Json {
  const lower = (name: string) => name.toLowerCase()
  const entries = Object.entries(properties).map(([name, schema]) => [lower(name), schema])
  return { ...rest, properties: Object.fromEntries(entries), required: required.map(lower) }
}

import { createHash } from 'node:crypto'
import type { JsonSchema } from '../../adapters/http/schema.ts'
import { membersOf } from './members.ts'
import type { Described } from './rest/described.ts'

/** A description as a release publishes it. It is too long to be read in a diff, so it is not committed. */
export function descriptionText(description: JsonSchema): string {
  return `${JSON.stringify(description, null, 2)}\n`
}

/** What a reviewer reads of an OpenAPI description: its operations, and its schemas with their members. */
export function openapiSummary(description: JsonSchema): string {
  const paths = description.paths as Table<Table<Described>>
  const { schemas } = description.components as { readonly schemas: Table<JsonSchema> }
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationPart(method.toUpperCase(), path, operation)),
  )
  return summary('openapi.json', description, [
    ...operations,
    ...Object.entries(schemas).map(([name, schema]) => schemaPart(name, schema)),
  ])
}

/** What a reviewer reads of an AsyncAPI description: its events, with the members of their bodies. */
export function asyncapiSummary(description: JsonSchema): string {
  const channels = description.channels as Table<JsonSchema>
  const { schemas, messages } = description.components as Record<'schemas' | 'messages', Table<JsonSchema>>
  const events = Object.entries(channels).map(([name, channel]) =>
    schemaPart(name, schemas[name] ?? {}, [channel, messages[name], schemas[name]]),
  )
  return summary('asyncapi-webhooks.json', description, events)
}

type Table<Value> = Readonly<Record<string, Value>>

function summary(file: string, description: JsonSchema, parts: readonly string[]): string {
  const head = `What ${file} says. Made by \`npm run docs\`, which writes the file itself to dist/${file}.
The digits in a line change with what it is about, but not with the schemas that it names. What ends in ? is optional.
${sha256(descriptionText(description))} ${file}`
  return `${[head, '', ...parts].join('\n')}\n`
}

const longestLine = 120

function operationPart(method: string, path: string, operation: Described): string {
  const title = [method, path, operation.operationId, mark(operation), ...schemasNamedIn(operation)].join(' ')
  return group(
    title,
    (operation.parameters ?? []).map(({ name, required }) => word(name, required)),
  )
}

/** Words in a line if they fit; else each in its own, so that a diff shows the one that changed. */
function group(title: string, words: readonly string[], indent = ''): string {
  const line = [title, ...words].join(' ')
  return indent + (line.length <= longestLine ? line : [title, ...words].join(`\n${indent}  `))
}

/** A schema with its members, or those of each of its possible shapes. Objects within it follow, each with its path. */
function schemaPart(name: string, schema: JsonSchema, content: unknown = schema): string {
  const shapes = (schema.oneOf ?? schema.anyOf ?? [schema]) as readonly JsonSchema[]
  const objects = new Map<string, Set<string>>([['', new Set(shapes.flatMap((shape) => nameOf(shape) ?? []))]])
  for (const { path, required } of shapes.flatMap((shape) => membersOf(shape, nameOf))) {
    const end = path.lastIndexOf('.')
    const object = path.slice(0, Math.max(end, 0))
    objects.set(object, (objects.get(object) ?? new Set()).add(word(path.slice(end + 1), required)))
  }
  const lines = [...objects].map(([path, words]) =>
    path === '' ? group(`${name} ${mark(content)}`, [...words]) : group(path, [...words], '  '),
  )
  return lines.join('\n')
}

function word(name: string, required = false): string {
  return required ? name : `${name}?`
}

function nameOf({ $ref }: JsonSchema): string | undefined {
  return typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : undefined
}

/** The schemas that an operation takes and answers; each of them refuses with an `ErrorAnswer`. */
function schemasNamedIn(operation: Described): readonly string[] {
  const found = JSON.stringify(operation).matchAll(/"#\/components\/schemas\/(\w+)"/g)
  return [...new Set([...found].map(([, name = '']) => name))].filter((name) => name !== 'ErrorAnswer')
}

/** A short text that changes with the content. */
function mark(content: unknown): string {
  return sha256(JSON.stringify(content)).slice(0, 8)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

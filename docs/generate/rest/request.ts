import { fenced, jsonText } from '../markdown.ts'
import type { Described } from './described.ts'
import type { Components } from './objects.ts'
import { sampleOf } from './sample.ts'

/** The address of a server on this machine; a server that shows the page puts its own in its place. */
const exampleServer = 'http://localhost:3000'

/**
 * A request to copy: its first line has what differs, the key and the ids of the address. A body is the example of the
 * description, or the least that it admits.
 */
export function requestBlock(one: Described, isPublic: boolean, components: Components): string {
  const { method, path, parameters = [], requestBody, responses } = one
  const named = parameters.filter(({ required, in: place }) => required === true && place === 'query')
  const queries = named.map(({ name, schema }) => `${name}=${sampleOf(schema, components, name)}`)
  const address = `${exampleServer}${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${variableOf(name)}`)}`
  const url = `"${address}${queries.length > 0 ? `?${queries.join('&')}` : ''}"`
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const isJson = type === 'application/json'
  const isFile = type !== undefined && !isJson
  const set = [
    ...(isPublic ? [] : ['KEY=...']),
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => `${variableOf(name)}=...`),
    ...(isFile ? ['FILE=...'] : []),
  ]
  const isLive = 'text/event-stream' in (responses['200']?.content ?? {})
  const call = [
    `curl -s${isLive ? 'N' : ''}${method === 'GET' ? '' : ` -X ${method}`} ${url}`,
    ...(isPublic ? [] : ['-H "Authorization: Bearer $KEY"']),
    ...(type === undefined ? [] : [`-H 'Content-Type: ${type}'`]),
    ...(isFile ? ['--data-binary "@$FILE"'] : []),
    ...(isJson ? ["--data-binary @- <<'JSON'"] : []),
  ].join(' \\\n  ')
  const json = isJson && body !== undefined ? [jsonText(body.example ?? sampleOf(body.schema, components)), 'JSON'] : []
  return fenced('sh', [...(set.length === 0 ? [] : [set.join(' ')]), call, ...json].join('\n'))
}

/** `order_id` as a variable of a shell. */
function variableOf(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()
}

import type { JsonSchema } from '../../../adapters/http/schema.ts'
import { routed } from '../../../adapters/rest/routed.ts'
import type { Operation } from '../../../engine/index.ts'
import { code, page, plain, table } from '../markdown.ts'
import type { Described } from './described.ts'
import { type Components, componentsIn, objectParts, timelinePage } from './objects.ts'
import { always, anchorOf, ofBodies, operationParts, withStatus } from './operation.ts'

/** The tag of routes that belong to no family. */
const others = 'Other routes'

/** The pages of `rest/` by name: the list, a page for each family of operations, and one for timelines. */
export function restPages(operations: readonly Operation[], description: JsonSchema): ReadonlyMap<string, string> {
  const families = familiesIn(description)
  const ofFamilies = families.map(({ name, operations }) => [objectsFileOf(name), operations] as const)
  const components = componentsIn(description, new Map(ofFamilies))
  const byName = new Map(routed(operations).map((operation) => [operation.name, operation]))
  const pages = families.flatMap(({ name, summary, operations }) => {
    const lead = summary === undefined ? [] : [plain(summary)]
    const parts = operations.flatMap((one) => operationParts(one, byName.get(one.operationId), components))
    const objects = objectParts(objectsFileOf(name), components)
    const page = [`rest/${fileOf(name)}`, pageOf(name, [...lead, ...parts])] as const
    if (objects.length === 0) return [page]
    return [page, [`rest/${objectsFileOf(name)}`, pageOf(`${name}: objects`, objects)] as const]
  })
  return new Map([['rest/README.md', listPage(families, components)], ...pages, ['rest/timeline.md', timelinePage()]])
}

function pageOf(title: string, parts: readonly string[]): string {
  return page(title, sources, parts, 3)
}

const sources = ['engine/domains/index.ts', 'adapters/rest/openapi.ts']

interface Family {
  readonly name: string
  readonly summary: string | undefined
  readonly operations: readonly Described[]
}

/** The families of operations in the order of the description, each with its operations. */
function familiesIn({ paths, tags }: JsonSchema): readonly Family[] {
  const all = Object.entries(paths as Readonly<Record<string, Readonly<Record<string, Described>>>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, one]) => ({ ...one, path, method: method.toUpperCase() })),
  )
  const known = tags as readonly { readonly name: string; readonly description?: string }[]
  return [...known, { name: others, description: undefined }].flatMap(({ name, description: summary }) => {
    const operations = all.filter(({ tags: [tag = others] = [] }) => tag === name)
    return operations.length === 0 ? [] : [{ name, summary, operations }]
  })
}

function fileOf(family: string): string {
  return `${family.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.md`
}

function objectsFileOf(family: string): string {
  return fileOf(family).replace('.md', '-objects.md')
}

function listPage(families: readonly Family[], { pages }: Components): string {
  const files = new Set(pages.values())
  const parts = families.flatMap(({ name, summary, operations }) => [
    `## ${name}`,
    ...(summary === undefined ? [] : [plain(summary)]),
    ...(files.has(objectsFileOf(name)) ? [`What they take and answer: [objects](${objectsFileOf(name)}).`] : []),
    table(
      ['operation', 'what for'],
      operations.map(({ path, method, summary: what }) => [
        `[${method} ${path}](${fileOf(name)}#${anchorOf(method, path)})`,
        plain(what),
      ]),
    ),
  ])
  return pageOf('REST interface', [conventions, ...parts])
}

const conventions = `Each operation has a request that can be copied: its first line has a place for the key and for the ids of the address.
A body in it is the least that the operation takes, or an example. A server shows these requests at \`/docs\` with its own address.

The machine-readable version is [OpenAPI](../openapi.txt): a server answers it at \`GET /openapi.json\`, and each release has
it as a file. Each request, each response and what several of them have in common is a schema with a name there, for
generators of clients. A [timeline](timeline.md) has its own page, with its events; [errors](../errors.md) lists the error codes and their messages.
Each refusal is \`{"result": false, "code", "message"}\`, with \`errors\` if there are details.
Every route may also return ${always.map(withStatus).join(', ')};
a route with a body, ${ofBodies.map(withStatus).join(', ')}.
If a route accepts \`Idempotency-Key\`, calls with the same key are carried out once and get the same response.
[Access](../access.md) is one table of who may call what.
A body may be sent with ${code('Content-Encoding: gzip')}; its limit counts the bytes after decoding. The response repeats the
\`X-Request-Id\` of the request.`

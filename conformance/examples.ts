import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { openapi } from '../adapters/rest/openapi.ts'
import { isBodyless, placeOf, routed } from '../adapters/rest/routed.ts'
import { domains } from '../engine/index.ts'
import { profiles } from '../profiles/index.ts'
import { projections } from '../projections/index.ts'
import { projectFile } from './program/files.ts'

// Chooses the examples of the description of the interface from the calls of the quick tests, which it runs first.
// `npm run examples -- CALLS` takes those of an earlier run, which `OTEP_TEST_CALLS=CALLS npm run test:quick` wrote.

/** A call of a test, and what it was answered. */
interface Call {
  readonly method: string
  readonly path: string
  readonly body?: Json
  readonly status: number
  readonly answer: Json
}

/** A call of a test that asks an operation itself. */
interface Direct {
  readonly operation: string
  readonly input: Json
  readonly status: number
  readonly answer: Json
}

type Json = ReturnType<typeof JSON.parse>

/** The JSON of one call of an operation. */
interface Example {
  readonly request?: Json
  readonly answer: Json
}

const [file = callsOfTests()] = process.argv.slice(2)

/** An example with more characters is not shown. */
const longest = 2_500

/** Texts that tests send to see what becomes of them, such as formulas of tables, and a failure where all goes well as a rule. */
const odd = /planted|Matrix|PURCHASE_FAILED|"[=@+-][A-Za-z][^"]*"(?!:)|\\[rnu]|[\u{1F300}-\u{1FAFF}]/u

/** Longer texts in an example are cut: they are the bytes of files. */
const longestText = 200

/** Members whose texts are not shown. */
const secret = /^(access_token|token|key|secret|password|current_password|new_password|id_token)$|_secret$|_key$/

const operations = domains.flatMap((domain) => domain.operations)
const placed = routed(operations)
const description: Json = openapi(operations, '', projections, profiles)
const ajv = new Ajv2020({ strict: false })
formats.default(ajv)
ajv.addSchema(description, 'document')

const routes = Object.entries<Json>(description.paths).flatMap(([path, item]) =>
  Object.entries<Json>(item).map(([method, operation]) => ({
    method: method.toUpperCase(),
    pattern: patternOf(path),
    fixed: path.replace(/\{\w+\}/g, '').length,
    operation,
  })),
)
routes.sort((one, other) => other.fixed - one.fixed)
const byName = new Map(routes.map(({ operation }) => [operation.operationId, operation]))

const chosen = new Map<string, Example>()
for (const line of readFileSync(file, 'utf8').trim().split('\n')) consider(JSON.parse(line))
const named = Object.fromEntries([...chosen].sort(([one], [other]) => (one < other ? -1 : 1)))
writeFileSync(projectFile('adapters', 'rest', 'examples.json'), `${JSON.stringify(named, null, 2)}\n`)
const without = routes.map(({ operation }) => operation.operationId).filter((name) => !chosen.has(name))
console.log(`${chosen.size} operations have examples; without: ${without.sort().join(', ')}`)

/** Runs the quick tests; answers the file that has their calls. */
function callsOfTests(): string {
  const calls = join(mkdtempSync(join(tmpdir(), 'calls-')), 'calls.ndjson')
  const env = { ...process.env, OTEP_TEST_CALLS: calls }
  spawnSync(process.execPath, [projectFile('.ci', 'test.mjs'), 'quick', '--no-build'], { env, stdio: 'inherit' })
  return calls
}

/** Takes a call as the example of its operation if it shows more than the one before. */
function consider(call: Call | Direct): void {
  const described = 'operation' in call ? byName.get(call.operation) : routeOf(call)?.operation
  if (call.status !== 200 || described === undefined) return
  const { operationId, requestBody, responses } = described
  const answer = shown(call.answer)
  if (!isOf(responses[200]?.content, answer)) return
  const request = shown('operation' in call ? bodyOf(call) : call.body)
  const hasRequest = request !== undefined && isOf(requestBody?.content, request)
  const example: Example = { ...(hasRequest && { request }), answer }
  const known = chosen.get(operationId)
  const text = JSON.stringify(example)
  if (text.length > longest || odd.test(text)) return
  if (known === undefined || isBetter(example, known)) chosen.set(operationId, example)
}

/** The calls of a path. A `{path}` is all that is left of one. */
function patternOf(path: string): RegExp {
  const parts = path
    .replaceAll('.', '\\.')
    .replace('{path}', '.+')
    .replace(/\{\w+\}/g, '[^/]+')
  return new RegExp(`^${parts}$`)
}

function routeOf({ method, path }: Call) {
  const [bare = ''] = path.split('?')
  return routes.find((one) => one.method === method && one.pattern.test(bare))
}

/** The members of an input that are in the body. */
function bodyOf({ operation, input }: Direct): Json {
  const found = placed.find(({ name }) => name === operation)
  if (found === undefined || isBodyless(found) || typeof input !== 'object') return undefined
  const { document } = found.rest
  if (document !== undefined) return input[document]
  return Object.fromEntries(Object.entries(input).filter(([member]) => placeOf(found, member) === 'body'))
}

function isOf(content: Json, value: unknown): boolean {
  const { $ref } = content?.['application/json']?.schema ?? {}
  if ($ref === undefined) return false
  const validate = ajv.getSchema(`document${$ref}`) as ValidateFunction
  return validate(value) === true
}

/** Whether an example shows the body of a request, or more members; of two that show as many, the shorter one, and then the first by its text. */
function isBetter(one: Example, other: Example): boolean {
  if ('request' in one !== 'request' in other) return 'request' in one
  const [more, fewer] = [membersOf(one).size, membersOf(other).size]
  const [text, known] = [JSON.stringify(one), JSON.stringify(other)]
  const worth = (members: number, { length }: string) => members - length / 60
  const [better, worse] = [worth(more, text), worth(fewer, known)]
  return better === worse ? text < known : better > worse
}

/** The paths of all members. */
function membersOf(value: Json, at = ''): ReadonlySet<string> {
  if (Array.isArray(value)) return new Set(value.flatMap((one) => [...membersOf(one, `${at}[]`)]))
  if (typeof value !== 'object' || value === null) return new Set([at])
  return new Set(Object.entries(value).flatMap(([name, one]) => [...membersOf(one, `${at}.${name}`)]))
}

/** A value without secrets of tests and without the bytes of files. */
function shown(value: Json, name = ''): Json {
  if (Array.isArray(value)) return value.map((one) => shown(one, name))
  if (typeof value === 'string') return secret.test(name) ? hidden(name) : cut(value)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([member, one]) => [member, shown(one, member)]))
}

/** What is shown in place of a secret. Passwords have a least length. */
function hidden(name: string): string {
  return name.endsWith('password') ? 'a long passphrase' : '…'
}

function cut(text: string): string {
  return text.length > longestText ? `${text.slice(0, 60)}…` : text
}

import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import t from 'tap'
import { violationsOf } from './architecture.ts'
import { projectFolder } from './program/files.ts'

const root = projectFolder

/** A small tree in which all is well. */
const clean = {
  'engine/kernel/event.ts': 'export interface Event { readonly type: string }\n',
  'engine/kernel/id.ts': "import { createHash } from 'node:crypto'\nexport const sha = () => createHash('sha256')\n",
  'engine/domains/tracking/index.ts': "import type { Event } from '../../kernel/event.ts'\nexport type Fact = Event\n",
  'engine/domains/orders/index.ts': "import { object } from 'valibot'\nexport const order = object({})\n",
  'engine/domains/orders/messages.ts':
    "export const a = { b: '' }\ndeclare module '../../kernel/messages/index.ts' {\n  interface Codes extends Record<'b', 'orders'> {}\n}\n",
  'engine/domains/index.ts': "export * from './tracking/index.ts'\nexport * from './orders/index.ts'\n",
  'engine/index.ts': "export * from './domains/index.ts'\n",
  'engine/testing/spec.ts': "export const given = 'nothing'\n",
  'profiles/parcel.ts': "import type { Fact } from '../engine/index.ts'\nexport type Code = Fact['type']\n",
  'projections/shared/jsonld.ts': "import jsonld from 'jsonld'\nexport const expand = jsonld.expand\n",
  'projections/epcis/index.ts': "import { expand } from '../shared/jsonld.ts'\nexport const epcis = expand\n",
  'projections/otlp/index.ts':
    "export const time = (text: string) => new Date(text).getTime() - Date.parse('2026-01-01')\n",
  'adapters/http/headers.ts': "export const headers = { 'X-Content-Type-Options': 'nosniff' }\n",
  'adapters/node/config.ts':
    "import { headers } from '../http/headers.ts'\nexport const config = { headers, port: process.env['PORT'] }\n",
  'adapters/rest/index.ts':
    "import { Hono } from 'hono'\nimport { config } from '../node/config.ts'\nexport const app = { Hono, config }\n",
  'adapters/rest/rest.test.ts':
    "import { given } from '../../engine/testing/spec.ts'\nimport '../main.ts'\nvoid given\n",
  'adapters/sqlite/database.ts':
    "import { DatabaseSync } from '@photostructure/sqlite'\nexport const open = DatabaseSync\n",
  'adapters/sqlite/facts/index.ts': "import { open } from '../database.ts'\nexport const facts = open\n",
  'adapters/cli/main.ts': "import '../main.ts'\n",
  'adapters/main.ts': "import './rest/index.ts'\nimport './sqlite/facts/index.ts'\n",
  'bench/run.ts': "import { bench } from 'mitata'\nexport const run = bench\n",
  'README.md': 'Open https://example.org/work/parcels or ./work/notes. Run `npx --no otep serve`.\n',
}

/** A file that breaks one rule, and the rule. Later entries of the same path are other attempts at it. */
const plants: readonly (readonly [what: string, rule: string, path: string, text: string])[] = [
  [
    'the kernel importing a type of a domain',
    'arrow',
    'engine/kernel/a.ts',
    "import type { Fact } from '../domains/tracking/index.ts'\nexport type A = Fact\n",
  ],
  [
    'a store naming a domain in a type',
    'arrow',
    'engine/store/a.ts',
    "export type A = import('../domains/orders/index.ts').A\n",
  ],
  ['the engine importing a profile', 'arrow', 'engine/domains/tracking/a.ts', "import '../../../profiles/parcel.ts'\n"],
  ['a profile importing a projection', 'arrow', 'profiles/a.ts', "import '../projections/otlp/index.ts'\n"],
  [
    'a projection importing an adapter',
    'arrow',
    'projections/epcis/a.ts',
    "export * from '../../adapters/node/config.ts'\n",
  ],
  ['an adapter importing a benchmark', 'arrow', 'adapters/rest/a.ts', "import '../../bench/run.ts'\n"],
  ['a domain importing another', 'arrow', 'engine/domains/orders/a.ts', "import '../tracking/index.ts'\n"],
  [
    'a folder of a domain importing another domain',
    'arrow',
    'engine/domains/orders/webhook-events/a.ts',
    "import '../../tracking/index.ts'\n",
  ],
  [
    'a folder of a domain importing the folder beside it',
    'arrow',
    'engine/domains/orders/webhook-events/a.ts',
    "import '../addresses/book.ts'\n",
  ],
  ['a page importing the pages beside it', 'arrow', 'adapters/pages/track/a.ts', "import '../webhooks/a.ts'\n"],
  [
    'a domain using the port of another',
    'port',
    'engine/domains/orders/a.ts',
    'export const a = (context: { ports: { tracking: 1 } }) => context.ports.tracking\n',
  ],
  [
    'a domain taking the port of another out of the context',
    'port',
    'engine/domains/orders/a.ts',
    'export function a(context: { ports: { tracking: 1 } }) {\n  const { tracking } = context.ports\n  return tracking\n}\n',
  ],
  [
    'a domain declaring a port under the name of another',
    'port',
    'engine/domains/device-orders/ports.ts',
    "declare module '../../kernel/context.ts' {\n  interface Ports {\n    readonly orders: 1\n  }\n}\nexport {}\n",
  ],
  [
    'a port that is declared outside of ports.ts',
    'port',
    'engine/domains/orders/a.ts',
    "declare module '../../kernel/context.ts' {\n  interface Ports {\n    readonly orders: 1\n  }\n}\nexport {}\n",
  ],
  [
    'codes that are declared outside of messages.ts',
    'port',
    'engine/domains/orders/a.ts',
    "declare module '../../kernel/messages/index.ts' {\n  interface Codes extends Record<'a', 'orders'> {}\n}\nexport {}\n",
  ],
  [
    'a domain adding to a module other than the context',
    'port',
    'engine/domains/orders/ports.ts',
    "declare module '../../kernel/event.ts' {\n  interface Event {\n    readonly a: 1\n  }\n}\nexport {}\n",
  ],
  ['a domain importing the list of domains', 'arrow', 'engine/domains/orders/a.ts', "import '../index.ts'\n"],
  ['a projection importing another', 'arrow', 'projections/otlp/a.ts', "import '../epcis/index.ts'\n"],
  ['what projections share importing one of them', 'arrow', 'projections/shared/a.ts', "import '../otlp/index.ts'\n"],
  ['an adapter importing another', 'arrow', 'adapters/rest/a.ts', "import '../sqlite/facts/index.ts'\n"],
  ['what adapters share importing one of them', 'arrow', 'adapters/node/a.ts', "import '../sqlite/facts/index.ts'\n"],
  ['what HTTP surfaces share importing the process', 'arrow', 'adapters/http/a.ts', "import '../node/config.ts'\n"],
  ['a database importing another', 'arrow', 'adapters/sqlite/models/a.ts', "import '../facts/index.ts'\n"],
  ['what databases share importing one of them', 'arrow', 'adapters/sqlite/a.ts', "import './facts/index.ts'\n"],
  ['an adapter importing the composition root', 'arrow', 'adapters/pages/a.ts', "import '../main.ts'\n"],
  [
    'a projection going past the door of the engine',
    'arrow',
    'projections/otlp/a.ts',
    "import '../../engine/kernel/event.ts'\n",
  ],
  ['a benchmark going past the door of the engine', 'arrow', 'bench/a.ts', "import '../engine/kernel/event.ts'\n"],
  ['an adapter using what is for tests', 'arrow', 'adapters/rest/a.ts', "import '../../engine/testing/spec.ts'\n"],
  ['a test of the engine importing an adapter', 'arrow', 'engine/store/a.test.ts', "import '../../adapters/main.ts'\n"],
  [
    'a fixture of the engine importing a suite of conformance',
    'arrow',
    'engine/testing/a.test.fixture.ts',
    "export * from '../../conformance/suites/store.ts'\n",
  ],
  ['a file importing a test', 'arrow', 'adapters/rest/a.ts', "import './rest.test.ts'\n"],
  ['a file importing what only tests use', 'arrow', 'adapters/sqlite/a.ts', "import './writer.test.child.ts'\n"],
  ['an import that leaves the project', 'arrow', 'bench/a.ts', "import '../../elsewhere/a.ts'\n"],
  ['a file outside of the layers', 'arrow', 'engine/a.ts', 'export const a = 1\n'],
  ['a package in a profile', 'package', 'profiles/a.ts', "import 'valibot'\n"],
  ['a foreign package in the kernel', 'package', 'engine/kernel/a.ts', "import 'jose'\n"],
  [
    'node:crypto in a domain',
    'package',
    'engine/domains/orders/a.ts',
    "import { createHash } from 'node:crypto'\nexport const a = createHash\n",
  ],
  [
    'node:crypto in a format, which also runs in browsers',
    'package',
    'projections/otlp/a.ts',
    "import { hash } from 'node:crypto'\nexport const a = hash\n",
  ],
  ['jsonld outside of what projections share', 'package', 'projections/epcis/a.ts', "import 'jsonld'\n"],
  [
    'the EventStoreDB client outside of its adapter',
    'package',
    'adapters/rest/a.ts',
    "import '@eventstore/db-client'\n",
  ],
  ['SQLite of Node outside of its adapter', 'package', 'adapters/rest/a.ts', "import 'node:sqlite'\n"],
  ['hono outside of the adapters', 'package', 'docs/a.ts', "import { cors } from 'hono/cors'\nexport const a = cors\n"],
  ['OpenTelemetry outside of its adapter', 'package', 'adapters/rest/a.ts', "import '@opentelemetry/api'\n"],
  ['a suite that needs one test runner', 'package', 'conformance/suites/a.ts', "import 'tap'\n"],
  ['a suite importing what is not published', 'arrow', 'conformance/suites/a.ts', "import '../../bench/run.ts'\n"],
  ['tap in what is shipped', 'package', 'adapters/rest/a.ts', "import 'tap'\n"],
  ['a package imported in a second folder', 'one-folder', 'docs/a.ts', "import 'mitata'\n"],
  ['a clock', 'purity', 'engine/kernel/a.ts', 'export const a = () => Date.now()\n'],
  ['a date of this moment', 'purity', 'engine/store/a.ts', 'export const a = () => new Date()\n'],
  ['a text of this moment', 'purity', 'profiles/a.ts', 'export const a = () => Date()\n'],
  ['chance', 'purity', 'projections/otlp/a.ts', 'export const a = () => Math.random()\n'],
  ['the environment', 'purity', 'engine/domains/orders/a.ts', 'export const a = () => process.env\n'],
  [
    'the environment by way of globalThis',
    'purity',
    'engine/kernel/a.ts',
    'export const a = () => globalThis.process\n',
  ],
  ['a global in shorthand', 'purity', 'engine/kernel/a.ts', 'export const a = () => ({ fetch })\n'],
  ['a timer', 'purity', 'engine/store/a.ts', 'export const a = () => setTimeout(() => {}, 1)\n'],
  ['a stopwatch', 'purity', 'engine/store/a.ts', 'export const a = () => performance.now()\n'],
  ['a message on the console', 'purity', 'engine/kernel/a.ts', "export const a = () => console.log('')\n"],
  ['require', 'purity', 'engine/kernel/a.ts', "export const a = () => require('x')\n"],
  ['import.meta', 'purity', 'engine/kernel/a.ts', 'export const a = import.meta.url\n'],
  ['a dynamic import', 'purity', 'engine/kernel/a.ts', "export const a = () => import('./id.ts')\n"],
  ['await at the top of a module', 'purity', 'engine/kernel/a.ts', 'export const a = await 1\n'],
  [
    'a random id of node:crypto',
    'purity',
    'engine/kernel/a.ts',
    "import { randomUUID } from 'node:crypto'\nexport const a = randomUUID\n",
  ],
  [
    'the time zone of the machine',
    'purity',
    'projections/otlp/a.ts',
    'export const a = (date: Date) => date.getHours()\n',
  ],
  [
    'the language of the machine',
    'purity',
    'engine/kernel/a.ts',
    "export const a = (text: string) => text.localeCompare('b')\n",
  ],
  [
    'a table that the list of entities leaves out',
    'table',
    'engine/domains/orders/order.ts',
    "import type { Table } from '../../entity/field.ts'\nexport const order = {} as const satisfies Table\n",
  ],
  ['a quick test that starts a process', 'tier', 'adapters/rest/a.test.ts', "import 'node:child_process'\n"],
  [
    'a test that looks for three letters in sealed text',
    'short-search',
    'adapters/vault/a.test.ts',
    "t.notMatch(JSON.stringify(await store.read('a')), /secret-of-a|eyJ/)\n",
  ],
  [
    'a test that looks for a short word in a file',
    'short-search',
    'adapters/sqlite/a.test.ts',
    "t.notMatch(readFileSync('a.db').toString('latin1'), 'Ann')\n",
  ],
  [
    'a test that asks whether a file includes a short word',
    'short-search',
    'adapters/sqlite/a.test.ts',
    "t.notOk(readFileSync('a.db').includes('Ann'))\n",
  ],
  [
    'a test that listens on a port that others could take',
    'shared-place',
    'adapters/rest/a.test.ts',
    "createServer().listen(8080, '127.0.0.1')\n",
  ],
  [
    'a fixture that serves on a port that others could take',
    'shared-place',
    'adapters/rest/a.test.fixture.ts',
    'listen(app.fetch, { port: 8080 })\n',
  ],
  [
    'a test that starts a server on a port that others could take',
    'shared-place',
    'adapters/cli/a.system.test.ts',
    "const env = { PORT: '3000' }\n",
  ],
  [
    'a test that writes where others could write',
    'shared-place',
    'adapters/cli/a.system.test.ts',
    "const directory = join(tmpdir(), 'otep')\n",
  ],
  [
    'a test that measures how long something takes',
    'stopwatch',
    'adapters/rest/a.test.ts',
    'const took = performance.now() - start\nt.ok(took < 100)\n',
  ],
  [
    'a test that compares with the clock of the machine',
    'stopwatch',
    'adapters/rest/a.test.ts',
    't.ok(Date.now() < start + 100)\n',
  ],
  [
    'a test in which something races against a timeout',
    'stopwatch',
    'adapters/rest/a.test.ts',
    "t.equal(await Promise.race([answer, setTimeout(100, 'nothing')]), 'nothing')\n",
  ],
  [
    'a domain that decides by hand',
    'decider',
    'engine/domains/orders/a.ts',
    'export const a: Decider<number, string, Event> = { initial: () => 0, evolve, decide }\n',
  ],
  [
    'a decider by hand that does not say so at once',
    'decider',
    'engine/domains/orders/a.ts',
    'export const a = { initial, evolve, decide } satisfies Decider<number, string, Event>\n',
  ],
  ['a place on the list that is not needed', 'decider', 'engine/domains/wallets/wallet.ts', 'export const a = 1\n'],
  ['a file of 301 lines', 'file-size', 'bench/a.ts', 'export {}\n'.repeat(301)],
  ['a function of 61 lines', 'function-size', 'bench/a.ts', `export function a() {${'\n'.repeat(60)}}\n`],
  ['a default export', 'default-export', 'bench/a.ts', 'export default 1\n'],
  ['a default function', 'default-export', 'bench/a.ts', 'export default function a() {}\n'],
  ['a default by another name', 'default-export', 'bench/a.ts', 'const a = 1\nexport { a as default }\n'],
  ['any', 'any', 'bench/a.ts', 'export const a = (b: any) => b\n'],
  ['an enum', 'erasable', 'bench/a.ts', 'export enum A { b }\n'],
  ['a namespace', 'erasable', 'bench/a.ts', 'export namespace A { export const b = 1 }\n'],
  ['a class', 'class', 'bench/a.ts', 'export class A {}\n'],
  ['a name of a file that says nothing', 'name', 'bench/date-utils.ts', 'export const a = 1\n'],
  ['a file not in kebab-case', 'name', 'bench/dateFormat.ts', 'export const a = 1\n'],
  ['an exported name that says nothing', 'name', 'bench/a.ts', 'export function createOrderManager() {}\n'],
  ['an exported type that says nothing', 'name', 'bench/a.ts', 'export interface OrderService { readonly b: 1 }\n'],
  ['a re-exported name that says nothing', 'name', 'bench/a.ts', "export { run as benchHelper } from './run.ts'\n"],
  ['a path of a machine in code', 'machine-path', 'bench/a.ts', `export const a = '${'/tmp'}/a'\n`],
  ['a path of a machine in prose', 'machine-path', 'docs/a.md', `It lies in ${'/work'}/main.\n`],
  [
    'a test that finds the official files by itself',
    'official',
    'projections/epcis/a.test.ts',
    "import { join } from 'node:path'\nexport const a = join('..', 'shared', 'standards')\n",
  ],
  [
    'a fixture that reads an official file by its path',
    'official',
    'adapters/rest/a.test.fixture.ts',
    "export const a = '../shared/standards/a.yml'\n",
  ],
  [
    'a benchmark that asks for the folder of the official files',
    'official',
    'bench/a.ts',
    'export const a = process.env.OTEP_STANDARDS_DIR\n',
  ],
  ['money that is counted in hundredths', 'money', 'engine/kernel/a.ts', 'export const hundredthsOf = 1\n'],
  ['a form of currencies of its own', 'money', 'adapters/a.ts', 'export const a = /^[A-Z]{3}$/\n'],
  ['a program that npx may download', 'npx', 'docs/a.md', `Run ${'npx'} otep serve.\n`],
  ['a download that is answered with yes', 'npx', '.github/a.yml', `run: ${'npx'} --yes otep serve\n`],
  [
    'an option that npx takes for its own',
    'npx',
    'adapters/pages/a.ts',
    `export const a = '${'npx'} --no otep --help'\n`,
  ],
]

t.test('given the tree, when it is read, then no rule of the house is broken', async (t) => {
  t.strictSame(violationsOf(readTree()), [])
})

t.test('given a tree in which all is well, when it is read, then nothing is found', async (t) => {
  t.strictSame(found({}), [])
})

for (const [what, rule, path, text] of plants) {
  t.test(`given ${what}, when the tree is read, then that is found and nothing else`, async (t) => {
    t.strictSame(found({ [path]: text }), [`${path}: ${rule}`])
  })
}

t.test('given three files that import each other in a ring, then the ring is found once', async (t) => {
  const ring = {
    'bench/a.ts': "import type { B } from './b.ts'\nexport type A = B\n",
    'bench/b.ts': "export * from './c.ts'\n",
    'bench/c.ts': "import './a.ts'\n",
  }
  t.strictSame(found(ring), ['bench/c.ts: cycle'])
})

t.test('given a parameter property, then the class and the property are found', async (t) => {
  const text = 'export class A { constructor(readonly b: 1) {} }\n'
  t.strictSame(found({ 'bench/a.ts': text }), ['bench/a.ts: erasable', 'bench/a.ts: class'])
})

t.test('given a quick test that starts a browser by way of another file, then the test is found', async (t) => {
  const files = {
    'adapters/pages/a.test.fixture.ts': "import 'playwright-core'\n",
    'adapters/pages/a.test.ts': "import './a.test.fixture.ts'\n",
    'adapters/pages/a.system.test.ts': "import './a.test.fixture.ts'\n",
  }
  t.strictSame(found(files), ['adapters/pages/a.test.ts: tier'])
})

t.test('given the same words in comments, texts, types and members, then nothing is found', async (t) => {
  const text = [
    '// Date.now(), process.env, any, enum, namespace, export default',
    "export const a = 'new Date(), Math.random(), require, await'",
    'export interface B { readonly process: string; readonly fetch: typeof fetch }',
    'export const c = (b: B) => [b.process, Math.max(1, 2), b instanceof Date]',
  ]
  t.strictSame(found({ 'engine/kernel/a.ts': `${text.join('\n')}\n` }), [])
})

t.test('given what tests and tables may do, then nothing is found', async (t) => {
  const files = {
    'engine/kernel/a.test.ts': "import '../../projections/otlp/index.ts'\nimport 'jose'\nexport const a = Date.now()\n",
    'projections/epcis/a.test.ts': "import '../../adapters/main.ts'\n",
    'adapters/rest/a.test.ts': `import t from 'tap'\nt.test('a', () => {${'\n'.repeat(100)}})\n`,
    'adapters/sqlite/writer.test.child.ts': "import '../rest/rest.test.ts'\n",
    'projections/epcis/codes.ts': 'export {}\n'.repeat(400),
    'conformance/judges/official.ts': "export const a = process.env.OTEP_STANDARDS_DIR ?? '../shared/standards'\n",
    'conformance/a.test.ts': `import { testWith } from './b.ts'\ntestWith('a', () => {${'\n'.repeat(100)}})\n`,
    'conformance/b.ts': 'export const testWith = (_: string, run: () => void) => run()\n',
  }
  t.strictSame(found(files), [])
})

t.test('given tests that leave nothing to chance, then nothing is found', async (t) => {
  const text = [
    't.notMatch(text, /"CAD"|Main Street|\\bAnneliese\\b/)',
    "t.notMatch(answer, { code: 'a' })",
    "t.match(text, 'a')",
    "createServer().listen(0, '127.0.0.1')",
    "const directory = mkdtempSync(join(tmpdir(), 'otep-'))",
    't.comment(String(performance.now() - start))',
    'for (const end = performance.now() + 20_000; performance.now() < end; ) await step()',
    'const yesterday = Date.now() - 86_400_000',
    'await Promise.race([killed, setTimeout(patience)])',
  ]
  t.strictSame(found({ 'adapters/rest/a.test.ts': `${text.join('\n')}\n` }), [])
})

t.test('given a violation, then it names the file, the line, and what is wrong', async (t) => {
  t.strictSame(violationsOf(new Map([['engine/store/a.ts', "import 'valibot'\nimport '../index.ts'\n"]])), [
    {
      file: 'engine/store/a.ts',
      line: 2,
      rule: 'arrow',
      sentence: 'engine/store/ must not know engine/index.ts: engine/index.ts. Pass it in as an argument.',
    },
  ])
})

/** The violations in the clean tree with these additional files. */
function found(files: Readonly<Record<string, string>>): readonly string[] {
  return violationsOf(new Map(Object.entries({ ...clean, ...files }))).map(({ file, rule }) => `${file}: ${rule}`)
}

/** The texts of the project on the disk, code and prose. */
function readTree(): ReadonlyMap<string, string> {
  const entries = readdirSync(root, { withFileTypes: true })
  const folders = entries.filter(
    (entry) => entry.isDirectory() && !/^\.(?!github$)|^(node_modules|dist|data|release)$/.test(entry.name),
  )
  const nested = folders.flatMap(({ name }) => readdirSync(join(root, name), { recursive: true, withFileTypes: true }))
  const paths = [...entries, ...nested]
    .filter((entry) => entry.isFile() && /\.(ts|md|json|html|css|js|yml)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    // The peers of the benchmarks are installed in a folder of theirs.
    .filter((path) => !path.includes('/node_modules/'))
  const scripts = readdirSync(join(root, '.ci')).map((name) => `.ci/${name}`)
  return new Map([...paths, ...scripts].map((path) => [path, readFileSync(join(root, path), 'utf8')]))
}

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t, { type Test } from 'tap'
import { program, projectFile } from '../../conformance/program/files.ts'
import { projections } from '../../projections/index.ts'
import { commands } from './commands.ts'
import { loadedIn, watched } from './loaded.test.fixture.ts'

/** The program before its modules are joined, so that each module that is loaded can be seen. */
const modules = join(import.meta.dirname, 'main.js')

function settings(t: Test, more: Readonly<Record<string, string>> = {}) {
  const directory = t.testdir({})
  const loaded = join(directory, 'loaded.txt')
  const own = { OTEP_TEST_LOADED: loaded, OTEP_DATA_DIR: join(directory, 'data'), PORT: '0', HOST: '127.0.0.1' }
  return { env: { ...process.env, ...own, ...more }, loaded: () => loadedIn(loaded) }
}

/** Starts a server; `loaded` returns the modules that it has loaded so far. */
async function serve(t: Test, file: string, more: Readonly<Record<string, string>> = {}) {
  const { env, loaded } = settings(t, more)
  const child = spawn(process.execPath, [...watched, file, 'serve'], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  t.teardown(() => child.kill('SIGKILL'))
  const [said] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const [url = ''] = /http:\S+(?=,)/.exec(said) ?? []
  return { url, loaded }
}

const post = (body: object) => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
  body: JSON.stringify(body),
})

for (const words of [['--help'], ['--version'], ['serve', '--help']])
  t.test(
    `given otep ${words.join(' ')}, when it runs, then nothing of the engine and no package is loaded`,
    async (t) => {
      const { env, loaded } = settings(t)
      const { status } = spawnSync(process.execPath, [...watched, modules, ...words], { env })
      t.equal(status, 0)
      const all = ['cli/command', 'cli/commands', 'cli/help', 'cli/main', 'cli/options', 'cli/run']
      const own = [...all, 'node/package-files', 'node/version']
      t.same(
        [...loaded()].sort(),
        own.map((name) => `adapters/${name}`),
      )
    },
  )

/** What only some requests or settings need. */
const neededLater = [
  ...['graphql', '@modelcontextprotocol/server', 'zod', 'jsonld', 'jose', 'undici', '@streamparser/json'],
  ...['fast-xml-parser', '@eventstore/db-client'],
  ...['@opentelemetry/sdk-trace-base', '@opentelemetry/exporter-trace-otlp-http'],
  ...['adapters/pages/index', 'adapters/mcp/index', 'adapters/graphql/index', 'adapters/rest/openapi'],
  'adapters/cli/bench',
]

t.test(
  'given a new server, when each part is asked for ten times at once, then all are answered, and it is loaded only then',
  async (t) => {
    const { url, loaded } = await serve(t, modules)
    t.equal((await fetch(`${url}/healthz`)).status, 200)
    const seen = new Set(loaded())
    for (const name of neededLater) t.notOk(seen.has(name), name)
    const event = { occurred_at: '2026-06-10T10:00:00Z', status_code: 'picked_up' }
    const timeline = { subject: { tracking_number: 'SR1' }, events: [event] }
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const asked: readonly (readonly [status: number, path: string, options: RequestInit, loads: string])[] = [
      [401, '/graphql', post({ query: '{ __typename }' }), 'graphql'],
      [200, '/mcp', post(call), '@modelcontextprotocol/server'],
      [200, '/', {}, 'adapters/pages/index'],
      [200, '/openapi.json', {}, 'adapters/rest/openapi'],
      [200, '/asyncapi-webhooks.json', {}, 'adapters/webhooks/asyncapi/index'],
      [200, '/api/v1/otep/validate', post(timeline), 'adapters/rest/index'],
    ]
    for (const [status, path, options, loads] of asked) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => fetch(`${url}${path}`, options)))
      const texts = await Promise.all(answers.map((answer) => answer.text()))
      t.same(
        answers.map((answer) => answer.status),
        Array(10).fill(status),
        path,
      )
      t.ok(
        texts.every((text) => text.length > 0),
        path,
      )
      t.ok(loaded().includes(loads), loads)
    }
  },
)

t.test(
  'given a part that cannot be loaded, when it is asked for, then that is a fault, and the others answer',
  async (t) => {
    const { url } = await serve(t, program, { OTEP_TEST_ABSENT: 'graphql' })
    for (const _ of [1, 2]) {
      const answer = await fetch(`${url}/graphql`, post({ query: '{ __typename }' }))
      t.equal(answer.status, 500)
      t.match(await answer.json(), { result: false, code: 'internal' })
    }
    t.equal((await fetch(`${url}/healthz`)).status, 200)
    t.match(await (await fetch(`${url}/metrics`)).text(), /route="\/graphql",status="5xx"/)
  },
)

t.test('given linked data in full, when it is asked for, then its library is loaded and writes it', async (t) => {
  const { env, loaded } = settings(t)
  const example = join('docs', 'examples', 'happy-path.json')
  const words = ['project', example, '--format', 'onerecord', '--accept']
  const project = (type: string) => spawnSync(process.execPath, [...watched, program, ...words, type], { env })
  t.match(JSON.parse(String(project('application/ld+json').stdout)), { '@type': 'api:Collection' })
  t.notOk(loaded().includes('jsonld'))
  const expanded = project('application/ld+json; profile="http://www.w3.org/ns/json-ld#expanded"')
  t.match(JSON.parse(String(expanded.stdout)), [{ '@type': ['https://onerecord.iata.org/ns/api#Collection'] }])
  t.ok(loaded().includes('jsonld'))
})

t.test('given a collector and no exporter, when the server starts, then one line says what to install', async (t) => {
  const name = '@opentelemetry/exporter-trace-otlp-http'
  const absent = { OTEP_TEST_ABSENT: name, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }
  const { env } = settings(t, absent)
  const { status, stdout, stderr } = spawnSync(process.execPath, [...watched, program, 'serve'], { env })
  t.equal(status, 1)
  t.equal(String(stdout), '')
  t.match(String(stderr), /^Traces to a collector need a package that is not installed: npm i \S+@\d+\.\d+\.\d+\n$/)
  t.match(String(stderr), name)
})

const example = projectFile('docs', 'examples', 'happy-path.ndjson')

/** Starts backups in a directory; `line` waits for the next line of an output, and `stop` returns the exit code. */
function backups(t: Test, env: NodeJS.ProcessEnv, words: readonly string[]) {
  const child = spawn(process.execPath, [program, 'backup', ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  t.teardown(() => child.kill('SIGKILL'))
  const ended = once(child, 'exit') as Promise<[number | null]>
  const [out, err] = [createInterface({ input: child.stdout }), createInterface({ input: child.stderr })]
  const line = async (output: 'out' | 'err') => ((await once(output === 'out' ? out : err, 'line')) as [string])[0]
  const stop = async () => {
    child.kill('SIGTERM')
    return (await ended)[0]
  }
  return { line, stop }
}

const nameAt = (time: number) => `otep-${new Date(time).toISOString().slice(0, 19).replaceAll(':', '-')}Z.db`

t.test('given a store, when backups are made every minute, then a new one comes in time and old ones go', async (t) => {
  const { env } = settings(t)
  spawnSync(process.execPath, [program, 'ingest', example], { env })
  const directory = join(String(env.OTEP_DATA_DIR), '..', 'backups')
  mkdirSync(directory)
  const [oldest, old] = [nameAt(Date.now() - 3_600_000), nameAt(Date.now() - 57_000)]
  for (const name of [oldest, old, 'otep-mine.db']) writeFileSync(join(directory, name), '')

  const { line, stop } = backups(t, env, [directory, '--every', '1m', '--keep', '2', '--json'])
  t.match(JSON.parse(await line('out')), { events: 13, file: directory })
  t.equal(await stop(), 0)
  const [first, second, ...others] = readdirSync(directory).sort()
  t.same([first, others], [old, ['otep-mine.db']], 'the oldest has gone, and what is not ours stays')
  const { status } = spawnSync(process.execPath, [program, 'verify', join(directory, String(second))], { env })
  t.equal(status, 0, 'the new one is whole')
})

t.test('given backups every minute, when one fails, then that is said, and the others stay', async (t) => {
  const { env } = settings(t)
  const directory = join(String(env.OTEP_DATA_DIR), '..', 'backups')
  for (const made of [directory, String(env.OTEP_DATA_DIR)]) mkdirSync(made)
  writeFileSync(join(String(env.OTEP_DATA_DIR), 'otep.db'), 'this is no store')
  writeFileSync(join(directory, nameAt(Date.now() - 59_000)), '')
  const { line, stop } = backups(t, env, [directory, '--every', '1m', '--keep', '1'])
  t.match(await line('err'), /^No backup was made: /)
  t.equal(readdirSync(directory).length, 1)
  t.equal(await stop(), 0)
})

t.test('given no time, when backups are kept, then one is made; and what is not understood ends with 2', async (t) => {
  const { env } = settings(t)
  spawnSync(process.execPath, [program, 'ingest', example], { env })
  const directory = join(String(env.OTEP_DATA_DIR), '..', 'backups')
  const backup = (...words: readonly string[]) => spawnSync(process.execPath, [program, 'backup', ...words], { env })
  t.equal(backup(directory, '--keep', '1').status, 0)
  t.equal(readdirSync(directory).length, 1)
  for (const words of [
    ['--every', '1d'],
    ['--keep', '0'],
    ['--keep', '1', '--every', '1w'],
    ['--keep', '1', '--force'],
  ])
    t.equal(backup(`${directory}-2`, ...words).status, 2, words.join(' '))
  t.notOk(existsSync(`${directory}-2`))
})

t.test('given each command, when bash completes it, then its verbs and options are offered', async (t) => {
  const script = join(t.testdir({}), 'completion.bash')
  const printed = spawnSync(process.execPath, [program, 'completion', 'bash'], { encoding: 'utf8' })
  writeFileSync(script, printed.stdout)
  const lines = [['ser'], ['provider', ''], ['help', 'val'], ['show', 'x', ''], ['serve', '--port', '']]
  const asked = [...lines, ...commands.map(({ name }) => [name, '--'])]
  const calls = asked.map((words) => {
    const list = ['otep', ...words].map((word) => `'${word}'`).join(' ')
    return `COMP_WORDS=(${list}); COMP_CWORD=${words.length}; _otep; echo "\${COMPREPLY[*]}"`
  })
  const source = [`source '${script}'`, ...calls].join('\n')
  const { status, stdout } = spawnSync('bash', ['--norc', '-c', source], { encoding: 'utf8' })
  t.equal(status, 0)
  const offered = stdout.trimEnd().split('\n')
  t.same(offered.slice(0, lines.length), ['serve', 'add rotate list revoke webhook', 'validate', '', ''])
  for (const [index, { name, options }] of commands.entries()) {
    const expected = [...Object.keys(options), 'help'].map((option) => `--${option}`)
    t.same(offered[lines.length + index]?.split(' '), expected, name)
  }
})

t.test('given a second, when the formats are measured, then each has its figures, and nothing is stored', (t) => {
  const { env } = settings(t)
  const { status, stdout } = spawnSync(process.execPath, [program, 'bench', '--seconds', '1', '--json'], { env })
  t.equal(status, 0)
  const { machine, figures } = JSON.parse(String(stdout))
  t.match(machine, { cores: Number, node: process.versions.node })
  t.same(
    figures.map(({ format }: { format: string }) => format),
    projections.map(({ name }) => name),
  )
  for (const { format, ...rates } of figures)
    for (const [name, figure] of Object.entries(rates)) t.ok(Number(figure) > 0, `${format}: ${name}`)
  t.notOk(existsSync(env.OTEP_DATA_DIR))
  t.end()
})

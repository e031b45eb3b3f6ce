import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t from 'tap'
import { parse } from 'yaml'
import { program, projectFile } from '../../conformance/program/files.ts'
import { addProvider } from '../../conformance/program/provider.ts'
import { startServer } from '../../conformance/program/server.ts'

const textOf = (...path: readonly string[]) => readFileSync(projectFile('docs', 'deploy', ...path), 'utf8')

/** What a query asks of a series: its name, and the labels that it names. */
interface Selector {
  readonly name: string
  readonly labels: readonly string[]
}

const words = new Set(['by', 'without', 'on', 'ignoring', 'and', 'or', 'unless', 'offset', 'bool', 'group_left'])

/** The selectors of a query in PromQL. */
function selectorsIn(query: string): readonly Selector[] {
  const plain = query
    .replaceAll(/"(\\.|[^"])*"/g, '""')
    .replaceAll(/\b(by|without|on|ignoring) *\([^)]*\)/g, ' ')
    .replaceAll(/\[[^\]]*\]/g, '')
  return [...plain.matchAll(/\b([a-zA-Z_:][\w:]*)\b(?! *\()(?:\{([^}]*)\})?/g)].flatMap(([, name = '', labels = '']) =>
    words.has(name) || isInBraces(plain, name) || /^\d|^[smhd]$/.test(name)
      ? []
      : { name, labels: [...labels.matchAll(/(\w+) *[=!]/g)].map(([, label = '']) => label) },
  )
}

/** Whether a word is only ever the name of a label. */
function isInBraces(query: string, name: string): boolean {
  return !new RegExp(`\\b${name}\\b`).test(query.replaceAll(/\{[^}]*\}/g, ''))
}

/** The queries of the alerts and of the dashboard, by where they are. */
function queries(): readonly (readonly [string, string])[] {
  const { groups } = parse(textOf('prometheus', 'alerts.yml')) as {
    groups: readonly { rules: readonly { alert: string; expr: string }[] }[]
  }
  const { panels, annotations } = JSON.parse(textOf('grafana', 'otep.json')) as {
    panels: readonly { title: string; targets?: readonly { expr: string }[] }[]
    annotations: { list: readonly { name: string; expr: string }[] }
  }
  return [
    ...groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => [alert, expr] as const)),
    ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)),
    ...annotations.list.map(({ name, expr }) => [name, expr] as const),
  ]
}

/** The labels of each series that a server exports; of a histogram also the names of its parts. */
function seriesIn(metrics: string): ReadonlyMap<string, ReadonlySet<string>> {
  const series = new Map<string, Set<string>>()
  for (const [, name = '', type] of metrics.matchAll(/^# TYPE (\w+) (\w+)$/gm))
    for (const end of type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']) series.set(name + end, new Set())
  for (const [, name = '', labels = ''] of metrics.matchAll(/^(\w+)(?:\{(.*)\})? /gm))
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) series.get(name)?.add(label)
  return series
}

/** Labels that Prometheus adds itself. */
const added = ['instance', 'job']

t.test('given a query, then its selectors are found', async (t) => {
  t.same(
    selectorsIn(
      'sum by (le) (rate(a_bucket{x="b{c}", y!~"d"}[5m])) / on(z) b > 0.5 and topk(8, c offset 2m) < 14 * 86400',
    ),
    [
      { name: 'a_bucket', labels: ['x', 'y'] },
      { name: 'b', labels: [] },
      { name: 'c', labels: [] },
    ],
  )
})

t.test(
  'given a server at work, when its metrics are read, then it has all that alerts and dashboard ask for',
  async (t) => {
    const dataDir = join(t.testdir({}), 'data')
    const server = await startServer(program, dataDir)
    t.teardown(() => server.stop())
    const url = `http://127.0.0.1:${server.port}`
    const key = await addProvider('demo', ['--data-dir', dataDir, '--expires', '30d'])
    const body = readFileSync(projectFile('docs', 'examples', 'happy-path.json'))
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    t.equal((await fetch(`${url}/api/v1/otep/ingest`, { method: 'POST', headers, body })).status, 200)
    t.equal((await fetch(`${url}/api/v1/otep/trackings/SR260610041?format=epcis`)).status, 200)
    const series = seriesIn(await (await fetch(`${url}/metrics`)).text())
    for (const [place, query] of queries()) {
      const selectors = selectorsIn(query)
      t.ok(selectors.length > 0, `${place} asks for something`)
      for (const { name, labels } of selectors.filter(({ name }) => name !== 'up')) {
        t.ok(series.has(name), `${place}: ${name} is exported`)
        const own = series.get(name) ?? new Set()
        const missing = labels.filter((label) => !added.includes(label) && !own.has(label))
        // A series that appears only when something was sent to a receiver has no labels here.
        if (own.size > 0) t.same(missing, [], `${place}: ${name} has these labels`)
      }
    }
  },
)

t.test('given the service of systemd, when its command runs with the secret, then the server has it', async (t) => {
  const directory = t.testdir({ 'secret.key': `${randomBytes(32).toString('base64')}\n` })
  const [, command = ''] = /^ExecStart=\/bin\/sh -c '(.*)'$/m.exec(textOf('systemd', 'otep.service')) ?? []
  const line = command
    .replaceAll('$$', '$')
    .replace('/opt/otep/node_modules/.bin/otep', `'${process.execPath}' '${program}'`)
  const own = { CREDENTIALS_DIRECTORY: directory, OTEP_DATA_DIR: join(directory, 'data'), PORT: '0', HOST: '127.0.0.1' }
  const env = { ...process.env, ...own }
  const server = spawn('sh', ['-c', line], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  t.teardown(() => server.kill('SIGKILL'))
  const [said] = (await once(createInterface({ input: server.stdout }), 'line')) as [string]
  t.match(said, /listens on http/)
  const ended = once(server, 'exit')
  server.kill('SIGTERM')
  t.same(await ended, [0, null], 'the shell has given its place to the server')
  t.notOk(existsSync(join(directory, 'data', 'secret.key')), 'no secret was made')
})

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import t, { type Test } from 'tap'
import { parseAllDocuments } from 'yaml'
import { helpOption, parserOptions } from '../../adapters/cli/command.ts'
import { commands } from '../../adapters/cli/commands.ts'
import { configFrom } from '../../adapters/node/config.ts'
import { projectFile } from '../../conformance/program/files.ts'

const folder = projectFile('docs', 'deploy')
const textOf = (...path: readonly string[]) => readFileSync(join(folder, ...path), 'utf8')

type Tree = { readonly [name: string]: Tree } & { readonly [index: number]: Tree }

/** The documents of a YAML file. Throws for a file that is not valid, a key that is there twice included. */
function documentsIn(...path: readonly string[]): readonly Tree[] {
  const documents = parseAllDocuments(textOf(...path), { merge: true, prettyErrors: true })
  if (!Array.isArray(documents)) throw new Error(`${path.join('/')} is empty`)
  for (const { errors, warnings } of documents) for (const problem of [...errors, ...warnings]) throw problem
  return documents.map((document) => document.toJS() as Tree)
}

const entriesOf = (tree: Tree | undefined): readonly (readonly [string, Tree])[] => Object.entries(tree ?? {})
const listOf = (tree: Tree | undefined): readonly Tree[] => (Array.isArray(tree) ? tree : [])
const namesIn = (tree: Tree | undefined) => (Array.isArray(tree) ? tree.map(String) : Object.keys(tree ?? {}))

/** Given where a secret is asked for. */
const given: Readonly<Record<string, string>> = {
  OTEP_HOST: 'tracking.example',
  OTEP_SECRET_KEY: '0'.repeat(64),
  GRAFANA_PASSWORD: 'secret',
  OTEP_STORE: 'esdb://one:2113?tls=true&tlsCAFile=/ca/ca.crt',
}

const filledIn = (text: string) => text.replaceAll(/\$\{(\w+):\?[^}]*\}/g, (_, name: string) => given[name] ?? '')

/** The variables that the engine reads. What a file sets must be one of them: a misspelt one would have no effect. */
const known = new Set(
  textOf('..', 'how-to', 'run-the-server.md')
    .match(/(?<=^\| `)[A-Z_]+(?=`)/gm)
    ?.concat('OTEP_DATA_DIR', 'NODE_ENV'),
)

function checkSettings(t: Test, settings: readonly (readonly [string, string])[]): void {
  t.same(
    settings.flatMap(([name]) => (known.has(name) ? [] : name)),
    [],
    'every variable is one of the engine',
  )
  t.doesNotThrow(() => configFrom(Object.fromEntries(settings)), 'the engine takes the settings')
}

/** Checks a command line of the program as the program itself does. */
function checkCommand(t: Test, [name, ...args]: readonly string[]): void {
  const command = commands.find((one) => one.name === name)
  const options = parserOptions({ ...command?.options, ...helpOption })
  t.ok(command, `there is a command ${name}`)
  t.doesNotThrow(() => parseArgs({ args, options, allowPositionals: true, strict: true }), args.join(' '))
}

for (const file of readdirSync(join(folder, 'compose'))) {
  t.test(`given compose/${file}, then what it names is there, and the engine takes its settings`, async (t) => {
    const [own = {} as Tree] = documentsIn('compose', file)
    const [base = {} as Tree] = file === 'monitoring.yaml' ? documentsIn('compose', 'compose.yaml') : []
    const declared = (kind: string) => [...namesIn(own[kind]), ...namesIn(base[kind])]
    for (const [name, service] of entriesOf(own.services)) {
      for (const network of namesIn(service.networks))
        t.ok(declared('networks').includes(network), `${name}: ${network}`)
      for (const other of namesIn(service.depends_on)) t.ok(own.services?.[other], `${name} depends on ${other}`)
      for (const mount of listOf(service.volumes).map(String)) {
        const [source = ''] = mount.split(':')
        const isThere = source.startsWith('.')
          ? existsSync(join(folder, 'compose', source))
          : declared('volumes').includes(source)
        t.ok(isThere, `${name} mounts ${source}`)
      }
      if (String(service.image) !== 'otep-engine') continue
      checkSettings(
        t,
        entriesOf(service.environment).map(([key, value]) => [key, filledIn(String(value))]),
      )
      checkCommand(t, service.command === undefined ? ['serve'] : listOf(service.command).map(String))
    }
  })
}

for (const file of readdirSync(join(folder, 'kubernetes'))) {
  t.test(`given kubernetes/${file}, then its parts fit together, and the engine takes its settings`, async (t) => {
    const all = documentsIn('kubernetes', file)
    const ofKind = (...kinds: readonly string[]) => all.find(({ kind }) => kinds.includes(String(kind))) ?? ({} as Tree)
    const workload = ofKind('StatefulSet', 'Deployment').spec ?? ({} as Tree)
    const pod = workload.template?.spec ?? ({} as Tree)
    const container = pod.containers?.[0] ?? ({} as Tree)
    const labels = workload.template?.metadata?.labels
    const ports = new Map(
      listOf(container.ports).map(({ name, containerPort }) => [String(name), Number(containerPort)]),
    )
    const settings = listOf(container.env).map(
      ({ name, value }) => [String(name), String(value ?? given[String(name)])] as const,
    )

    t.same(workload.selector?.matchLabels, labels)
    t.same(ofKind('Service').spec?.selector, labels)
    t.same(ofKind('PodDisruptionBudget').spec?.selector?.matchLabels, labels)
    t.same(ofKind('Service').spec?.ports?.[0]?.targetPort, 'http')
    const backend = ofKind('Ingress').spec?.rules?.[0]?.http?.paths?.[0]?.backend?.service
    t.same(backend, { name: ofKind('Service').metadata?.name, port: { name: 'http' } })
    checkSettings(t, settings)
    t.equal(ports.get('http'), configFrom(Object.fromEntries(settings)).port)
    t.equal(ports.get('metrics'), configFrom(Object.fromEntries(settings)).metricsAddress?.port)

    for (const [probe, path] of [
      ['startupProbe', '/healthz'],
      ['livenessProbe', '/healthz'],
      ['readinessProbe', '/readyz'],
    ] as const)
      t.match(container[probe]?.httpGet, { path, port: 'http' }, probe)
    t.match(pod.securityContext, { runAsNonRoot: true, runAsUser: 1000 })
    t.match(container.securityContext, { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true })
    t.match(container.resources, { requests: { cpu: String, memory: String }, limits: { memory: String } })
    const volumes = [...listOf(pod.volumes), ...listOf(workload.volumeClaimTemplates).map(({ metadata }) => metadata)]
    const mounted = listOf(container.volumeMounts).map(({ name }) => String(name))
    t.same(mounted.sort(), volumes.map((volume) => String(volume?.name)).sort(), 'each volume is mounted, and declared')
    const grace = Number(pod.terminationGracePeriodSeconds)
    t.ok(grace > Number(new Map(settings).get('OTEP_DRAIN_SECONDS')) + 5, 'there is time to drain and to finish calls')
    const budget = ofKind('PodDisruptionBudget').spec
    t.ok(Number(budget?.minAvailable ?? 0) < Number(workload.replicas), 'a node can be drained')
  })
}

t.test('given the services of systemd, then the engine takes their settings and commands', async (t) => {
  const lines = textOf('systemd', 'otep.env').split('\n')
  checkSettings(
    t,
    lines.flatMap((line) => {
      const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? []
      return name === '' ? [] : [[name, value] as const]
    }),
  )
  for (const unit of ['otep.service', 'otep-backup.service']) {
    const [, words = ''] = /^ExecStart=.*bin\/otep ([^'\n]+)/m.exec(textOf('systemd', unit)) ?? []
    checkCommand(t, words.split(' '))
  }
})

t.test('given the dashboard and its provisioning, then Grafana finds one in the other', async (t) => {
  const { uid, panels } = JSON.parse(textOf('grafana', 'otep.json')) as { uid: string; panels: readonly Tree[] }
  t.equal(uid, 'otep-engine')
  const ids = panels.map(({ id }) => Number(id))
  t.equal(new Set(ids).size, ids.length, 'the ids of panels differ')
  const [sources] = documentsIn('grafana', 'provisioning', 'datasources', 'prometheus.yml')
  t.match(sources?.datasources?.[0], { type: 'prometheus', url: 'http://prometheus:9090' })
  const [monitoring] = documentsIn('compose', 'monitoring.yaml')
  const [dashboards] = documentsIn('grafana', 'provisioning', 'dashboards', 'otep.yml')
  const path = String(dashboards?.providers?.[0]?.options?.path)
  const mounts = listOf(monitoring?.services?.grafana?.volumes).map(String)
  t.ok(mounts.some((mount) => mount.includes(`/${basename('otep.json')}:${path}/`)))
})

t.test('given a YAML file with a key twice, then it is refused', async (t) => {
  t.ok(parseAllDocuments('a: 1\na: 2\n')[0]?.errors.length)
})

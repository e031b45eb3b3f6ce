import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { program, projectFile } from '../../conformance/program/files.ts'
import { addProvider } from '../../conformance/program/provider.ts'
import { startServer } from '../../conformance/program/server.ts'

const folder = projectFile('docs', 'deploy')
const at = (...path: readonly string[]) => join(folder, ...path)

/** Why a test that needs a program is skipped, if it is not here. */
function without(name: string): { readonly skip: string | false } {
  const { error } = spawnSync(name, ['--version'])
  return { skip: error !== undefined && `there is no ${name}` }
}

/** Runs a checker, which says nothing is wrong by ending with 0. */
function check(t: Test, name: string, args: readonly string[], cwd = folder): void {
  const { status, stdout, stderr } = spawnSync(name, args, { cwd, encoding: 'utf8', timeout: 60_000 })
  t.equal(status, 0, `${name} ${args.join(' ')}`, { stdout, stderr })
}

t.test(
  'promtool takes the configuration and the alerts, which fire when they should',
  without('promtool'),
  async (t) => {
    check(t, 'promtool', ['check', 'config', at('prometheus', 'prometheus.yml')])
    check(t, 'promtool', ['check', 'rules', at('prometheus', 'alerts.yml')])
    check(t, 'promtool', ['test', 'rules', at('prometheus', 'alerts.test.yml')])
  },
)

t.test('shellcheck finds nothing in the scripts', without('shellcheck'), async (t) => {
  for (const script of ['otep', 'install', 'publish']) check(t, 'shellcheck', [at('systemd', script)])
})

t.test('kubectl can read the manifests', without('kubectl'), async (t) => {
  for (const file of readdirSync(at('kubernetes'))) {
    const directory = t.testdir({ 'kustomization.yaml': `resources: [${file}]\n` })
    cpSync(at('kubernetes', file), join(directory, file))
    check(t, 'kubectl', ['kustomize', directory])
  }
})

t.test('systemd takes the services, and finds them well protected', without('systemd-analyze'), async (t) => {
  const directory = t.testdir({})
  for (const unit of ['otep.service', 'otep-backup.service']) {
    // Where the program is not installed, the unit would name one that is missing.
    const source = readFileSync(at('systemd', unit), 'utf8')
    writeFileSync(join(directory, unit), source.replace('=/opt/otep/node_modules/.bin/otep', '=/bin/true'))
    check(t, 'systemd-analyze', ['verify', '--man=no', join(directory, unit)])
    check(t, 'systemd-analyze', ['security', '--offline=true', '--threshold=20', join(directory, unit)])
  }
})

t.test(
  'given Prometheus beside a server, when it has looked, then it knows the server, and takes all that the dashboard asks',
  without('prometheus'),
  async (t) => {
    const directory = t.testdir({})
    const server = await startServer(program, join(directory, 'data'))
    t.teardown(() => server.stop())
    cpSync(at('prometheus', 'alerts.yml'), join(directory, 'alerts.yml'))
    const settings = readFileSync(at('prometheus', 'prometheus.yml'), 'utf8')
      .replace('otep:9464', `127.0.0.1:${server.port}`)
      .replace('scrape_interval: 15s', 'scrape_interval: 1s')
    writeFileSync(join(directory, 'prometheus.yml'), settings)
    const port = await freePort()
    const options = [
      '--config.file=prometheus.yml',
      '--storage.tsdb.path=series',
      `--web.listen-address=127.0.0.1:${port}`,
    ]
    const prometheus = spawn('prometheus', options, { cwd: directory, stdio: 'ignore' })
    const ended = once(prometheus, 'exit')
    t.teardown(async () => {
      prometheus.kill()
      await ended
    })
    const api = async (path: string) =>
      (await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)).json() as Promise<Answer>
    const query = (text: string) => api(`query?query=${encodeURIComponent(text)}`)
    await until(async () => (await query('up{job="otep"} == 1')).data?.result?.length === 1)
    t.match(await query('otep_build_info'), { data: { result: [{ metric: { job: 'otep' } }] } })

    const rules = (await api('rules')).data?.groups?.flatMap((group) => group.rules) ?? []
    t.ok(rules.length > 10)
    for (const { name, lastError = '' } of rules) t.equal(lastError, '', name)
    const { panels } = JSON.parse(readFileSync(at('grafana', 'otep.json'), 'utf8')) as {
      panels: readonly { title: string; targets?: readonly { expr: string }[] }[]
    }
    for (const { title, targets = [] } of panels)
      for (const { expr } of targets)
        t.match(
          await query(expr.replaceAll('$instance', '.*').replaceAll('$__rate_interval', '1m')),
          { status: 'success' },
          title,
        )
  },
)

interface Answer {
  readonly status: string
  readonly data?: {
    readonly result?: readonly unknown[]
    readonly groups?: readonly { readonly rules: readonly { readonly name: string; readonly lastError?: string }[] }[]
  }
}

/** What a proxy of a test is given: its own directory, and the ports of its two sides. */
interface Place {
  readonly directory: string
  readonly port: number
  readonly plain: number
  readonly upstream: number
}

/** Proxies by name: their files, and the program that serves them. */
const proxies: Readonly<
  Record<string, (place: Place) => readonly [check: readonly string[], serve: readonly string[]]>
> = {
  caddy({ directory, port, plain }) {
    const file = join(directory, 'Caddyfile')
    const options = `admin off\nskip_install_trust\nhttp_port ${plain}\nhttps_port ${port}\nstorage file_system ${directory}\n`
    writeFileSync(file, `{\n${options}}\n${readFileSync(at('proxy', 'Caddyfile'), 'utf8')}`)
    const words = ['--adapter', 'caddyfile', '--config', file]
    return [
      ['validate', ...words],
      ['run', ...words],
    ]
  },
  nginx({ directory, port, plain, upstream }) {
    const certificate = ['-newkey', 'rsa:2048', '-nodes', '-x509', '-days', '1', '-subj', '/CN=localhost']
    spawnSync('openssl', ['req', ...certificate, '-keyout', 'key.pem', '-out', 'cert.pem'], { cwd: directory })
    const changes = [
      [/ +listen \[::\].*\n/g, ''],
      [/listen 80;/, `listen 127.0.0.1:${plain};`],
      [/listen 443 /, `listen 127.0.0.1:${port} `],
      [/127\.0\.0\.1:3000/, `127.0.0.1:${upstream}`],
      [/\S+fullchain\.pem/, join(directory, 'cert.pem')],
      [/\S+privkey\.pem/, join(directory, 'key.pem')],
    ] as const
    const site = changes.reduce(
      (text, [old, changed]) => text.replace(old, changed),
      readFileSync(at('proxy', 'nginx.conf'), 'utf8'),
    )
    writeFileSync(join(directory, 'site.conf'), site)
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${directory}/${name};`,
    )
    const http = `access_log off; ${temporary.join(' ')} include ${directory}/site.conf;`
    const main = `daemon off; pid ${directory}/pid; error_log stderr; events {} http { ${http} }`
    writeFileSync(join(directory, 'nginx.conf'), main)
    const words = ['-e', 'stderr', '-p', directory, '-c', join(directory, 'nginx.conf')]
    return [['-t', ...words], words]
  },
}

for (const [name, prepare] of Object.entries(proxies)) {
  t.test(
    `given ${name} before a server, when it is asked over TLS, then it passes what it should`,
    without(name),
    async (t) => {
      const directory = t.testdir({})
      const settings = { OTEP_TRUSTED_PROXIES: '127.0.0.1', OTEP_LIMITS: 'public_reads=1/s:40' }
      const server = await startServer(program, join(directory, 'data'), [], [], settings)
      t.teardown(() => server.stop())
      const place = { directory, port: await freePort(), plain: await freePort(), upstream: server.port }
      const [checking, serving] = prepare(place)
      const env = { ...process.env, OTEP_HOST: 'localhost', OTEP_UPSTREAM: `127.0.0.1:${server.port}`, HOME: directory }
      const checked = spawnSync(name, checking, { env, encoding: 'utf8' })
      t.equal(checked.status, 0, 'its configuration is valid', checked)
      const proxy = spawn(name, serving, { env, stdio: 'ignore' })
      const ended = once(proxy, 'exit')
      t.teardown(async () => {
        proxy.kill()
        await ended
      })
      const ask = (path: string, options: Asked = {}) => askOverTls(place.port, path, options)
      await until(async () => (await ask('/openapi.json')).status === 200)

      const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${await keyIn(directory)}` }
      const timeline = JSON.parse(readFileSync(projectFile('docs', 'examples', 'happy-path.json'), 'utf8'))
      const push = (events: readonly unknown[]) =>
        ask('/api/v1/otep/ingest', { method: 'POST', headers, body: JSON.stringify({ ...timeline, events }) })

      t.equal((await push(timeline.events.slice(0, 2))).status, 200, 'a push')
      t.match((await ask('/track/SR260610041')).body, '<html', 'a page')
      for (const path of ['/healthz', '/readyz', '/metrics'])
        t.equal((await ask(path)).status, 404, `${path} is not public`)

      await t.test('then an event reaches a live page at once', async (t) => {
        const { response } = await openOverTls(place.port, '/api/v1/otep/trackings/SR260610041/stream')
        t.match(response.headers['content-type'], 'text/event-stream')
        const seen = new Promise<string>((resolve) => {
          let all = ''
          response.setEncoding('utf8').on('data', (part: string) => {
            all += part
            if (/^event: tracking$/m.test(all)) resolve(all)
          })
        })
        t.equal((await push(timeline.events)).status, 200)
        t.match(await seen, /^data: /m)
        response.destroy()
      })

      await t.test('then a caller who claims other addresses still has one limit', async (t) => {
        const statuses = new Set<number>()
        for (let index = 0; index < 80; index++)
          statuses.add(
            (await ask('/api/v1/otep/trackings/SR260610041', { headers: { 'X-Forwarded-For': `9.9.9.${index}` } }))
              .status,
          )
        t.same([...statuses], [200, 429])
        const metrics = await (await fetch(`http://127.0.0.1:${server.port}/metrics`)).text()
        t.match(metrics, /^otep_untrusted_forwarding_total 0$/m, 'the proxy is trusted')
      })
    },
  )
}

interface Asked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

function openOverTls(port: number, path: string, { method = 'GET', headers = {}, body }: Asked = {}) {
  return new Promise<{ readonly response: IncomingMessage }>((resolve, reject) => {
    // The certificate is one of this test.
    const options = {
      host: 'localhost',
      servername: 'localhost',
      port,
      path,
      method,
      headers,
      rejectUnauthorized: false,
    }
    request({ ...options, agent: false }, (response) => resolve({ response }))
      .on('error', reject)
      .end(body)
  })
}

async function askOverTls(port: number, path: string, asked: Asked) {
  const { response } = await openOverTls(port, path, asked)
  return { status: response.statusCode ?? 0, body: await text(response) }
}

/** Waits until something holds that may fail until then. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (await holds().catch(() => false)) return
    await setTimeout(100)
  }
  throw new Error('It took longer than a minute.')
}

function keyIn(directory: string): Promise<string> {
  return addProvider('demo', ['--data-dir', join(directory, 'data')])
}

/** A port of the loopback that nothing listens on. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('There is no free port.')
  return address.port
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { program } from './program/files.ts'
import { addProvider } from './program/provider.ts'

/** A server of several processes. */
interface Server {
  readonly child: ChildProcess
  readonly url: string
  readonly port: number
  /** The lines of its log so far. */
  readonly log: readonly Readonly<Record<string, unknown>>[]
  /** Its exit code and signal, when it ends. */
  readonly ended: Promise<readonly [number | null, NodeJS.Signals | null]>
}

function spawnServer(dataDir: string, settings: Readonly<Record<string, string>>): ChildProcess {
  const env = { ...process.env, OTEP_LOG_LEVEL: 'info', OTEP_PUBLIC_VIEW: 'full', ...settings }
  const words = ['serve', '--port', '0', '--host', '127.0.0.1', '--data-dir', dataDir]
  return spawn(process.execPath, [program, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Starts a server and waits until all of its processes listen. */
async function serve(
  t: Test,
  dataDir: string,
  settings: Readonly<Record<string, string>> = { OTEP_LIMITS: 'off' },
  workers = 2,
): Promise<Server> {
  const child = spawnServer(dataDir, { OTEP_WORKERS: String(workers), ...settings })
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const log: Readonly<Record<string, unknown>>[] = []
  if (child.stdout === null || child.stderr === null) throw new Error('The server has no output.')
  createInterface({ input: child.stderr }).on('line', (line) => log.push(JSON.parse(line)))
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  t.match(line, new RegExp(`^otep listens on \\S+, ${workers} workers, with its store in `))
  const url = /http:\S+(?=,)/.exec(line)?.[0] ?? ''
  const server = { child, url, port: Number(new URL(url).port), log, ended }
  await until(() => pidsOf(server).length === workers)
  await until(async () => (await processes(server)) === workers)
  return server
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await setTimeout(50)
}

/** The processes that have said that they started, in the order in which they did. */
function pidsOf({ log }: Pick<Server, 'log'>): readonly number[] {
  return log.filter(({ msg }) => msg === 'started').map(({ pid }) => Number(pid))
}

/** Milliseconds for an answer: a connection that was just handed to a process that is killed never gets one. */
const patience = 2_000

/** One request over a separate connection, so that the processes take turns. */
async function ask({ port }: Pick<Server, 'port'>, method: string, path: string, key = '', body = ''): Promise<Answer> {
  const socket = connect(port, '127.0.0.1').setTimeout(patience, () => socket.destroy())
  const more = key === '' ? '' : `Authorization: Bearer ${key}\r\nContent-Type: application/json\r\n`
  const length = `Content-Length: ${Buffer.byteLength(body)}`
  socket.write(`${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${more}${length}\r\n\r\n${body}`)
  const answer = await text(socket)
  return { status: Number(answer.slice(9, 12)), body: answer.slice(answer.indexOf('\r\n\r\n') + 4) }
}

interface Answer {
  /** NaN if the connection ended without an answer. */
  readonly status: number
  readonly body: string
}

/** The value of a series without labels, or of those that match, in the metrics of the server. */
async function metric(server: Pick<Server, 'port'>, name: string): Promise<number> {
  const { body } = await ask(server, 'GET', '/metrics')
  const values = body.split(/\r?\n/).filter((line) => line.startsWith(name) && /[ {]/.test(line.charAt(name.length)))
  return values.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
}

const processes = (server: Pick<Server, 'port'>) => metric(server, 'otep_processes')

const requests = 'otep_http_request_duration_seconds_count'

const path = '/api/v1/otep'

const event = (parcel: number) =>
  JSON.stringify({
    subject: { tracking_number: `W${parcel}` },
    events: [{ event_id: `e-${parcel}`, status_code: 'in_transit', occurred_at: '2026-06-10T08:00:00Z' }],
  })

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

t.test(
  'given two workers, when events come, then both answer, each tells what the other recorded, and metrics are added up',
  async (t) => {
    const dataDir = t.testdir()
    const key = await addProvider('acme', ['--data-dir', dataDir])
    const server = await serve(t, dataDir)
    const parcels = Array.from({ length: 20 }, (_, parcel) => parcel)
    for (const parcel of parcels)
      t.match(await ask(server, 'POST', `${path}/ingest`, key, event(parcel)), { status: 200 })
    for (const parcel of parcels)
      for (const turn of ['first', 'second'])
        t.match(await ask(server, 'GET', `${path}/trackings/W${parcel}`), { status: 200, body: `e-${parcel}` }, turn)
    t.equal(await metric(server, 'otep_ingest_events_total'), 20)
    t.ok((await metric(server, 'otep_store_appended_events_total')) > 20)
    t.ok((await metric(server, requests)) >= 60)
    await until(() => server.log.filter(({ msg }) => msg === 'answered').length >= 60)
    const byWorker = (worker: number) => server.log.filter((line) => line.msg === 'answered' && line.worker === worker)
    t.ok(byWorker(1).length >= 20, 'the first worker has a share')
    t.ok(byWorker(2).length >= 20, 'the second worker has a share')

    server.child.kill('SIGTERM')
    t.same(await server.ended, [0, null])
    t.equal(server.log.filter(({ msg }) => msg === 'stopped').length, 2, 'each worker ends its work')
    t.notOk(pidsOf(server).some(isAlive))
  },
)

t.test('given a worker that is killed, when another has its place, then no acknowledged event is lost', async (t) => {
  const dataDir = t.testdir()
  const key = await addProvider('acme', ['--data-dir', dataDir])
  const server = await serve(t, dataDir)
  const acknowledged: number[] = []
  let parcel = 0
  let isOver = false
  const pushing = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      const own = parcel++
      const { status } = await ask(server, 'POST', `${path}/ingest`, key, event(own)).catch(() => ({ status: 0 }))
      if (status === 200) acknowledged.push(own)
      await setTimeout(20)
    }
  })
  for (let kill = 0; kill < 3; kill++) {
    const [before, victim] = [pidsOf(server).length, pidsOf(server).at(-1) ?? 0]
    process.kill(victim, 'SIGKILL')
    await until(() => pidsOf(server).length > before)
    t.match(server.log.filter(({ msg }) => msg === 'a worker ended by itself').at(-1), {
      level: 'error',
      signal: 'SIGKILL',
    })
  }
  isOver = true
  await Promise.all(pushing)
  await until(async () => (await processes(server)) === 2)
  t.ok(acknowledged.length > 0)
  for (const own of acknowledged)
    t.match(await ask(server, 'GET', `${path}/trackings/W${own}`), { status: 200, body: `e-${own}` })
})

t.test('given the first process is killed, then its workers end, and the store can be served again', async (t) => {
  const dataDir = t.testdir()
  const server = await serve(t, dataDir)
  server.child.kill('SIGKILL')
  await server.ended
  await until(() => !pidsOf(server).some(isAlive))
  await serve(t, dataDir)
})

t.test('given a limit, when one source asks all workers, then it has no more than that of one server', async (t) => {
  const limit = 20
  const server = await serve(t, t.testdir(), { OTEP_LIMITS: `public_reads=1/h:${limit}` })
  let admitted = 0
  for (let turn = 0; turn < 3 * limit; turn++) {
    const { status } = await ask(server, 'GET', `${path}/trackings/W1`)
    if (status === 404) admitted += 1
    else t.equal(status, 429)
    await setTimeout(20)
  }
  t.ok(admitted >= limit, 'a source has all tokens of the limit')
  t.ok(admitted < 2 * limit, `one alone would have given ${limit}, two on their own ${2 * limit}`)
  t.equal(await metric(server, 'otep_refused_requests_total'), 3 * limit - admitted)
})

t.test(
  'given a limit of connections, when one source has them at all workers, then they are counted together',
  async (t) => {
    const server = await serve(t, t.testdir(), { OTEP_LIMITS: 'connections=8' })
    const sockets = Array.from({ length: 8 }, () => connect(server.port, '127.0.0.1').on('error', () => {}))
    t.teardown(() => {
      for (const socket of sockets) socket.destroy()
    })
    for (const socket of sockets) if (socket.connecting) await once(socket, 'connect')
    const isRefused = async () =>
      Number.isNaN((await ask(server, 'GET', '/healthz').catch(() => ({ status: Number.NaN }))).status)
    await until(isRefused)
    await until(isRefused)
    for (const socket of sockets) socket.destroy()
    await until(async () => !(await isRefused()))
  },
)

t.test('given workers that cannot start, then the server ends and says why', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.teardown(() => taken.close())
  const { port } = taken.address() as { port: number }
  for (const [settings, words] of [
    [{ PORT: String(port) }, /Port \d+ of 127\.0\.0\.1 is taken/],
    [{ OTEP_STORE: 'memory:' }, /OTEP_WORKERS must be 1 with the store memory:/],
    [{ OTEP_WORKERS: '0' }, /OTEP_WORKERS must be auto or a number from 1 to 64, not 0/],
  ] as const) {
    const env = { ...process.env, OTEP_WORKERS: '2', OTEP_DATA_DIR: t.testdir(), HOST: '127.0.0.1', ...settings }
    const child = spawn(process.execPath, [program, 'serve'], { env, stdio: ['ignore', 'ignore', 'pipe'] })
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit') as Promise<[number]>])
    t.equal(code, 1)
    t.match(said, words)
  }
})

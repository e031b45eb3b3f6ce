import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { program } from '../../../conformance/program/files.ts'
import { office } from '../remote/office.test.fixture.ts'
import { lineOf } from './line.ts'

/** Runs `otep tail`; `line` waits for the next line, and `stop` presses Ctrl-C and returns the exit code. */
function tail(t: Test, words: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [program, 'tail', ...words], {
    env: { PATH: process.env.PATH, HOME: '/nonexistent', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  const ended = once(child, 'exit') as Promise<[number | null]>
  const out = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const said: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => said.push(line))
  const line = async () => (await out.next()).value as string
  const rest = async () => {
    const lines: string[] = []
    for (let next = await out.next(); next.done !== true; next = await out.next()) lines.push(next.value)
    return lines
  }
  const stop = async () => {
    child.kill('SIGINT')
    return { code: (await ended)[0], lines: await rest() }
  }
  return { line, stop, said, ended: async () => ({ code: (await ended)[0], lines: await rest() }) }
}

/** A way to a server that can be cut. */
async function wire(t: Test, url: string) {
  const sockets = new Set<Socket>()
  let made = 0
  let isOpen = true
  const server = createServer((socket) => {
    if (!isOpen) return void socket.destroy()
    made++
    const behind = connect(Number(new URL(url).port), '127.0.0.1')
    for (const one of [socket, behind]) {
      sockets.add(one)
      one.on('error', () => {}).on('close', () => sockets.delete(one))
    }
    socket.pipe(behind).pipe(socket)
    return undefined
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => made,
    cut: () => {
      isOpen = false
      for (const socket of sockets) socket.destroy()
    },
    mend: () => {
      isOpen = true
    },
  }
}

const codes = ['picked_up', 'in_transit', 'received', 'arrival_scan', 'delivered'] as const

/** Pushes events of a parcel with a key, so that each can be distinguished. */
function pusher(url: string, key: string) {
  let pushed = 0
  return async (number: string, status_code: string = codes[0]) => {
    const at = new Date(Date.UTC(2026, 5, 10, 10) + pushed++ * 60_000).toISOString()
    const body = { subject: { tracking_number: number }, event_id: `e${pushed}`, status_code, occurred_at: at }
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const response = await fetch(`${url}/api/v1/otep/ingest`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(await response.text())
    return `e${pushed}`
  }
}

const idIn = (line: string) => JSON.parse(line).event.event_id as string

for (const [name, words, withKey] of [
  ['one timeline, without a key', ['T1'], false],
  ['all that a provider reported', [], true],
] as const)
  t.test(`given ${name}, when the connection is cut again and again, then each event is printed once`, async (t) => {
    const { url, key } = await office(t, { OTEP_PUBLIC_VIEW: 'full' })
    const push = pusher(url, key)
    await push('T1')
    const way = await wire(t, url)
    const running = tail(t, [...words, '--json', '--url', way.url], withKey ? { OTEP_KEY: key } : {})
    const seen: string[] = []
    const expected: string[] = []
    while (way.connections() === 0) await setTimeout(20)
    await listening(url)
    for (let round = 0; round < 4; round++) {
      // The first cut comes before any event was sent.
      if (round !== 1) way.cut()
      for (const code of codes.slice(0, 3)) expected.push(await push('T1', code))
      const before = way.connections()
      way.mend()
      if (round !== 1) while (way.connections() === before) await setTimeout(20)
      while (seen.length < expected.length) seen.push(idIn(await running.line()))
    }
    t.same(seen, expected)
    t.match(await running.stop(), { code: 0, lines: [] })
    t.match(running.said, ['The connection is lost. Connecting again.', 'Connected again.'])
  })

/** Waits until a live response is open. */
async function listening(url: string) {
  for (;;) {
    const text = await (await fetch(`${url}/metrics`)).text()
    if (/^\w*live_streams\w* [1-9]/m.test(text)) return
    await setTimeout(20)
  }
}

t.test('given accounts and providers, when all is followed, then each sees its own and nothing else', async (t) => {
  const { url, key, operator, token } = await office(t)
  const { out: other } = await operator(['provider', 'add', 'beta', '--all-businesses'])
  const push = pusher(url, key)
  const pushOther = pusher(url, other.trim())
  const order = await fetch(`${url}/api/v1/orders`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ type: 'D', delivery: { name: 'Ana', address: { street: '1 Main St' } } }),
  })
  const number = String(((await order.json()) as Record<string, unknown>).tracking_number)
  const ofProvider = tail(t, ['--json', '--count', '2', '--url', url], { OTEP_KEY: key })
  const ofAccount = tail(t, ['--json', '--status', 'in_transit', '--count', '1', '--url', url], { OTEP_KEY: token })
  while (!/live_streams\w* 2/m.test(await (await fetch(`${url}/metrics`)).text())) await setTimeout(20)
  await pushOther('X1')
  await push('X1')
  await push(number, 'in_transit')
  const subjects = ({ lines }: { lines: readonly string[] }) =>
    lines.map((line) => JSON.parse(line).subject.tracking_number)
  t.same(subjects(await ofProvider.ended()), ['X1', number], 'nothing of another provider')
  t.same(subjects(await ofAccount.ended()), [number], 'nothing that is no order of the business')
  const refused = tail(t, ['--url', url], {})
  t.equal((await refused.ended()).code, 1)
  t.match(refused.said[0], /credentials/)
  const wrong = await fetch(`${url}/api/v1/otep/feed?last_event_id=7`, { headers: { Authorization: `Bearer ${key}` } })
  t.equal(wrong.status, 400)
})

t.test(
  'given a store, when it is followed, then lines come as another process records, and Ctrl-C ends it',
  async (t) => {
    const { url, key, dataDir } = await office(t)
    const push = pusher(url, key)
    const env = { OTEP_DATA_DIR: dataDir }
    const running = tail(t, [], env)
    const chosen = tail(t, ['--provider', 'nobody,acme', '--status', 'delivered', '--count', '1'], env)
    // A local reader says nothing when it begins, so events are pushed until it has seen one.
    let isSeen = false
    const first = running.line().then((line) => {
      isSeen = true
      return line
    })
    while (!isSeen) {
      await push('T2', 'in_transit')
      await setTimeout(50)
    }
    t.match(await first, /^2026-06-10 \d\d:\d\d .*T2 +in_transit +acme$/)
    let isEnded = false
    const last = chosen.ended().finally(() => {
      isEnded = true
    })
    while (!isEnded) {
      await push('T2', 'delivered')
      await setTimeout(50)
    }
    t.match(await last, { code: 0, lines: [/delivered/] })
    t.match(await running.stop(), { code: 0 })
    const slip = tail(t, ['--status', 'delivred'], env)
    t.equal((await slip.ended()).code, 2)
    t.match(slip.said, ['There is no status delivred. Did you mean delivered?'])
    const there = tail(t, ['--status', 'delivred', '--url', url], {})
    t.equal((await there.ended()).code, 2)
    t.same(there.said, slip.said)
  },
)

t.test(
  'given a change, when it is a line, then a terminal gets colours, and what others wrote controls nothing',
  async (t) => {
    const event = {
      ...{ event_id: 'e1', otep_version: '0.1', recorded_at: '2026-06-10T10:00:00Z' },
      ...{ occurred_at: '2026-06-10T12:00:00+02:00', status_code: 'delivered', phase: 'delivered' },
      description: 'at the door\u001b[2J\nX',
    }
    const change = { change: 'recorded', event, subject: { tracking_number: 'T1' }, delivered: true } as const
    t.equal(
      lineOf(change, false),
      '2026-06-10 12:00 +02:00  T1                delivered              at the door\uFFFD[2J\uFFFDX',
    )
    t.match(lineOf(change, true), '\u001b[32mdelivered             \u001b[0m')
    const { event: _, ...erased } = change
    t.match(lineOf({ ...erased, change: 'erased' }, true), /^ +T1 {2}erased$/)
  },
)

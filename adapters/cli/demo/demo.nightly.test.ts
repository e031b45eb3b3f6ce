import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { program } from '../../../conformance/program/files.ts'
import { amounts } from './plan.ts'

interface World {
  readonly url: string
  readonly tracking_numbers: readonly string[]
  readonly admin: { readonly email: string; readonly password: string; readonly key: string }
}

/** Runs `otep demo`; resolves when the world is there. */
async function demo(t: Test, ...words: readonly string[]) {
  const temporary = mkdtempSync(join(tmpdir(), 'otep-test-'))
  const child = spawn(process.execPath, [program, 'demo', '--port', '0', '--json', ...words], {
    env: { PATH: process.env.PATH, HOME: temporary, TMPDIR: temporary, OTEP_DATA_DIR: join(temporary, 'mine') },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.teardown(() => {
    child.kill('SIGKILL')
    rmSync(temporary, { recursive: true, force: true })
  })
  const ended = once(child, 'exit') as Promise<[number | null]>
  const said = createInterface({ input: child.stderr })
  const over = once(said, 'line') as Promise<[string]>
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const world = JSON.parse(line) as World
  const get = async (path: string) =>
    (await fetch(`${world.url}${path}`, { headers: { Authorization: `Bearer ${world.admin.key}` } })).json()
  const stop = async () => {
    child.kill('SIGINT')
    return (await ended)[0]
  }
  return { world, get, stop, over: async () => (await over)[0], temporary }
}

/** The codes and statuses of a world when its day is over, without times and ids. */
async function historyOf({ world, get }: Awaited<ReturnType<typeof demo>>) {
  const orders: unknown[] = []
  for (let page = 1; orders.length < amounts.orders; page++) {
    const { orders: found } = (await get(`/api/v1/orders?per_page=100&page=${page}`)) as { orders: readonly Order[] }
    orders.push(...found.map(({ tracking_number, status, reference }) => [tracking_number, status, reference]))
  }
  const { device_orders: stays = [] } = (await get('/api/v1/device-orders?per_page=100')) as {
    device_orders?: readonly Order[]
  }
  const body = JSON.stringify({ tracking_numbers: world.tracking_numbers })
  const headers = { 'Content-Type': 'application/json' }
  const answer = await fetch(`${world.url}/api/v1/otep/trackings/batch`, { method: 'POST', headers, body })
  const { data } = (await answer.json()) as {
    data: readonly { data?: { events: readonly { status_code: string }[] } }[]
  }
  const timelines = data.map((one) => one.data?.events.map(({ status_code }) => status_code).sort())
  return { orders: orders.sort(), timelines, stays: stays.map(({ status }) => status).sort() }
}

interface Order {
  readonly tracking_number: string
  readonly status: string
  readonly reference: string
}

t.test(
  'given two demos of one seed, when their days are over, then the worlds are the same, and nothing stays behind',
  async (t) => {
    const [one, two] = await Promise.all([demo(t, '--speed', '100000'), demo(t, '--speed', '100000')])
    t.match(await one.over(), /^The day is over\. Webhooks: [1-9]\d+ delivered, \d+ refused on purpose\.$/)
    t.match(await two.over(), /^The day is over/)
    const settled = async (made: typeof one) => {
      // Timelines follow the orders a moment later.
      let before: unknown
      for (;;) {
        const after = await historyOf(made)
        const delivered = after.orders.filter((order) => (order as string[])[1] === 'DELIVERED').length
        const told = after.timelines.slice(0, amounts.byDrivers).filter((codes) => codes?.includes('delivered')).length
        if (JSON.stringify(before) === JSON.stringify(after) && told === delivered) return after
        before = after
        await setTimeout(300)
      }
    }
    const first = await settled(one)
    t.same(await settled(two), first)
    const statuses = new Set(first.orders.map((order) => (order as string[])[1]))
    for (const status of ['DELIVERED', 'FAILED', 'NEW_ORDER']) t.ok(statuses.has(status), status)
    t.ok(
      first.timelines.every((codes) => (codes?.length ?? 0) > 1),
      'each order has a timeline',
    )
    const signedIn = await fetch(`${one.world.url}/api/v1/user/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: one.world.admin.email, password: one.world.admin.password }),
    })
    t.equal(signedIn.status, 200, 'a person can sign in')
    const late = await fetch(`${one.world.url}/track/${one.world.tracking_numbers[amounts.byDrivers]}`)
    t.equal(late.status, 200)
    t.equal(await one.stop(), 0)
    t.equal(await two.stop(), 0)
    t.same(readdirSync(one.temporary), [], 'the settings of the person and the temporary directory are untouched')
  },
)

import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '../main.ts'
import { configFrom } from '../node/config.ts'
import { wait } from '../node/wait.ts'
import { type Invocation, type Run, usageError } from './command.ts'
import { openPeople, type People } from './demo/people.ts'
import { amounts, day, type Plan, planOf } from './demo/plan.ts'
import { clockFrom, type Play, playOf } from './demo-play.ts'
import { fixedCredentials } from './remote/credentials.ts'
import { serverAt } from './remote/server.ts'
import { waitForSignal } from './signals.ts'
import { type Receiver, receive } from './webhooks/receiver.ts'

/** `otep demo`: serves a separate world with a day of work, until Ctrl-C. */
export const run: Run = async (invocation) => {
  if (invocation.positionals.length > 0) throw usageError('demo takes options only; see otep demo --help.')
  const { values, stdout, stderr } = invocation
  const speed = numberOf(values, 'speed', 60, 100_000)
  const seed = numberOf(values, 'seed', 1, 999_999)
  const port = numberOf(values, 'port', 3_000, 65_535, 0)
  const { directory, remove } = directoryOf(invocation)
  const hooks = { delivered: 0, refused: 0 }
  const receiver = await receive(0, receiving(hooks))
  const env = settings(directory, port)
  const closing = [receiver.close]
  try {
    const { url, stop } = await startServer(configFrom(env))
    closing.unshift(stop)
    const people = await openPeople({ ...invocation, env, values: {}, plugins: [], stderr: silent })
    await subscribe(url, people, receiver)
    const plan = planOf(seed)
    const clock = clockFrom(Date.now(), speed)
    const play = playOf(url, plan, people, clock)
    await play.begin()
    await play.play(plan.steps.filter(({ at }) => at <= day.ready))
    for (const number of shown(plan)) await isThere(`${url}/track/${number}`)
    const stopped = waitForSignal()
    stdout.write(
      values.json === true ? `${JSON.stringify(described(url, people, plan))}\n` : welcome(url, people, plan),
    )
    const stopping = new AbortController()
    const rest = plan.steps.filter(({ at }) => at > day.ready)
    const working = afternoon(rest, play, clock, stopping.signal).then(
      () =>
        stderr.write(`The day is over. Webhooks: ${hooks.delivered} delivered, ${hooks.refused} refused on purpose.\n`),
      (error: unknown) =>
        stderr.write(`The day has stopped: ${error instanceof Error ? error.message : String(error)}\n`),
    )
    await stopped
    stopping.abort()
    await working
    return 0
  } finally {
    for (const close of closing) await close()
    remove()
  }
}

const silent = { write: () => true, isTTY: false, columns: 80 } as unknown as Invocation['stderr']

function numberOf(values: Invocation['values'], name: string, usual: number, most: number, least = 1): number {
  const text = String(values[name] ?? usual)
  if (!/^\d{1,6}$/.test(text) || Number(text) < least || Number(text) > most)
    throw usageError(`--${name} takes a number from ${least} to ${most}.`)
  return Number(text)
}

/** An empty directory that stays, or one that is gone when the demo ends. */
function directoryOf({ values }: Invocation): { readonly directory: string; readonly remove: () => void } {
  const given = values['data-dir']
  if (typeof given !== 'string') {
    const directory = mkdtempSync(join(tmpdir(), 'otep-demo-'))
    return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) }
  }
  mkdirSync(given, { recursive: true })
  if (readdirSync(given).length > 0) throw usageError(`${given} is not empty. A demo makes its own world.`)
  return { directory: given, remove: () => {} }
}

/** The settings of the server. Those of the environment are for real ones. */
function settings(directory: string, port: number): Readonly<Record<string, string>> {
  return {
    ...{ OTEP_DATA_DIR: directory, PORT: String(port), HOST: '127.0.0.1', OTEP_BASE_URL: '' },
    // Nobody in it lives anywhere, so its pages show everything.
    OTEP_PUBLIC_VIEW: 'full',
    ...{ OTEP_LIMITS: 'off', OTEP_WEBHOOK_ALLOW: '127.0.0.0/8', OTEP_LOG_LEVEL: 'error' },
  }
}

/** A receiver of webhooks that takes most, and has one address that never works. */
function receiving(hooks: { delivered: number; refused: number }): Parameters<typeof receive>[1] {
  return {
    answer: ({ body }) => {
      const text = Buffer.from(body).toString()
      const challenge = /"challenge":"([^"]+)"/.exec(text)?.[1]
      if (challenge !== undefined) return { status: 200, body: JSON.stringify({ challenge }) }
      const isBroken = text.includes('"order.status_change"')
      hooks[isBroken ? 'refused' : 'delivered']++
      return { status: isBroken ? 500 : 200 }
    },
    passOver: () => {},
  }
}

/** Subscribes the receiver to orders and tracking events. */
async function subscribe(url: string, { admin }: People, receiver: Receiver): Promise<void> {
  const credentials = fixedCredentials('the key of the demo', admin.key)
  const server = serverAt({ url, credentials, language: '', userAgent: 'otep-demo', waiting: () => {} })
  await server.call('update_webhook_settings', {
    order_create_webhook_url: `${receiver.url}/orders`,
    tracking_event_webhook_url: `${receiver.url}/tracking`,
    order_status_change_webhook_url: `${receiver.url}/broken`,
  })
}

/** Plays each step when its time has come; after a stop no more. */
async function afternoon(
  steps: Plan['steps'],
  play: Play,
  clock: (minute: number) => number,
  signal: AbortSignal,
): Promise<void> {
  for (const step of steps) {
    const pause = clock(step.at) - Date.now()
    if (pause > 0) await wait(pause, signal)
    if (signal.aborted) return
    await play.play([step])
  }
}

function described(url: string, { admin, customer, drivers, carrierKey }: People, { orders }: Plan): object {
  const person = ({ email, password, key }: People['admin']) => ({ email, password, key })
  return {
    url,
    tracking_numbers: orders.map(({ tracking_number }) => tracking_number),
    ...{ admin: person(admin), customer: person(customer), drivers: drivers.map(person), carrier_key: carrierKey },
  }
}

/** The tracking numbers of two parcels with drivers and two with carriers. */
function shown({ orders }: Plan): readonly string[] {
  return [0, 60, amounts.byDrivers, amounts.byDrivers + 1].map((index) => orders[index]?.tracking_number ?? '')
}

/** Waits for a page, for half a minute at most: timelines follow the events of orders, on a busy machine some seconds later. */
async function isThere(page: string): Promise<void> {
  for (let tries = 0; tries < 300 && !(await fetch(page)).ok; tries++) await wait(100, neverAborted)
}

const neverAborted = new AbortController().signal

function welcome(url: string, { admin, customer, drivers, carrierKey }: People, plan: Plan): string {
  const [first, second, third, fourth] = shown(plan)
  return [
    `A day of ${amounts.orders} orders, ${amounts.drivers} drivers and ${amounts.stays} lockers' stays is under way at ${url}`,
    '',
    `  by a driver    ${url}/track/${first}`,
    `  by a driver    ${url}/track/${second}`,
    `  by a carrier   ${url}/track/${third}`,
    `  by a carrier   ${url}/track/${fourth}`,
    `  the day        ${url}/today`,
    `  its orders     ${url}/orders`,
    `  webhooks       ${url}/webhooks`,
    `  API keys       ${url}/keys`,
    `  docs           ${url}/docs`,
    '',
    `  admin          ${admin.email}  password ${admin.password}`,
    `  customer       ${customer.email}  password ${customer.password}`,
    `  driver         ${drivers[0]?.email}  password ${drivers[0]?.password}`,
    `  carrier        key ${carrierKey}`,
    '',
    `  In another terminal: OTEP_KEY=${carrierKey} otep tail --url ${url}`,
    '',
    'Stop with Ctrl-C.',
    '',
  ].join('\n')
}

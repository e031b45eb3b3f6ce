import { join } from 'node:path'
import { Agent, request } from 'undici'
import type { NewDelivery } from '../adapters/node/deliveries.ts'
import { checksOf } from '../adapters/webhooks/signing/index.ts'
import type { Endpoint } from '../engine/index.ts'
import { type Case, measured, type Prepared, type Sample, type Settings, type Topic } from './harness.ts'
import { type Receivers, startReceivers } from './webhooks/receivers.ts'
import { createDeliveries, createSending, endpointAt, secret } from './webhooks/sending.ts'
import { sendSteadily } from './webhooks/steady.ts'
import { hangingPath, soonPath } from './webhooks/wire.ts'

/** Webhook events to the receivers of others. */
export const webhooks: Topic = {
  name: 'webhooks',
  summary: 'signed durable deliveries, and how soon they come while some receivers hang, against requests alone',
  unit: 'delivery',
  prepare,
}

/** Bytes of a body. */
const size = 1_500

const deliveriesARound = 4_000
const requestsARound = 8_000

/** Concurrent requests: of the bare loop, and of the dispatcher while they are quick. */
const places = 64

/** Deliveries emitted per second, whatever their results, and the number of seconds: a receiver hangs for three. */
const steadily = { rate: 500, seconds: 2, secondsWhileSomeHang: 3.5 }

const [manyEndpoints, ports] = [1_000, 20]

/** Where deliveries are stored, and their origin and target. */
interface Place {
  readonly receivers: Receivers
  readonly file: string
  readonly next: (endpoint: Endpoint) => NewDelivery
}

async function prepare({ scale, directory, progress }: Settings): Promise<Prepared> {
  progress('starting receivers')
  const receivers = await startReceivers(ports)
  const place: Place = { receivers, file: join(directory, 'webhooks.db'), next: createDeliveries(size) }
  await checkSignatures(place)
  const reference = `undici request, unsigned, ${places} at once`
  const count = Math.round(deliveriesARound * scale)
  const cases: readonly Case[] = [
    { name: `deliveries, ${places} endpoints`, reference, run: () => deliverAll(place, places, count) },
    { name: 'deliveries, 1 endpoint', reference, run: () => deliverAll(place, 1, count) },
    { name: '1 endpoint that answers in 5 ms', run: () => deliverAll(place, 1, count, soonPath) },
    { name: reference, run: () => requestAll(receivers, Math.round(requestsARound * scale)) },
    steadyCase(place, scale),
    steadyCase(place, scale, 5),
    steadyCase(place, scale, 20),
  ]
  return { cases, notes: [note], close: () => receivers.stop() }
}

/** Endpoints spread evenly over all ports; some of each hundred hang, equally many on each port. */
function endpointsOf(
  origins: readonly string[],
  count: number,
  { hanging = 0, path = '/hooks/' } = {},
): readonly Endpoint[] {
  return Array.from({ length: count }, (_, index) => {
    const origin = origins[Math.floor((index * origins.length) / count)] ?? ''
    const isHanging = hanging > 0 && index % (100 / hanging) === 0
    return endpointAt(`${origin}${isHanging ? hangingPath : path}${index}`)
  })
}

/** Sends the deliveries that are already in the repository. */
async function deliverAll(
  { receivers, file, next }: Place,
  among: number,
  count: number,
  path?: string,
): Promise<Sample> {
  const endpoints = endpointsOf(receivers.origins.slice(0, 1), among, path === undefined ? {} : { path })
  const sending = createSending(file, endpoints)
  try {
    await sending.repository.add(
      Array.from({ length: count }, (_, index) => next(endpoints[index % among] as Endpoint)),
    )
    await receivers.begin('count')
    const sample = await measured(count, async () => {
      sending.start()
      await sending.delivered(count)
    })
    const received = await receivers.received()
    if (received.count !== count) throw new Error(`${received.count} of ${count} deliveries have come.`)
    return path === undefined
      ? sample
      : { ...sample, figures: { 'deliveries a second': sample.units / sample.seconds } }
  } finally {
    await sending.stop()
  }
}

/** The minimal work: the same bytes to the same receiver, without storing anything. */
async function requestAll({ origins: [origin = ''] }: Receivers, count: number): Promise<Sample> {
  const dispatcher = new Agent()
  const headers = { 'Content-Type': 'application/json' }
  const body = Buffer.alloc(size, 'x')
  let begun = 0
  const send = async () => {
    while (begun++ < count) {
      const answer = await request(`${origin}/hooks/0`, { method: 'POST', headers, body, dispatcher })
      await answer.body.dump()
    }
  }
  try {
    return await measured(count, async () => void (await Promise.all(Array.from({ length: places }, send))))
  } finally {
    await dispatcher.close()
  }
}

function steadyCase({ receivers, file, next }: Place, scale: number, hanging = 0): Case {
  const { rate, seconds, secondsWhileSomeHang } = steadily
  const endpoints = endpointsOf(receivers.origins, manyEndpoints, { hanging })
  const count = Math.max(100, Math.round(rate * scale * (hanging === 0 ? seconds : secondsWhileSomeHang)))
  const all = manyEndpoints.toLocaleString('en')
  const run = async () => {
    const sending = createSending(file, endpoints)
    try {
      const deliveries = Array.from({ length: count }, (_, index) => next(endpoints[index % manyEndpoints] as Endpoint))
      return await sendSteadily({ receivers, sending, deliveries, rate })
    } finally {
      await sending.stop()
    }
  }
  return { name: `${rate} a second to ${all} endpoints${hanging === 0 ? '' : `, ${hanging} % hang`}`, run }
}

/** The measured requests must be verifiable by receivers. */
async function checkSignatures({ receivers, file, next }: Place): Promise<void> {
  const endpoint = endpointAt(`${receivers.origins[0]}/hooks/0`)
  const sending = createSending(file, [endpoint])
  await receivers.begin('keep')
  sending.start()
  await sending.emit(next(endpoint))
  await sending.delivered(1)
  const { last } = await receivers.begin('count')
  await sending.stop()
  const [head = '', body = ''] = last.split('\r\n\r\n')
  const lines = head
    .split('\r\n')
    .slice(1)
    .map((line) => /^([^:]+): (.*)$/.exec(line) ?? [])
  const headers = Object.fromEntries(lines.map(([, name = '', value]) => [name.toLowerCase(), value]))
  const checks = checksOf({ headers, body: Buffer.from(body, 'latin1') }, secret, Date.now())
  if (checks.length !== 2 || checks.some(({ flaw }) => flaw !== undefined) || body.length !== size)
    throw new Error(`What came is not what was signed: ${last}`)
}

const note =
  'A body has 1,500 bytes of its own, and is signed for tenants and by Standard Webhooks; the repository lies in a file, sealed, ' +
  'with synchronous = FULL. Deliveries that lie there already are claimed, signed, sent and recorded with their attempt; ' +
  'an endpoint begins with four places, and has more while it answers quickly. undici sends as many bytes to the ' +
  'same receiver, and nothing is known of it afterwards. At 500 a second, each delivery is kept and sent whatever became ' +
  'of the others; its time runs from when it was to be emitted until the receiver has all of it. Endpoints that hang never ' +
  'answer, and lie among the others on the same 20 hosts; no figure is of them. CPU time is that of the sending process.'

import { randomBytes } from 'node:crypto'
import { type Answer, type DeliveryRecord, meantBy } from '../../../engine/index.ts'
import { webhookEventTypes } from '../../engine.ts'
import type { Outcome, Outgoing } from '../../node/deliveries.ts'
import { errorLog } from '../../node/log.ts'
import { wait } from '../../node/wait.ts'
import { createDeliveryRepository } from '../../sqlite/deliveries/index.ts'
import type { Forwarding, ForwardTarget, NodeWebhooks } from '../../webhooks/index.ts'
import { type Invocation, namesIn, usageError } from '../command.ts'
import { either, refuseOptions } from '../either.ts'
import { printable } from '../printable.ts'
import { contextWithoutStore, withContext } from '../session.ts'
import { waitForSignal } from '../signals.ts'
import { formattedBody, lineOf, readEvent } from './event.ts'
import { numberOf, secretOf, urlOf } from './options.ts'

/** Where events go if no URL is given: where `otep webhooks listen` receives. */
const defaultUrl = 'http://127.0.0.1:4000/'

const eventNames: readonly string[] = [...new Set(webhookEventTypes.map(({ name }) => name))]

/** Attempts by outcome. */
interface Tally {
  delivered: number
  failed: number
}

/** `otep webhooks listen --forward-to URL`: sends what the store records from now on to a URL. */
export async function forward(invocation: Invocation): Promise<number> {
  const { stdout, values } = invocation
  const last = numberOf(values, 'count', 1, 1_000_000) ?? Number.POSITIVE_INFINITY
  const tally: Tally = { delivered: 0, failed: 0 }
  const stopping = new AbortController()
  const finished = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()))
  const ended = () => {
    if (tally.delivered + tally.failed >= last) stopping.abort()
  }
  const target = targetOf(invocation, tally, ended)
  await withContext(invocation, async ({ webhooks }) => {
    stdout.write(`otep forwards webhook events to ${target.url}, signed with ${target.secret}\n`)
    await forwarding(webhooks, target, async ({ follow }) => {
      const following = follow({ signal: stopping.signal, log: errorLog, wait })
      await Promise.race([waitForSignal(finished), following])
      stopping.abort()
      await following
    })
  })
  stdout.write(`${tally.delivered} delivered, ${tally.failed} failed\n`)
  return 0
}

/** `otep webhooks trigger EVENT`: sends the example of an event to a URL; the exit code tells whether it was taken. */
export async function trigger(invocation: Invocation, event: string): Promise<number> {
  checkEvent(event)
  const tally: Tally = { delivered: 0, failed: 0 }
  const { webhooks } = await contextWithoutStore(invocation)
  await forwarding(webhooks, targetOf(invocation, tally), (to) => to.trigger(event))
  return tally.failed
}

/** `otep webhooks resend ID`: sends a delivery of the log again, to its endpoint or to a URL. */
export async function resend(invocation: Invocation, id: string): Promise<number> {
  return either(invocation, {
    store: async ({ webhooks }) => {
      const business = await webhooks.businessOf(id)
      if (business === undefined) throw new Error(`There is no delivery ${printable(id)} in this data directory.`)
      if (invocation.values['forward-to'] === undefined) {
        const again = await webhooks.redeliver(business, id)
        if (again === undefined) throw new Error(`There is no delivery ${printable(id)}.`)
        return untilTried(invocation, again, () => webhooks.find(business, again.id))
      }
      const tally: Tally = { delivered: 0, failed: 0 }
      await forwarding(webhooks, targetOf(invocation, tally), (to) => to.resend(business, id))
      return tally.failed
    },
    server: async (server) => {
      refuseOptions(invocation, 'forward-to')
      const again = sentIn(await server.call('redeliver_webhook', { delivery_id: id }))
      const record = async () => sentIn(await server.call('get_webhook_delivery', { delivery_id: again.id }))
      return untilTried(invocation, again, record)
    },
  })
}

/** What is reported about a delivery that is sent again. */
type Sent = Pick<DeliveryRecord, 'id' | 'state'> & {
  readonly attempts: number
  readonly lastStatus?: number | undefined
  readonly lastFailure?: string | undefined
}

/** The delivery in the answer of a server. */
function sentIn({ delivery }: Answer): Sent {
  const { delivery_id: id, state, attempts, last_status, last_failure } = delivery as Readonly<Record<string, unknown>>
  return { id, state, attempts, lastStatus: last_status ?? undefined, lastFailure: last_failure ?? undefined } as Sent
}

/** Waits until the first attempt of a delivery is recorded; the server that sends makes it. */
async function untilTried({ stdout }: Invocation, again: Sent, find: () => Promise<Sent | undefined>) {
  stdout.write(`It is sent again as ${again.id}; a running server does that within half a minute.\n`)
  const stopping = new AbortController()
  const stopped = waitForSignal(new Promise((resolve) => stopping.signal.addEventListener('abort', () => resolve())))
  let record: Sent | undefined = again
  const tried = (async () => {
    while (record !== undefined && record.attempts === 0 && record.state !== 'skipped' && !stopping.signal.aborted) {
      await wait(250, stopping.signal)
      record = await find()
    }
  })()
  await Promise.race([stopped, tried])
  stopping.abort()
  await Promise.all([stopped, tried])
  const { state = 'gone', lastStatus, lastFailure = '' } = record ?? {}
  stdout.write(`${state}${record?.attempts === 0 ? '' : `  -> ${lastStatus ?? lastFailure}`}\n`)
  return state === 'delivered' ? 0 : 1
}

async function forwarding(
  webhooks: NodeWebhooks,
  target: ForwardTarget,
  work: (to: Forwarding) => Promise<void>,
): Promise<void> {
  const to = webhooks.forwarding(target)
  try {
    await work(to)
  } finally {
    await to.close()
    await target.repository.close()
  }
}

function targetOf({ env, values, stdout }: Invocation, tally: Tally, ended: () => void = () => {}): ForwardTarget {
  const events = values.events === undefined ? undefined : namesIn(values.events)
  for (const name of events ?? []) checkEvent(name)
  const businessId = numberOf(values, 'business', 1, 999_999_999)
  return {
    url: urlOf(values['forward-to'] ?? defaultUrl),
    secret: secretOf({ env, values }) ?? `whsec_${randomBytes(24).toString('base64')}`,
    ...(businessId === undefined ? {} : { businessId }),
    ...(events === undefined ? {} : { events }),
    repository: createDeliveryRepository({ clock: Date.now }),
    sent: (outgoing, outcome) => {
      tally[outcome.failure === undefined ? 'delivered' : 'failed']++
      stdout.write(reportOf(outgoing, outcome, values.body === true))
      ended()
    },
  }
}

/** A line about an attempt and its answer; with both bodies, if wanted. */
function reportOf({ headers, body }: Outgoing, outcome: Outcome, isBodyShown: boolean): string {
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const { status, failure, duration, responseBody } = outcome
  const answer = status === undefined ? failure : `${status} ${duration} ms`
  const line = `${lineOf(readEvent({ headers: lower, body }), Date.now())}  -> ${answer}\n`
  if (!isBodyShown) return line
  return [line, formattedBody(body), formattedBody(Buffer.from(responseBody)), ''].join('\n').replace(/\n{2,}/g, '\n')
}

/** Refuses a name that is not one of an event, and says which one may be meant. */
function checkEvent(name: string): void {
  if (eventNames.includes(name)) return
  const nearest = meantBy(name, eventNames)
  const hint = nearest === undefined ? 'docs/reference/webhooks.md lists them.' : `Did you mean ${nearest}?`
  throw usageError(`There is no event ${printable(name)}. ${hint}`)
}

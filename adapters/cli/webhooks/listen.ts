import { type Check, checksOf, type Received } from '../../webhooks/signing/index.ts'
import type { Invocation } from '../command.ts'
import { printable } from '../printable.ts'
import { waitForSignal } from '../signals.ts'
import { formattedBody, lineOf, type ReceivedEvent, readEvent, signatureReport, timeOf } from './event.ts'
import { numberOf, secretOf } from './options.ts'
import { type Receiver, type ReceiverHandlers, type Reply, receive } from './receiver.ts'

/** The outcome of a delivery; `failed` is on purpose. */
type DeliveryOutcome = 'accepted' | 'refused' | 'failed'

/** Deliveries by outcome, and the ids of accepted ones. */
interface Tally extends Record<DeliveryOutcome, number> {
  readonly seen: Set<string>
}

/** How deliveries are answered. */
interface ReplyRules {
  readonly secret: string | undefined
  readonly status: number
  /** Number of deliveries that fail at first. */
  readonly failing: number
  readonly isBodyShown: boolean
}

const unverified =
  'Without a secret (--secret, or OTEP_WEBHOOK_SECRET) nothing is verified, and everything is accepted.'

/** Maximum number of remembered delivery ids. */
const maxRemembered = 10_000

/** Receives webhooks on this machine. */
export async function listen(invocation: Invocation): Promise<number> {
  const { values, stdout, stderr } = invocation
  const port = numberOf(values, 'port', 0, 65_535) ?? 4_000
  const last = numberOf(values, 'count', 1, 1_000_000) ?? Number.POSITIVE_INFINITY
  const manner = replyRulesOf(invocation)
  const tally: Tally = { accepted: 0, refused: 0, failed: 0, seen: new Set() }
  let finish = () => {}
  const isFinished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const receiver = await listenAt(port, {
    answer: (received) => {
      const { reply, text } = handleDelivery(received, tally, manner)
      stdout.write(text)
      if (totalOf(tally) >= last) finish()
      return reply
    },
    passOver: (why, status) => stdout.write(`${timeOf(Date.now())}  passed over: ${printable(why)}  -> ${status}\n`),
  })
  const stopped = waitForSignal(isFinished)
  stdout.write(`otep listens for webhooks on ${receiver.url}\n`)
  if (manner.secret === undefined) stderr.write(`${unverified}\n`)
  await stopped
  await receiver.close()
  const { accepted, refused, failed } = tally
  stdout.write(`${accepted} accepted, ${refused} refused, ${failed} failed on purpose\n`)
  return 0
}

async function listenAt(port: number, taking: ReceiverHandlers): Promise<Receiver> {
  try {
    return await receive(port, taking)
  } catch (error) {
    if (!(error instanceof Error) || !/EADDRINUSE|EACCES/.test(error.message)) throw error
    throw new Error(`${error.message}\nUse --port to choose another port; 0 takes any free one.`, { cause: error })
  }
}

function replyRulesOf({ env, values }: Invocation): ReplyRules {
  return {
    secret: secretOf({ env, values }),
    status: numberOf(values, 'status', 200, 599) ?? 200,
    failing: numberOf(values, 'fail', 0, 1_000_000) ?? 0,
    isBodyShown: values.body === true,
  }
}

/** Answers, counts and prints a delivery. */
function handleDelivery(
  received: Received,
  tally: Tally,
  manner: ReplyRules,
): { readonly reply: Reply; readonly text: string } {
  const now = Date.now()
  const checks = manner.secret === undefined ? undefined : checksOf(received, manner.secret, now)
  const said = readEvent(received)
  const fate = outcomeOf(checks, totalOf(tally) < manner.failing)
  const reply = replyTo(said, fate, manner)
  tally[fate]++
  const isKnown = fate === 'accepted' && isSeen(said.eventId, tally)
  const line = `${lineOf(said, now)}  ${signatureReport(checks)}  -> ${reply.status}${isKnown ? '  again' : ''}\n`
  return { reply, text: manner.isBodyShown ? `${line}${formattedBody(received.body)}\n` : line }
}

/** Whether a delivery was accepted before, by its id; a delivery without an id is always new. */
function isSeen(eventId: string | undefined, { seen }: Tally): boolean {
  if (eventId === undefined) return false
  const isKnown = seen.has(eventId)
  if (seen.size < maxRemembered) seen.add(eventId)
  return isKnown
}

/** The strongest signature decides. */
function outcomeOf(checks: readonly Check[] | undefined, isFailing: boolean): DeliveryOutcome {
  if (isFailing) return 'failed'
  return checks === undefined || (checks[0] !== undefined && checks[0].flaw === undefined) ? 'accepted' : 'refused'
}

function replyTo({ challenge }: ReceivedEvent, fate: DeliveryOutcome, { status }: ReplyRules): Reply {
  if (fate !== 'accepted') return { status: fate === 'failed' ? 500 : 401 }
  return challenge === undefined ? { status } : { status: 200, body: JSON.stringify({ challenge }) }
}

function totalOf({ accepted, refused, failed }: Tally): number {
  return accepted + refused + failed
}

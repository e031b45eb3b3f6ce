import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { EngineError, isObject } from '../../../engine/index.ts'
import type { Sender } from '../../node/deliveries.ts'

/** Dependencies of a challenge. */
interface ChallengeOptions {
  readonly send: Sender['send']
  /** Epoch milliseconds. */
  readonly clock: () => number
  readonly randomBytes: (length: number) => Uint8Array
}

/** Asks a URL to prove that it expects our requests. Each challenge is random and used once. */
export function createChallenge({ send, clock, randomBytes }: ChallengeOptions): Sender['challenge'] {
  return async (url, secret, extra) => {
    const challenge = Buffer.from(randomBytes(32)).toString('hex')
    const body = JSON.stringify({ type: 'webhook.challenge', challenge })
    const timestamp = String(Math.floor(clock() / 1000))
    const headers = {
      'Content-Type': 'application/json',
      'X-Ohp-Timestamp': timestamp,
      'X-Ohp-Signature': `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`,
    }
    const outgoing = { url, headers, extra, body: Buffer.from(body), isAnswerRead: true } as const
    const { failure, isResponseCut, responseBody } = await send(outgoing)
    if (failure !== undefined || isResponseCut || !isSame(challengeIn(responseBody), challenge))
      throw new EngineError('webhook_challenge_failed')
  }
}

/** The challenge in a response: the whole text, or the member `challenge` of a JSON object. */
function challengeIn(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return String(value.challenge)
  } catch {
    // A bare challenge of 64 hexadecimal digits is not JSON.
  }
  return text.trim()
}

/** Compares in constant time. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest())
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}

import * as v from 'valibot'
import { EngineError } from '../../kernel/errors.ts'
import { sha256 } from '../../kernel/id.ts'
import { omitUndefined } from '../../kernel/omit-undefined.ts'
import { operation } from '../../kernel/operation.ts'
import type { PushedRequest, SenderProof } from '../../kernel/pushed.ts'
import { inSteps } from '../../kernel/steps.ts'
import { ingestAnswerSchema } from './answers.ts'
import { requestedDialect } from './formats.ts'
import { ingestReadings, readerOf, readingsOf } from './readings.ts'
import { ingestAnswer } from './results.ts'

const types = ['application/json', 'text/plain', 'application/x-www-form-urlencoded']

/** Takes a webhook of another system, which its sender has signed. */
export const receiveProviderWebhook = operation({
  name: 'receive_provider_webhook',
  summary:
    'For aggregators of carriers: a webhook in the form of its sender and with its signature. A repeated webhook changes nothing.',
  scopes: [],
  risk: 'low',
  writes: true,
  tag: 'OTEP',
  rest: {
    method: 'POST',
    path: '/api/v1/otep/webhooks/{provider}',
    document: 'body',
    ...{ types, isBinary: true, bodyLimit: 1024 * 1024, allHeaders: 'headers' },
    headers: { authorization: 'Authorization' },
  },
  ids: {},
  input: v.strictObject({
    provider: v.pipe(v.string(), v.maxLength(60), v.description('The provider that sends it.')),
    token: v.exactOptional(
      v.pipe(v.string(), v.maxLength(500), v.description('The secret, of a sender that proves itself by its address.')),
    ),
    authorization: v.exactOptional(v.pipe(v.string(), v.maxLength(1000), v.description('Of senders that have one.'))),
    headers: v.record(v.string(), v.string()),
    body: v.pipe(v.string(), v.base64()),
  }),
  output: ingestAnswerSchema,
  errors: [
    'webhook_not_proved',
    'malformed_json',
    'too_many_events',
    'too_many_things',
    'event_too_large',
    'contention',
  ],
  handle: async (context, { provider, token, authorization, headers, body }) => {
    const known = await context.ports.tracking.webhookOfProvider(context, provider)
    const text = textIn(body)
    // Who asks must not learn which providers there are.
    if (known === undefined || text === undefined) throw new EngineError('webhook_not_proved')
    const { dialect, target } = requestedDialect(context, known.format)
    const request: PushedRequest = { headers: { ...headers, ...omitUndefined({ authorization }) }, text, token }
    if (dialect.proofIn === undefined || !isProved(dialect.proofIn(request, known.secret)))
      throw new EngineError('webhook_not_proved')
    const { businessId } = known
    const caller = {
      kind: 'provider',
      name: provider,
      scopes: ['otep:ingest'],
      ...omitUndefined({ businessId }),
    } as const
    const reporting = { ...context, caller }
    const readings = await inSteps(readingsOf(jsonIn(text), readerOf(dialect, target)), context.pause)
    const { data } = await ingestAnswer(reporting, await ingestReadings(reporting, readings, false), false)
    // A sender that is refused sends the same again, and stops in the end; the refusals are in the answer.
    return { result: true, data }
  },
})

/** Whether the two are equal, which takes equally long for any other proof. */
function isProved({ given, expected }: SenderProof): boolean {
  const [one, other] = [sha256(given ?? ''), sha256(expected)]
  let differing = 0
  for (let index = 0; index < one.length; index++) differing |= one.charCodeAt(index) ^ other.charCodeAt(index)
  return given !== undefined && differing === 0
}

function textIn(base64: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new EngineError('malformed_json', { reason: String((error as Error).message) })
  }
}

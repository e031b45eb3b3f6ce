import { Readable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import { formats } from '../../adapters/formats.ts'
import { eventsIn } from '../../adapters/history/lines.ts'
import { documentBounds, parsedOrError, parseJson, parseJsonInSteps } from '../../adapters/http/json.ts'
import { negotiate } from '../../adapters/http/negotiate.ts'
import { decoded, decodedAtOnce, linesIn } from '../../adapters/http/text.ts'
import { createSources } from '../../adapters/limits/source.ts'
import { languageOf } from '../../adapters/locales/negotiate.ts'
import { createApp } from '../../adapters/main.ts'
import { cutJson } from '../../adapters/rest/cut.ts'
import { retryAfterOf } from '../../adapters/webhooks/reach/retry-after.ts'
import { providerSignature, standardSignature } from '../../adapters/webhooks/signing/recipes.ts'
import { checksOf } from '../../adapters/webhooks/signing/verify.ts'
import {
  canonicalKey,
  canonicalLink,
  createMemoryStore,
  instantProblem,
  isEngineError,
  isObject,
  isoOf,
  signingKey,
} from '../../engine/index.ts'
import { aftership } from '../../projections/aftership/index.ts'
import { amazon } from '../../projections/amazon/index.ts'
import { dialects } from '../../projections/dialects/index.ts'
import { checkEpcis, parseEpcis } from '../../projections/epcis/parse/index.ts'
import { isEventId, uriProblem } from '../../projections/epcis/parse/uris.ts'
import { onerecord } from '../../projections/onerecord/index.ts'
import { keyOf, optionsOf, pathOf, testOf } from '../../projections/sensorthings/query/index.ts'

/** The value, or `undefined` if it is refused with a declared error; any other error is passed on. */
function unlessRefused<Value>(make: () => Value): Value | undefined {
  try {
    return make()
  } catch (error) {
    if (!isEngineError(error) || error.code === 'internal') throw error
    return undefined
  }
}

/** The same for a promise. */
async function unlessRejected<Value>(made: Promise<Value>): Promise<Value | undefined> {
  try {
    return await made
  } catch (error) {
    if (!isEngineError(error) || error.code === 'internal') throw error
    return undefined
  }
}

function demand(isSo: boolean, sentence: string): void {
  if (!isSo) throw new Error(`This does not hold: ${sentence}.`)
}

async function* piecesOf(input: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < input.length; at += size) yield input.subarray(at, at + size)
}

async function collected<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

function jsonOf(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** Whether two values are equal, with their members in the same order. */
const same = (one: unknown, other: unknown) =>
  isDeepStrictEqual(one, other) && JSON.stringify(one) === JSON.stringify(other)

/** JSON that is parsed in steps gives what `JSON.parse` gives. */
export async function checkJson(input: Buffer): Promise<void> {
  const text = input.toString()
  const native = jsonOf(text)
  for (const perStep of [8, 64]) {
    const parsed = await unlessRejected(
      parseJsonInSteps(text, documentBounds.levels, { perStep, pause: async () => {} }).then((value) => ({ value })),
    )
    if (native === undefined) demand(parsed === undefined, 'what JSON.parse refuses is refused in steps')
    else if (parsed !== undefined) demand(same(parsed.value, native.value), 'steps give what JSON.parse gives')
    else demand(unlessRefused(() => parseJson(text)) === undefined, 'what is parsed at once is parsed in steps')
  }
}

/** A text that arrives in pieces, and its lines, are those of the whole text. */
export async function checkLines(input: Buffer): Promise<void> {
  for (const mayBeUtf16 of [false, true]) {
    const whole = unlessRefused(() => ({ text: decodedAtOnce(input, { mayBeUtf16 }) }))
    for (const size of [1, 7]) {
      const pieces = await unlessRejected(collected(decoded(piecesOf(input, size), { mayBeUtf16 })))
      demand(pieces?.join('') === whole?.text, 'a text that arrives in pieces is the same text')
      if (pieces === undefined) continue
      const lines = await collected(linesIn(decoded(piecesOf(input, size), { mayBeUtf16 })))
      demand(same(lines, whole?.text.split('\n')), 'lines are cut at line breaks')
      for (const line of lines) parsedOrError(line)
    }
  }
}

const lists = ['events', 'epcisBody.eventList']

/** A document that is read in parts is the document. */
export async function checkCut(input: Buffer): Promise<void> {
  const text = input.toString()
  const pieces = Array.from({ length: Math.ceil(text.length / 5) }, (_, index) => text.slice(5 * index, 5 * index + 5))
  const parts = await unlessRejected(collected(cutJson(Readable.from(pieces), lists).parts))
  const native = jsonOf(text)
  const last = parts?.at(-1)
  if (parts === undefined || last === undefined || native === undefined) return
  // With several lists, or one that is named twice, the items of the last one alone are left.
  const named = text.match(/"(?:events|eventList)"|\\/g) ?? []
  if (named.length !== 1 || !isObject(native.value)) return
  const items = parts.flatMap((part) => part.items)
  demand(same(last.with(items), native.value), 'the parts make up the document')
}

const target = { baseUrl: 'https://otep.example', options: {} }

/** An EPCIS document in XML is read or refused. */
export function checkEpcisXml(input: Buffer): void {
  unlessRefused(() => parseEpcis(input.toString(), target))
}

/** An EPCIS document in JSON-LD is read or refused. */
export function checkEpcisJson(input: Buffer): void {
  const document = unlessRefused(() => ({ value: parseJson(input.toString()) }))
  if (document === undefined) return
  unlessRefused(() => parseEpcis(document.value, target))
  unlessRefused(() => checkEpcis(document.value))
}

/** A document of a commerce system or of ONE Record is read or refused. */
export function checkForeign(input: Buffer): void {
  const document = unlessRefused(() => ({ value: parseJson(input.toString()) }))
  if (document === undefined) return
  for (const { parse } of [aftership, amazon, onerecord, ...dialects])
    unlessRefused(() => parse?.(document.value, target))
}

/** The canonical form of a GS1 key is its own canonical form. */
export function checkKeys(input: Buffer): void {
  const text = input.toString()
  for (const form of [canonicalLink, canonicalKey])
    demand(form(form(text)) === form(text), 'a canonical form is its own')
  uriProblem(text)
  isEventId(text)
  if (instantProblem(text) === undefined) demand(isoOf(Date.parse(text)) !== '', 'an instant can be written')
}

const now = Date.parse('2026-06-10T12:00:00Z')

/** What clients write into headers is understood or ignored. */
export function checkHeaders(input: Buffer): void {
  const text = input.toString('latin1')
  for (const kind of ['one', 'many'] as const) {
    unlessRefused(() => negotiate(formats, text, { kind }))
    unlessRefused(() => negotiate(formats, text, { kind, named: 'epcis' }))
  }
  languageOf(text)
  const sources = createSources(['10.0.0.0/8', '::1'], () => {})
  const source = sources.sourceOf('10.0.0.1', (name) => (name === 'x-forwarded-for' ? text : undefined))
  demand(source.length < 64, 'a source is an address')
  const wait = retryAfterOf(503, text, now)
  demand(wait === undefined || wait > 0, 'a receiver asks for time to come')
}

/** A request as text: a first line, headers, an empty line, a body. */
function partsOf(input: Buffer) {
  const [head = '', body = ''] = input.toString('latin1').split(/\n\n(.*)/s)
  const [first = '', ...lines] = head.split('\n')
  const headers = lines.map((line) => {
    const [name = '', ...rest] = line.split(':')
    return [name.trim().toLowerCase(), rest.join(':').trim()] as const
  })
  return { first, headers, body: Buffer.from(body, 'latin1') }
}

/** Foreign signatures are judged, and own ones are valid. */
export function checkSignature(input: Buffer): void {
  const { first: secret, headers, body } = partsOf(input)
  checksOf({ headers: Object.fromEntries(headers), body }, secret, now)
  const signed = { id: 'a', timestamp: String(now / 1_000) }
  const own = {
    ...{ 'webhook-id': signed.id, 'webhook-timestamp': signed.timestamp, 'x-webhook-id': signed.id },
    'webhook-signature': `v1,AAAA ${standardSignature(signingKey(secret), signed, body)}`,
    'x-webhook-timestamp': signed.timestamp,
    'x-webhook-signature-v2': providerSignature(secret, signed, body),
  }
  const flaws = checksOf({ headers: own, body }, secret, now).filter(({ flaw }) => flaw !== undefined)
  demand(flaws.length === 0, 'what was signed is valid')
}

/** A history is read, or refused as damaged. */
export async function checkHistory(input: Buffer): Promise<void> {
  try {
    await collected(eventsIn(linesIn(decoded(piecesOf(input, 64)))))
  } catch (error) {
    const isDeclared = error instanceof Error && error.message.startsWith('The file is damaged or no history')
    if (!isDeclared && !isEngineError(error, 'invalid_utf8')) throw error
  }
}

const app = createApp({ store: createMemoryStore(() => now), clock: () => now, publicView: 'full' })

async function answer(path: string, init: RequestInit): Promise<void> {
  const response = await app.request(path, init)
  const type = response.headers.get('content-type') ?? ''
  if (type.includes('event-stream')) await response.body?.cancel()
  const text = type.includes('event-stream') ? '' : await response.text()
  demand(response.status !== 500, `no request is answered 500 (${text})`)
  if (/^application\/(?:[\w.+-]+\+)?json/.test(type) && text !== '') JSON.parse(text)
}

/** No request of anybody is answered 500, and answers in JSON are JSON. */
export async function checkRequest(input: Buffer): Promise<void> {
  const { first, headers, body } = partsOf(input)
  const [method = '', path = ''] = first.split(' ')
  let init: RequestInit
  try {
    // What no client can send does not arrive.
    new URL(path, 'http://localhost')
    init = { method, headers: [...headers] as [string, string][], ...(body.length > 0 && { body }) }
    new Request('http://localhost', init)
  } catch {
    return
  }
  if (path.startsWith('/')) await answer(path, init)
}

/** The same for a query in GraphQL. */
export async function checkGraphql(input: Buffer): Promise<void> {
  const headers = { 'Content-Type': 'application/json' }
  await answer('/graphql', { method: 'POST', headers, body: JSON.stringify({ query: input.toString() }) })
}

/** An entity that conditions are tested on. */
const observed = {
  phenomenonTime: '2026-06-10T09:30:00-04:00',
  result: 8.5,
  parameters: { note: 'a' },
  FeatureOfInterest: { feature: { type: 'Point', coordinates: [13.4, 52.5] } },
}

/** Options and paths of SensorThings: they are refused by name, or mean something that can be evaluated. */
export function checkThings(input: Buffer): void {
  const [name = '', ...rest] = input.toString('utf8').split('=')
  pathOf(name)
  try {
    const { filter, orderBy } = optionsOf([[name, rest.join('=')]], 'Observations', 'entities')
    if (filter !== undefined) testOf(filter, 0)(observed)
    for (const { expression } of orderBy) keyOf(expression, 0)(observed)
  } catch (error) {
    if (!isEngineError(error, 'query_parameter_refused')) throw error
  }
}

import {
  EngineError,
  formatUri,
  mediaTypeOf,
  type Projection,
  type Representation,
  representationsOf,
} from '../../engine/index.ts'
import { createRecentCache, type RecentCache } from './recent-cache.ts'

/** The result of negotiation: a format, and a representation if the bare document is wanted instead of the envelope. */
export interface Negotiated {
  /** Token of the format; absent if the caller named none. */
  readonly format?: string
  readonly representation?: Representation
  /** Media type of the response. */
  readonly type: string
  /** Index among the offers; equal indexes mean equal bytes. */
  readonly place: number
}

/** A media range of an `Accept` header (RFC 9110, section 12.5.1) with the URIs of its profile parameter (RFC 6906). */
interface Range {
  readonly type: string
  readonly uris: readonly string[]
  /** The parameter `version`. */
  readonly version?: string
  readonly q: number
}

interface Offer extends Omit<Negotiated, 'place'> {
  /** Media types that select it. */
  readonly answers: readonly string[]
  readonly uris: readonly string[]
  /** The full name, for the list in a refusal. */
  readonly name: string
}

const envelopeType = 'application/json'

/**
 * Chooses by `Accept` among the formats, or among the forms of the named one: the highest q-value, then the most
 * specific range, then the order of the offers. The envelope is plain JSON and comes first; browsers, which ask for
 * HTML, get it too. Throws `not_acceptable`.
 */
export function negotiate(
  formats: readonly Projection[],
  accept: string | undefined,
  { named, kind }: { readonly named?: string | undefined; readonly kind: 'one' | 'many' },
): Negotiated {
  const known = formats.find(({ name }) => name === named)
  if (named !== undefined && known === undefined) return { format: named, type: envelopeType, place: 0 }
  const choices = recentChoices.get(formats) ?? createRecentCache<Negotiated>({ bytes: 1024 * 1024, ms: 60_000 })
  recentChoices.set(formats, choices)
  const asked = `${kind} ${named} ${accept}`
  const made = choices.get(asked)
  if (made !== undefined) return made
  const choice = chooseFrom(formats, accept ?? '*/*', known, kind)
  choices.set(asked, choice, sizeOfChoice + asked.length)
  return choice
}

/** Recent choices by list of formats: most callers send one of a few headers. */
const recentChoices = new WeakMap<readonly Projection[], RecentCache<Negotiated>>()

/** Memory of a cached choice besides its key, in bytes. */
const sizeOfChoice = 256

function chooseFrom(
  formats: readonly Projection[],
  accept: string,
  known: Projection | undefined,
  kind: 'one' | 'many',
): Negotiated {
  const offers = [
    envelope(known?.name),
    ...(known === undefined ? formats : [known]).flatMap((one) => offersOf(one, kind)),
  ]
  const ranges = rangesOf(accept).map((range) => (known === undefined ? range : withoutOtherFormats(range, known)))
  const best = bestOf(offers, ranges)
  if (best === undefined) {
    throw new EngineError('not_acceptable', { expected: offers.map(({ name }) => name).join(', ') })
  }
  const { answers, uris, name, ...choice } = best.offer
  return { ...choice, place: best.place }
}

/** The offer that the ranges like best; undefined if they accept none. */
function bestOf<One extends Pick<Offer, 'answers' | 'uris'>>(
  offers: readonly One[],
  ranges: readonly Range[],
): { readonly offer: One; readonly place: number } | undefined {
  let best: { offer: One; place: number; q: number; precision: number } | undefined
  for (const [place, offer] of offers.entries()) {
    const { q, precision } = qualityOf(offer, ranges)
    if (q > 0 && (best === undefined || q > best.q || (q === best.q && precision > best.precision))) {
      best = { offer, place, q, precision }
    }
  }
  return best
}

/** The first of these media types that `Accept` likes best; undefined if it accepts none. */
export function preferredType<Type extends string>(
  types: readonly Type[],
  accept: string | undefined,
): Type | undefined {
  const offers = types.map((type) => ({ type, answers: [type], uris: [] }))
  return bestOf(offers, rangesOf(accept ?? '*/*').map(withoutProfile))?.offer.type
}

/** A form of a response: a media type, its version, and the URI that distinguishes it from other forms of the type. */
export interface VersionedForm {
  readonly type: string
  readonly version: string
  readonly form?: string
}

/** The first of these forms that `Accept` likes best; undefined if it accepts none. */
export function preferredForm<Form extends VersionedForm>(
  forms: readonly Form[],
  accept: string | undefined,
): Form | undefined {
  const offers = forms.map((one) => ({
    one,
    answers: [one.type],
    uris: [versionUri(one.version), ...(one.form === undefined ? [] : [one.form])],
  }))
  const ranges = rangesOf(accept ?? '*/*').map((range) =>
    range.version === undefined ? range : { ...range, uris: [...range.uris, versionUri(range.version)] },
  )
  return bestOf(offers, ranges)?.offer.one
}

function versionUri(version: string): string {
  return `version:${version}`
}

function withoutProfile(range: Range): Range {
  return { ...range, uris: [] }
}

function envelope(named: string | undefined): Offer {
  const answers = [envelopeType, 'text/html']
  return {
    ...(named === undefined ? {} : { format: named }),
    type: envelopeType,
    name: envelopeType,
    answers,
    uris: [],
  }
}

/** The offers of each format, which are the same for every request. */
const offered = new WeakMap<Projection, readonly Offer[]>()

function offersOf(projection: Projection, kind: 'one' | 'many'): readonly Offer[] {
  const all = offered.get(projection) ?? formsOf(projection)
  offered.set(projection, all)
  if (kind === 'one') return all
  const enveloped = all.slice(0, 1).map(({ representation, ...offer }) => ({ ...offer, type: envelopeType }))
  return projection.joined === undefined ? enveloped : [...enveloped, ...all.slice(1)]
}

function formsOf(projection: Projection): readonly Offer[] {
  const format = projection.name
  return representationsOf(projection).map((representation) => {
    const { mediaType, form } = representation
    const name = mediaTypeOf(projection, representation)
    const uris = [formatUri(format), ...(form === undefined ? [] : [form])]
    return { format, representation, type: name, name, answers: [mediaType], uris }
  })
}

/** A format named in the request overrides the formats in profile parameters. */
function withoutOtherFormats(range: Range, { name }: Projection): Range {
  const prefix = formatUri('')
  return { ...range, uris: range.uris.filter((uri) => !uri.startsWith(prefix) || uri === formatUri(name)) }
}

/** The q-value of the most specific matching range, or 0. */
function qualityOf(
  { answers, uris }: Pick<Offer, 'answers' | 'uris'>,
  ranges: readonly Range[],
): { q: number; precision: number } {
  let found = { q: 0, precision: -1 }
  for (const range of ranges) {
    const precision = Math.max(...answers.map((type) => typePrecision(range.type, type)))
    if (precision < 0 || !range.uris.every((uri) => uris.includes(uri))) continue
    const whole = precision * 100 + range.uris.length
    if (whole > found.precision) found = { q: range.q, precision: whole }
  }
  return found
}

function typePrecision(range: string, type: string): number {
  if (range === type) return 2
  if (range === `${type.split('/')[0]}/*`) return 1
  return range === '*/*' ? 0 : -1
}

const parameter = /^([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s"]*))$/

function rangesOf(accept: string): readonly Range[] {
  return unquoted(accept, ',').flatMap((text) => {
    const [type = '', ...parameters] = unquoted(text, ';').map((part) => part.trim())
    if (!/^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+$/.test(type)) return []
    const values = new Map(
      parameters.flatMap((part) => {
        const [, name = '', quoted, plain] = parameter.exec(part) ?? []
        return name === '' ? [] : [[name.toLowerCase(), quoted ?? plain ?? ''] as const]
      }),
    )
    const q = Number(values.get('q') ?? 1)
    const uris = (values.get('profile') ?? '').split(/\s+/).filter((uri) => uri !== '')
    const version = values.get('version')
    return [{ type: type.toLowerCase(), uris, q: q >= 0 && q <= 1 ? q : 0, ...(version !== undefined && { version }) }]
  })
}

/** Splits a header at separators outside of quotes. */
function unquoted(text: string, separator: ',' | ';'): readonly string[] {
  const parts = ['']
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const isPair = isQuoted && text.charAt(at) === '\\'
    const character = isPair ? text.slice(at, at + 2) : text.charAt(at)
    if (isPair) at++
    if (character === '"') isQuoted = !isQuoted
    if (character === separator && !isQuoted) parts.push('')
    else parts.push((parts.pop() ?? '') + character)
  }
  return parts
}

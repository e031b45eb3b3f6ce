import type { Context } from '../../kernel/context.ts'
import { EngineError, isEngineError } from '../../kernel/errors.ts'
import type { Code } from '../../kernel/messages/index.ts'
import { inSteps } from '../../kernel/steps.ts'
import type { StreamName } from '../../kernel/stream.ts'
import type { Timeline } from '../../kernel/timeline.ts'
import { boundSees, countsFor, type Reported } from './bound.ts'
import { readJoined } from './containment.ts'
import { findNewest, findStream } from './find.ts'
import {
  type IdentifierKind,
  identifierKinds,
  keyOf,
  publicKinds,
  publicName,
  streamNamed,
  timelineName,
} from './identifiers.ts'
import { hasLinkTo } from './link.ts'
import { type LoadedTimeline, readTimeline } from './read.ts'
import { reducedTimeline } from './reduced.ts'

/**
 * What a caller sees of a timeline:
 * - `own`: all of it, because the caller may see its subject or has a link or the postal code;
 * - `full`: all of it, as the public sees it;
 * - `reduced`: only what is marked as public.
 */
export type View = 'own' | 'full' | 'reduced'

/** The codes with which a timeline is refused. */
export const visibility = [
  'timeline_not_found',
  'ambiguous_identifier',
  'invalid_link',
  'wrong_postal_code',
  'too_many_requests',
] as const satisfies readonly Code[]

/** A timeline that a caller has found, and how much of it the caller sees. */
export interface Visible {
  readonly stream: StreamName
  /** Whether a later parcel of the number was passed over because no event of it counts now. */
  readonly passedOver?: true
  readonly view: View
}

/**
 * Finds the timeline of an identifier, and decides how much of it the caller sees. The public finds it only by
 * identifiers that are public. Throws the codes of `visibility`.
 */
export async function findVisible(
  context: Context,
  value: string,
  kinds: readonly IdentifierKind[] = identifierKinds,
): Promise<Visible> {
  const shown = publicKinds.filter((kind) => kinds.includes(kind))
  const found = await unlessMissing(findNewest(context, value, shown, providerIn(context)))
  if (found !== undefined && context.publicView === 'full') return { ...found, view: 'full' }
  if (mayHaveOwn(context)) {
    const stream = found?.stream ?? (await findOwn(context, value, kinds))
    if (await seesAll(context, stream)) return { stream, view: 'own' }
  }
  if (found === undefined) throw new EngineError('timeline_not_found')
  return { ...found, view: await publicViewOf(context, found.stream) }
}

/** The name of the timeline of an identifier of a kind, for the caller; throws like `findVisible`. */
export async function findVisibleName(context: Context, kind: string, value: string): Promise<string> {
  const kinds = identifierKinds.filter((one) => one === kind)
  const { stream, view } = await findVisible(context, value, kinds)
  const name = timelineName(stream)
  return view === 'own' || streamNamed(name, publicKinds) !== undefined ? name : value
}

/** The timeline of an identifier as the caller sees it; throws like `findVisible`. */
export async function readVisible(context: Context, value: string): Promise<LoadedTimeline & Visible> {
  return readOf(context, await findVisible(context, value))
}

/** A timeline that was found, as the caller sees it: the only place where documents for the public are reduced. */
export async function readOf(context: Context, { stream, view }: Visible): Promise<LoadedTimeline & Visible> {
  const read = await readJoined(context, stream)
  return { ...read, ...(await seenIn(view, await measuredIn(context, read, view), context)), view }
}

/** The timeline with what sensors have measured, if they have. */
async function measuredIn(context: Context, read: LoadedTimeline, view: View): Promise<LoadedTimeline> {
  if (!read.isMeasured) return read
  const sensors = await context.ports.tracking.sensorsOf(context, read.stream, view === 'reduced')
  return sensors.length === 0 ? read : { ...read, timeline: { ...read.timeline, sensors } }
}

/** A timeline whose subject the caller may see; throws `timeline_not_found` for any other. */
export async function readOwn(context: Context, value: string): Promise<LoadedTimeline> {
  const read = await readTimeline(context, await findOwn(context, value))
  if (!(await maySee(context, read.timeline))) throw new EngineError('timeline_not_found')
  return read
}

/** A timeline and its name in a view. */
export async function seenIn(
  view: View,
  { stream, timeline }: Pick<LoadedTimeline, 'stream' | 'timeline'>,
  { pause, credentials }: Pick<Context, 'pause' | 'credentials'>,
): Promise<Pick<LoadedTimeline, 'name' | 'timeline'>> {
  if (view === 'own') return { name: timelineName(stream), timeline }
  const name = publicName(stream, timeline.subject)
  return { name, timeline: view === 'full' ? timeline : await inSteps(reducedTimeline(timeline, credentials), pause) }
}

/** The provider that calls. */
function providerIn({ caller }: Context): string | undefined {
  return caller.kind === 'provider' ? caller.name : undefined
}

/** Whether the caller may see more than the public. */
function mayHaveOwn({ caller, pass }: Context): boolean {
  return caller.kind !== 'anonymous' || pass?.link !== undefined
}

/** The timeline of an identifier that is not public. An order with several parcels is missing for those who may not see it. */
async function findOwn(
  context: Context,
  value: string,
  kinds: readonly IdentifierKind[] = identifierKinds,
): Promise<StreamName> {
  try {
    return await findStream(context, value, kinds, providerIn(context))
  } catch (error) {
    if (!isEngineError(error, 'ambiguous_identifier')) throw error
    const shared = { subject: { [String(error.params.kind)]: Number(keyOf(value)) }, events: [] }
    throw (await maySee(context, shared)) ? error : new EngineError('timeline_not_found')
  }
}

/** Whether the caller sees all of a timeline, because of a signed link or of who it is. */
async function seesAll(context: Context, stream: StreamName): Promise<boolean> {
  if (hasLinkTo(context, stream) || seesEverything(context)) return true
  if (context.caller.kind === 'anonymous') return false
  return maySee(context, (await readTimeline(context, stream)).timeline)
}

/** Whether the caller may see every timeline: the operator, and a provider that reports for every business. */
export function seesEverything({ caller }: Pick<Context, 'caller'>): boolean {
  const { kind, scopes, businessId } = caller
  return kind === 'operator' || (kind === 'provider' && scopes.includes('otep:ingest') && businessId === undefined)
}

/** Whether the caller may see a subject: an account sees its orders. */
export async function maySee(context: Context, timeline: Reported): Promise<boolean> {
  const { caller, ports } = context
  if (seesEverything(context)) return true
  if (caller.kind === 'account')
    return caller.scopes.includes('orders:read') && ports.tracking.isOwn(context, timeline.subject)
  return caller.kind === 'provider' && caller.scopes.includes('otep:ingest') && boundSees(context, caller, timeline)
}

/** What the public sees of a timeline: all of it with the postal code of the delivery, or what is public. */
async function publicViewOf(context: Context, stream: StreamName): Promise<View> {
  const { publicView, pass, source, credentials } = context
  if (publicView === 'full') return 'full'
  if (pass?.link !== undefined) throw new EngineError('invalid_link')
  if (pass?.postalCode === undefined) return 'reduced'
  const { timeline } = await readTimeline(context, stream)
  const known = await postalCodesOf(context, timeline)
  const isRight = known.includes(postalKey(pass.postalCode))
  if (!credentials.guess(`postal code ${stream}`, source, isRight)) throw new EngineError('wrong_postal_code')
  return 'own'
}

/** The postal codes that a timeline is delivered to: that of its order, and those of the places where it was delivered. */
async function postalCodesOf(context: Context, timeline: Timeline): Promise<readonly string[]> {
  const codes = [await context.ports.tracking.postalCodeOf(context, timeline.subject)]
  for (const { phase, location, source } of timeline.events) {
    const code = phase === 'delivered' ? location?.address?.postal_code : undefined
    if (code !== undefined && (await countsFor(context, source?.provider ?? '', timeline))) codes.push(code)
  }
  return codes.map((code = '') => postalKey(code)).filter((key) => key !== '')
}

/** The form in which postal codes are compared: letters and digits, in upper case. */
function postalKey(code: string): string {
  return code
    .toWellFormed()
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toUpperCase()
}

/** What was found; undefined if there is none. */
async function unlessMissing<Found>(search: Promise<Found>): Promise<Found | undefined> {
  try {
    return await search
  } catch (error) {
    if (isEngineError(error, 'timeline_not_found')) return undefined
    throw error
  }
}

import type { Context } from '../../kernel/context.ts'
import { EngineError, isEngineError } from '../../kernel/errors.ts'
import type { ReadModels } from '../../kernel/read-model.ts'
import type { StreamName } from '../../kernel/stream.ts'
import { otherForms } from './gs1-key.ts'
import { assignmentIn, type IdentifierRow, identifierModel } from './identifier-model.ts'
import {
  type Assignment,
  assignmentAt,
  assignmentsOf,
  type Identifier,
  type IdentifierAssigned,
  type IdentifierKind,
  identifierKinds,
  identifierStreams,
  isLater,
  isShared,
  keyOf,
  keyTextsOf,
  presentOf,
  streamNamed,
  timelineName,
} from './identifiers.ts'
import { hasNumber, onlyOne } from './place.ts'
import { readState, revisionOf } from './read.ts'

type Parts = Pick<Context, 'store' | 'pause' | 'clock'> & { readonly models: Pick<ReadModels, 'rows'> }

/**
 * The stream of the newest timeline with an identifier of this value and one of these kinds, or of the timeline with
 * this name. To a provider whose events were split off, that is its own. Throws `timeline_not_found`, and
 * `ambiguous_identifier` for an order with several parcels.
 */
export async function findStream(
  parts: Parts,
  value: string,
  kinds: readonly IdentifierKind[] = identifierKinds,
  provider?: string,
): Promise<StreamName> {
  return (await findNewest(parts, value, kinds, provider)).stream
}

/** The same, and whether a later parcel of the number was passed over because no event of it counts now. */
export async function findNewest(
  parts: Parts,
  value: string,
  kinds: readonly IdentifierKind[] = identifierKinds,
  provider?: string,
): Promise<Newest> {
  const named = streamNamed(value, kinds)
  if (named !== undefined && (await revisionOf(parts.store, named)) >= 0) return { stream: named }
  return streamOf(parts, kinds, value, provider)
}

/** The newest timeline of a number. */
interface Newest {
  readonly stream: StreamName
  readonly passedOver?: true
}

/** The name of the newest timeline with an identifier of this kind; throws like `findStream`. */
export async function findTimeline(parts: Parts, kind: string, value: string): Promise<string> {
  const kinds = identifierKinds.filter((one) => one === kind)
  return timelineName((await streamOf(parts, kinds, value)).stream)
}

/**
 * The streams that decide to which timeline of these kinds a value leads; undefined if it may be one form of a GS1 key,
 * because only the model knows the others.
 */
export function decidingStreams(value: string, kinds: readonly IdentifierKind[]): readonly StreamName[] | undefined {
  if (otherForms(value).length > 0 || /^(?:URN|HTTPS?):/.test(keyOf(value))) return undefined
  const named = streamNamed(value, kinds)
  const identifiers = kinds.flatMap((kind) => identifierStreams({ kind, value }))
  return named === undefined ? identifiers : [named, ...identifiers]
}

/** Milliseconds that a look-up waits for the model, before it reads the streams of the identifiers instead. */
const modelPatience = 10

/** Looks for the value as it is written, and then for the other forms of the GS1 key that it may be. */
async function streamOf(
  parts: Parts,
  kinds: readonly IdentifierKind[],
  value: string,
  provider?: string,
): Promise<Newest> {
  const others = otherForms(value)
  for (const form of [value, ...others]) {
    // Only the model knows of other forms, so a form is waited for.
    const of = { kinds, value: form, provider }
    const found = await streamOfForm(parts, of, others.length === 0 ? modelPatience : undefined)
    if (found !== undefined) return found
  }
  throw new EngineError('timeline_not_found')
}

/** What is looked for: a value of these kinds, as a provider says it. */
interface Sought {
  readonly kinds: readonly IdentifierKind[]
  readonly value: string
  readonly provider: string | undefined
}

/**
 * The model is asked first. Without a row there, the identifier streams are read: another node may have assigned the
 * number just now, or the model follows a long call.
 */
async function streamOfForm(
  parts: Parts,
  { kinds, value, provider }: Sought,
  patience: number | undefined,
): Promise<Newest | undefined> {
  const { store, models } = parts
  const rows = (await Promise.all(keyTextsOf(value).map((key) => rowsOf(models, key, patience)))).find(isNotEmpty) ?? []
  for (const kind of kinds) {
    const assignments = rows.filter((row) => row.kind === kind).map(assignmentIn)
    const found = await newestOf(parts, { kind, value }, assignments, provider)
    if (found !== undefined) return found
  }
  for (const kind of kinds) {
    for (const name of identifierStreams({ kind, value })) {
      const events = (await store.read(name)) as readonly IdentifierAssigned[]
      const found = await newestOf(parts, { kind, value }, assignmentsOf(events), provider)
      if (found !== undefined) return found
    }
  }
  return undefined
}

function isNotEmpty(rows: readonly unknown[]): boolean {
  return rows.length > 0
}

/** The rows of a key; empty while the model is being built, or if it is behind for longer than `patience`. */
async function rowsOf(
  models: Parts['models'],
  key: string,
  patience: number | undefined,
): Promise<readonly IdentifierRow[]> {
  try {
    return (await models.rows(identifierModel, { key }, undefined, patience)) as readonly IdentifierRow[]
  } catch (error) {
    if (isEngineError(error, 'store_unavailable')) return []
    throw error
  }
}

/** The timeline of the newest parcel of which an event counts now. */
async function newestOf(
  parts: Parts,
  identifier: Identifier,
  assignments: readonly Assignment[],
  provider: string | undefined,
): Promise<Newest | undefined> {
  const counting: Assignment[] = []
  for (const one of assignments) if (await isStanding(parts, one)) counting.push(one)
  const only = isShared(identifier.kind)
    ? onlyOne(identifier, presentOf(counting))
    : assignmentAt(counting, Number.POSITIVE_INFINITY, provider)
  if (only === undefined) return undefined
  return { stream: only.timeline, ...(counting.length < assignments.length && { passedOver: true }) }
}

/** As events find a timeline in `place.ts`. */
async function isStanding(parts: Parts, assignment: Assignment): Promise<boolean> {
  if (!isLater(assignment)) return true
  return hasNumber((await readState(parts, assignment.timeline)).state, parts.clock())
}

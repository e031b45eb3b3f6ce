import type { Context } from '../../kernel/context.ts'
import { isEngineError } from '../../kernel/errors.ts'
import type { StreamName } from '../../kernel/stream.ts'
import type { Subject } from '../../kernel/timeline.ts'
import { otherForms } from './gs1-key.ts'
import { identifierModel } from './identifier-model.ts'
import {
  type Assignment,
  type Identifier,
  identifierStream,
  identifiersOf,
  isShared,
  keyTextOf,
  publicKinds,
  publicSubject,
  timelineStream,
} from './identifiers.ts'
import type { CheckedRecord } from './records.ts'
import type { Workspace } from './workspace.ts'

/** Streams that are read side by side. */
const atOnce = 500

/** Milliseconds that a call waits for the read model before it reads streams instead. */
const patience = 50

/**
 * Reads the streams of a call side by side, if the store cannot tell without waiting where they end: each pass would wait
 * for its own. What the read model has never heard of is not read at all, unless the call has lost a race: that it is new
 * is what its append expects.
 */
export async function readAhead(
  { store, models, caller }: Pick<Context, 'store' | 'models' | 'caller'>,
  workspace: Workspace,
  records: readonly CheckedRecord[],
  isFirstTry: boolean,
): Promise<void> {
  if (store.knownRevision !== undefined) return
  const subjects = records.flatMap((record) => ('subject' in record ? [record.subject] : []))
  const guarded = caller.businessId === undefined ? identifiersOf : identifiersOfNew
  const isNew = async (identifier: Identifier) => isFirstTry && (await isUnknown({ models }, identifier))
  const identifiers = new Map(subjects.flatMap(guarded).map((one) => [identifierStream(one), one]))
  const assignments: Assignments = new Map()
  await sideBySide([...identifiers], ([stream, identifier]) => {
    const read = workspace.readIdentifier(identifier, () => isNew(identifier))
    if (!(read instanceof Promise)) return void assignments.set(stream, read)
    return read.then((found) => void assignments.set(stream, found))
  })
  const timelines = new Map(subjects.flatMap((subject) => timelinesOf(subject, assignments)))
  await sideBySide([...timelines], ([stream, isKnown]) => workspace.readTimeline(stream, async () => !isKnown))
}

/** Waits only for work that is not done at once. */
async function sideBySide<Item>(items: readonly Item[], work: (item: Item) => unknown): Promise<void> {
  for (let at = 0; at < items.length; at += atOnce) {
    const under = items.slice(at, at + atOnce).map(work)
    const waits = under.filter((one) => one instanceof Promise)
    if (waits.length > 0) await Promise.all(waits)
  }
}

/** As `SubjectGuard.admitNew` looks at them, too. */
function identifiersOfNew(subject: Subject): readonly Identifier[] {
  const values = identifiersOf(publicSubject(subject)).flatMap(({ value }) => [value, ...otherForms(value)])
  return [...identifiersOf(subject), ...values.flatMap((value) => publicKinds.map((kind) => ({ kind, value })))]
}

/** Whether the read model is up to date and has no such identifier. */
async function isUnknown({ models }: Pick<Context, 'models'>, { kind, value }: Identifier): Promise<boolean> {
  try {
    return (await models.rows(identifierModel, { key: keyTextOf(value), kind }, 1, patience)).length === 0
  } catch (error) {
    if (isEngineError(error, 'store_unavailable')) return false
    throw error
  }
}

/** By the stream of an identifier; undefined if it is new. */
type Assignments = Map<StreamName, readonly Assignment[] | undefined>

/** The timelines that a subject probably leads to, and whether they may be there. */
function timelinesOf(subject: Subject, assignments: Assignments): readonly (readonly [StreamName, boolean])[] {
  const identifiers = identifiersOf(subject)
  const of = (identifier: Identifier) => assignments.get(identifierStream(identifier))
  const leads = identifiers.flatMap((one) => (isShared(one.kind) ? [] : (of(one)?.slice(-1) ?? [])))
  if (leads.length > 0) return leads.map(({ timeline }) => [timeline, true])
  const [opener] = identifiers
  return opener === undefined ? [] : [[timelineStream(opener, 1), of(opener) !== undefined]]
}

import {
  type Answer,
  type Context,
  call,
  createMemoryStore,
  otepIngest,
  otepValidate,
  type Projection,
  type Remark,
  readTimeline,
  type StreamName,
  type Timeline,
} from '../../engine/index.ts'

/** Something that is wrong with a document. */
export interface TrialFinding extends Remark {
  readonly severity: 'error' | 'warning'
  /** The requirement or the clause that is violated. */
  readonly requirement?: string
}

/** Whether a document conforms; `level` only for one in the native format. */
interface Verdict {
  readonly conformant: boolean
  readonly level?: number
}

/** What the engine makes of a document. */
export interface Tried {
  /** The first findings, errors before warnings. */
  readonly findings: readonly TrialFinding[]
  /** How many findings there are. */
  readonly findingCount: number
  /** Absent if the format has no check. */
  readonly verdict?: Verdict
  readonly counts: { readonly taken: number; readonly refused: number }
  /** The first timelines. */
  readonly timelines: readonly Timeline[]
  /** How many timelines there are. */
  readonly found: number
}

/** The most timelines that are read back. */
const maxTimelines = 5

/** The most findings that are reported. */
const maxFindings = 200

/** Whether documents of a format can be read. */
export function isRead({ parse }: Projection, index: number): boolean {
  return index === 0 || parse !== undefined
}

/** The context of a trial: the visitor may push, under any name, into a separate store. */
function trialContext({ audit: _, pass: __, ...context }: Context): Context {
  const caller = { kind: 'operator', name: 'visitor', scopes: ['otep:ingest'] } as const
  return { ...context, store: createMemoryStore(context.clock), caller }
}

/** Reads a document as if it were pushed and validated, in an empty store in memory that nobody else sees. */
export async function tryIn(context: Context, document: unknown, projection: Projection): Promise<Tried> {
  const own = trialContext(context)
  const input = { document, format: projection.name }
  const checks = isChecked(document, projection, context) ? await call(otepValidate, own, input) : undefined
  const taken = await call(otepIngest, own, input)
  const streams = await timelineStreams(own)
  const timelines: Timeline[] = []
  for (const stream of streams.slice(0, maxTimelines)) timelines.push((await readTimeline(own, stream)).timeline)
  const findings = withoutRepeated([...findingsIn(checks), ...resultsIn(taken).flatMap(findingsIn)])
  return {
    findings: findings.slice(0, maxFindings),
    findingCount: findings.length,
    ...(checks && { verdict: verdictOf(checks, projection === context.formats[0]) }),
    counts: countsIn(taken),
    timelines,
    found: streams.length,
  }
}

/** Of the native format, only a bare timeline is validated: not one event with its subject, and not many timelines or lines. */
function isChecked(document: unknown, projection: Projection, { formats }: Context): boolean {
  if (projection !== formats[0]) return projection.check !== undefined
  const members = typeof document === 'object' && document !== null ? document : {}
  return !['status_code', 'timelines', 'lines', 'result', 'data'].some((member) => Object.hasOwn(members, member))
}

async function timelineStreams({ store }: Context): Promise<readonly StreamName[]> {
  const streams = new Set<StreamName>()
  for await (const { stream } of store.readAll(undefined, { category: 'tracking' })) streams.add(stream as StreamName)
  return [...streams]
}

/** The members of an answer with findings: of a validation, or of the result of an event. */
interface Checked {
  readonly errors?: readonly Remark[]
  readonly warnings?: readonly Remark[]
}

function findingsIn({ errors = [], warnings = [] }: Checked = {}): readonly TrialFinding[] {
  return [
    ...errors.map((one) => ({ severity: 'error', ...one }) as const),
    ...warnings.map((one) => ({ severity: 'warning', ...one }) as const),
  ]
}

/** Only the native format has its own levels. */
function verdictOf({ conformant, level }: Answer, isNative: boolean): Verdict {
  return { conformant: conformant === true, ...(isNative && typeof level === 'number' && { level }) }
}

/** What an ingest tells in its answer. */
interface Told {
  readonly events: readonly Checked[]
  readonly rejected: number
  readonly accepted: number
  readonly enriched: number
  readonly duplicate: number
}

function toldIn({ data }: Answer): Told {
  return data as Told
}

function resultsIn(answer: Answer): readonly Checked[] {
  return toldIn(answer).events
}

function countsIn(answer: Answer): Tried['counts'] {
  const { rejected, accepted, enriched, duplicate } = toldIn(answer)
  return { taken: accepted + enriched + duplicate, refused: rejected }
}

/** What the validation and the ingest say of the same member is said once; errors come first. */
function withoutRepeated(findings: readonly TrialFinding[]): readonly TrialFinding[] {
  const byName = new Map<string, TrialFinding>()
  for (const finding of findings) {
    const name = `${finding.path}\0${finding.code}`
    if (!byName.has(name)) byName.set(name, finding)
  }
  const all = [...byName.values()]
  return (['error', 'warning'] as const).flatMap((severity) => all.filter((finding) => finding.severity === severity))
}

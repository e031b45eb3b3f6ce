import {
  type Answer,
  type Code,
  type Context,
  call,
  createMemoryStore,
  type EngineError,
  inSteps,
  isRefusal,
  otepIngest,
  otepValidate,
  type Pause,
  type Projection,
  type Remark,
  readTimeline,
  remark,
  type StreamName,
  type Timeline,
} from '../../../engine/index.ts'
import { parseJsonInSteps } from '../../http/json.ts'
import { brokenLine, linesIn, linesOf } from './lines.ts'

/** Something that is wrong with a document, and the line that it is at, if it is known. */
export interface TrialFinding extends Remark {
  readonly severity: 'error' | 'warning'
  /** The requirement or the clause that is violated. */
  readonly requirement?: string
  readonly line?: number
}

/** Whether a document conforms; `level` only for one in the native format. */
export interface Verdict {
  readonly conformant: boolean
  readonly level?: number
}

/** What the engine makes of a document. */
export interface Trial {
  /** The text that the lines of the findings refer to. */
  readonly text: string
  /** Whether this text is the document in other lines. */
  readonly isRelaid: boolean
  /** The first findings, errors before warnings. */
  readonly findings: readonly TrialFinding[]
  /** How many findings there are. */
  readonly findingCount: number
  /** Absent if the document cannot be read, or the format has no check. */
  readonly verdict?: Verdict
  readonly counts: { readonly taken: number; readonly refused: number }
  /** The first timelines. */
  readonly timelines: readonly Timeline[]
  /** How many timelines there are. */
  readonly found: number
}

/** The most timelines that are read back. */
const maxTimelines = 5

/** The most findings that are shown. */
const maxFindings = 200

/** A document with a longer line is laid out anew, unless it is longer as a whole than so many characters. */
const longLine = { line: 2_000, whole: 256 * 1024 }

function isLong({ length }: string): boolean {
  return length > longLine.line
}

/** Whether documents of a format can be read. */
export function isRead({ parse }: Projection, index: number): boolean {
  return index === 0 || parse !== undefined
}

/** Reads a document as if it were pushed and validated, in an empty store in memory that nobody else sees. */
export async function tryDocument(context: Context, text: string, projection: Projection): Promise<Trial> {
  try {
    const isXml = text.trimStart().startsWith('<') && projection !== context.formats[0]
    const document = isXml ? text : await parseJsonInSteps(text)
    const isRelaid = !isXml && text.length <= longLine.whole && linesIn(text).some(isLong)
    const shown = isRelaid ? JSON.stringify(document, undefined, 2) : text
    const trial = await runs(context, document, projection)
    const paths = isXml ? [] : trial.findings.map(({ path }) => path)
    const places = await inSteps(linesOf(shown, paths), context.pause)
    const findings = trial.findings.map((finding) => placed(finding, places.get(finding.path)))
    return { ...trial, text: shown, isRelaid, findings }
  } catch (error) {
    if (!isRefusal(error)) throw error
    const findings = await findingsOfError(error, text, context)
    const findingCount = findings.length
    return { text, isRelaid: false, findings, findingCount, counts: { taken: 0, refused: 0 }, timelines: [], found: 0 }
  }
}

/** The context of a trial: the visitor may push, under any name, into a store of its own. */
function trialContext({ audit: _, pass: __, ...context }: Context): Context {
  const caller = { kind: 'operator', name: 'visitor', scopes: ['otep:ingest'] } as const
  return { ...context, store: createMemoryStore(context.clock), caller }
}

async function runs(context: Context, document: unknown, projection: Projection) {
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

/** Of the native format, only a timeline is validated: not one event with its subject, and not many timelines. */
function isChecked(document: unknown, projection: Projection, { formats }: Context): boolean {
  if (projection !== formats[0]) return projection.check !== undefined
  const members = typeof document === 'object' && document !== null ? document : {}
  return !['status_code', 'timelines'].some((member) => Object.hasOwn(members, member))
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

/** Only the native format has levels of its own. */
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

function countsIn(answer: Answer): Trial['counts'] {
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

function placed(finding: TrialFinding, line: number | undefined): TrialFinding {
  return line === undefined ? finding : { ...finding, line }
}

/** Why a document could not be read at all. */
async function findingsOfError(
  error: EngineError,
  text: string,
  { messages, pause }: Context,
): Promise<readonly TrialFinding[]> {
  const { code, params, findings } = error
  const list = findings.length > 0 ? findings : [{ path: '', code, params }]
  const line = await lineOfError(error, text, pause)
  return list.map((finding) => placed({ severity: 'error', ...remark(finding, messages) }, line))
}

async function lineOfError({ code, params }: EngineError, text: string, pause: Pause): Promise<number | undefined> {
  const broken: Code = 'malformed_json'
  if (code === broken) return inSteps(brokenLine(text), pause)
  return typeof params.line === 'number' ? params.line : undefined
}

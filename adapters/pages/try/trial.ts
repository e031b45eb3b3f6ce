import {
  type Code,
  type Context,
  type EngineError,
  inSteps,
  isRefusal,
  type Pause,
  type Projection,
  remark,
} from '../../../engine/index.ts'
import { parseJsonInSteps } from '../../http/json.ts'
import { type TrialFinding as Finding, type Tried, tryIn } from '../../http/trial.ts'
import { jsonLinesIn, placesInLines } from './json-lines.ts'
import { brokenLine, linesIn, linesOf } from './lines.ts'
import { xmlLinesOf } from './xml-lines.ts'

/** Something that is wrong with a document, and the line that it is at, if it is known. */
export interface TrialFinding extends Finding {
  readonly line?: number
}

/** What the engine makes of a document; without a verdict also if it cannot be read. */
export interface Trial extends Tried {
  /** The text that the lines of the findings refer to. */
  readonly text: string
  /** Whether this text is the document in other lines. */
  readonly isRelaid: boolean
  readonly findings: readonly TrialFinding[]
}

/** A document with a longer line is laid out again, unless it is longer as a whole than so many characters. */
const longLine = { line: 2_000, whole: 256 * 1024 }

function isLong({ length }: string): boolean {
  return length > longLine.line
}

/** Tries the text of a document, and finds the lines of what is wrong with it. */
export async function tryDocument(context: Context, text: string, projection: Projection): Promise<Trial> {
  try {
    const { document, shown, isRelaid, placesOf } = await readText(context, text, projection)
    const trial = await tryIn(context, document, projection)
    const paths = trial.findings.map(({ path }) => path)
    const places = await inSteps(placesOf(paths), context.pause)
    const findings = trial.findings.map((finding) => placed(finding, places.get(finding.path)))
    return { ...trial, text: shown, isRelaid, findings }
  } catch (error) {
    if (!isRefusal(error)) throw error
    const findings = await findingsOfError(error, text, context)
    const findingCount = findings.length
    return { text, isRelaid: false, findings, findingCount, counts: { taken: 0, refused: 0 }, timelines: [], found: 0 }
  }
}

/** A document that was read: as XML, as a JSON value on each line, or as one JSON value. */
interface Read extends Pick<Trial, 'isRelaid'> {
  readonly document: unknown
  readonly shown: string
  /** The lines of what is at these paths. */
  placesOf(paths: readonly string[]): Generator<void, ReadonlyMap<string, number>>
}

async function readText({ formats: [native] }: Context, text: string, projection: Projection): Promise<Read> {
  const whole = { shown: text, isRelaid: false }
  if (projection !== native && text.trimStart().startsWith('<'))
    return { ...whole, document: text, placesOf: (paths) => xmlLinesOf(text, paths) }
  const lines = projection === native ? jsonLinesIn(text) : undefined
  if (lines !== undefined)
    return { ...whole, document: { lines: lines.values }, placesOf: (paths) => placesInLines(lines, paths) }
  const document = await parseJsonInSteps(text)
  const isRelaid = text.length <= longLine.whole && linesIn(text).some(isLong)
  const shown = isRelaid ? JSON.stringify(document, undefined, 2) : text
  return { document, shown, isRelaid, placesOf: (paths) => linesOf(shown, paths) }
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

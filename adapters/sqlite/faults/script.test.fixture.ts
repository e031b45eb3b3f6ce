import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Test } from 'tap'
import { isEngineError } from '../../../engine/index.ts'
import { type Fault, faults, inject, restoreDriver, withTrueDriver } from './driver.test.fixture.ts'

/** One step of a script, on what is open. */
export interface Step<Opened> {
  readonly name: string
  /** Its answer must be the same in every run; that of a write that was carried out and then failed may differ. */
  readonly isRead?: boolean
  /** What the file may hold if the step has failed, besides what it held before and will hold afterwards. */
  readonly mayLeave?: (content: never) => boolean
  readonly run: (opened: Opened) => unknown
}

/** Work on one database, always the same: its steps, and what it leaves. */
export interface Script<Opened> {
  /** The end of the path of the file whose driver calls fail. */
  readonly file: string
  readonly open: (directory: string) => Opened | Promise<Opened>
  readonly close: (opened: Opened) => Promise<void>
  readonly steps: readonly Step<Opened>[]
  /** Everything that the file holds, after checking that it is whole. */
  readonly content: (directory: string, opened: Opened) => Promise<unknown>
}

/** The results of calls that are made at once, when all have ended; throws if one failed. */
export async function atOnce(calls: readonly Promise<unknown>[]): Promise<unknown> {
  await Promise.allSettled(calls)
  return Promise.all(calls)
}

/** How a script goes without faults. */
interface Course {
  readonly answers: readonly unknown[]
  /** What the file holds before each step, and at the end. */
  readonly contents: readonly unknown[]
  readonly calls: number
}

const never: Fault = { name: 'none', errcode: 0, message: '' }

/** Errors that callers understand. The message of any other must name a file. */
const codes = ['store_unavailable', 'internal', 'erasure_unfinished']

function isClear(error: unknown, directory: string): boolean {
  if (isEngineError(error)) return codes.includes(error.code)
  return error instanceof Error && error.message.includes(directory)
}

async function courseOf<Opened>(script: Script<Opened>, directory: string): Promise<Course> {
  mkdirSync(directory, { recursive: true })
  const contents: unknown[] = []
  const answers: unknown[] = []
  inject({ file: script.file, from: Number.POSITIVE_INFINITY, count: 0, fault: never })
  const opened = await script.open(directory)
  const look = async () =>
    contents.push(await withTrueDriver(() => contentOfCopy(script, directory, opened, contents.length)))
  for (const step of script.steps) {
    await look()
    answers.push(await step.run(opened))
  }
  await look()
  await script.close(opened)
  return { answers, contents, calls: restoreDriver() }
}

/** Copies the files as a crash would leave them, and reads the copy. */
async function contentOfCopy<Opened>(
  script: Script<Opened>,
  directory: string,
  opened: Opened,
  number: number,
): Promise<unknown> {
  const copy = `${directory}-copy-${number}`
  cpSync(directory, copy, { recursive: true })
  return script.content(copy, opened).finally(() => rmSync(copy, { recursive: true }))
}

/** A run in which some calls fail. Returns what went wrong, if anything. */
async function problemIn<Opened>(
  script: Script<Opened>,
  course: Course,
  directory: string,
  given: Given,
): Promise<string | undefined> {
  mkdirSync(directory, { recursive: true })
  inject({ file: script.file, ...given })
  let failures = 0
  let copies = 0
  let opened: Opened | undefined

  /** Repeats the step until it succeeds; it may fail once for each call that fails. */
  async function repeated(number: number, run: () => Promise<unknown>): Promise<string | undefined> {
    for (;;) {
      try {
        await run()
        return undefined
      } catch (error) {
        failures++
        if (!isClear(error, directory)) return `${error} is no clear answer`
        if (failures > given.count) return `it still fails when the fault is over: ${error} ${(error as Error).cause}`
      }
      const step = script.steps[number]
      if (step === undefined) continue
      const content = await withTrueDriver(() => contentOfCopy(script, directory, opened as Opened, copies++))
      const allowed = course.contents.slice(number, number + 2)
      if (!allowed.some((one) => isDeepStrictEqual(one, content)) && step.mayLeave?.(content as never) !== true)
        return `after the failure it holds neither what it held before nor what it was to hold: ${JSON.stringify(content)}`
    }
  }

  async function opening(): Promise<void> {
    opened = await script.open(directory)
  }

  const problem = await repeated(-1, opening)
  if (problem !== undefined) return `to open: ${problem}`
  for (const [number, step] of script.steps.entries()) {
    const mayDiffer = step.mayLeave !== undefined || (step.isRead !== true && given.fault.isCarriedOut === true)
    let answer: unknown
    const problem = await repeated(number, async () => {
      answer = await step.run(opened as Opened)
    })
    if (problem !== undefined) return `${step.name}: ${problem}`
    if (!mayDiffer && !isDeepStrictEqual(answer, course.answers[number]))
      return `${step.name}: it answered ${JSON.stringify(answer)} and not ${JSON.stringify(course.answers[number])}`
  }
  await script.close(opened as Opened)
  restoreDriver()
  const content = await script.content(directory, opened as Opened)
  rmSync(directory, { recursive: true })
  if (!isDeepStrictEqual(content, course.contents.at(-1))) return `at the end it holds ${JSON.stringify(content)}`
  return undefined
}

/** The files of a directory that this process has open, where the system tells. */
function openFilesIn(directory: string): readonly string[] {
  const own = '/proc/self/fd'
  if (!existsSync(own)) return []
  return readdirSync(own).flatMap((name) => {
    try {
      const path = readlinkSync(join(own, name))
      return path.startsWith(`${directory}/`) ? [path] : []
    } catch {
      return []
    }
  })
}

/**
 * The files of a directory that stay open. A driver keeps the file of a closed database open until its statements are
 * collected, so that is done first.
 */
async function stillOpenIn(directory: string): Promise<readonly string[]> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let left = 10; left > 0; left--) {
    collect()
    await setImmediate()
    if (openFilesIn(directory).length === 0) return []
  }
  return openFilesIn(directory)
}

/** Runs between two checks that no file is left open. */
const runsBetweenChecks = 40

/** Which calls of a run fail, and how. */
interface Given {
  readonly from: number
  readonly count: number
  readonly fault: Fault
}

/** How many calls fail in a row: a moment, and an outage. */
const lengths = [1, 4] as const

/** Which calls fail: every `every`-th from `first` on, `lengths` of them in a row. */
export interface Choice {
  readonly every: number
  readonly first: number
  readonly lengths: readonly number[]
}

/** Every call. */
export const everyCall: Choice = { every: 1, first: 0, lengths }

/** Some of the calls, as a seed says. */
export function chosenBy(seed: number, every: number): Choice {
  return { every, first: seed % every, lengths: [lengths[seed % 2] ?? 1] }
}

/** A file system in memory, if there is one: a disk takes most of the time of these runs. */
const memory = '/dev/shm'

/** Runs a script once for each fault at each chosen driver call. */
export async function survives<Opened>(t: Test, script: Script<Opened>, choice: Choice): Promise<void> {
  const root = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'otep-faults-'))
  t.teardown(() => rmSync(root, { recursive: true }))
  const course = await courseOf(script, join(root, 'course'))
  t.ok(course.calls > 90, `the script makes ${course.calls} driver calls`)
  const problems: string[] = []
  let runs = 0
  for (let from = choice.first; from < course.calls; from += choice.every)
    for (const count of choice.lengths)
      for (const fault of faults) {
        const directory = join(root, String(runs++))
        const problem = await problemIn(script, course, directory, { from, count, fault }).finally(restoreDriver)
        const place = `${fault.name}, ${count} from call ${from}`
        if (problem !== undefined) problems.push(`${place}: ${problem}`)
        const open = runs % runsBetweenChecks === 0 ? await stillOpenIn(root) : []
        if (open.length > 0) problems.push(`before or at ${place}: ${open[0]} is not closed`)
      }
  t.same([...problems, ...(await stillOpenIn(root))], [], `${runs} runs with faults`)
}

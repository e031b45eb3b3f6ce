import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inColumns } from '../../adapters/cli/bench/columns.ts'
import { plain, table } from '../../docs/generate/markdown.ts'
import { cellsOf } from '../table.ts'
import { type Chart, chartsOf } from './charts.ts'
import type { Figures, Outcome } from './outcomes.ts'

/** A run in the form of its report. */
interface Run {
  /** The machine in one line. */
  readonly machine: string
  readonly rounds: number
  readonly outcomes: readonly Outcome[]
  readonly figures: readonly Figures[]
}

/** The folder with explanations of a topic by people: where its time goes. */
const textsFolder = join('bench', 'report', 'texts')

const pageFile = join('docs', 'reference', 'benchmarks.md')
const chartsFolder = join('docs', 'reference', 'benchmarks')

/** Writes the page of a run and its charts, in the working directory, which is the root of the project. */
export function writeReport(run: Run): void {
  const charts = chartsOf(run)
  rmSync(chartsFolder, { recursive: true, force: true })
  mkdirSync(chartsFolder, { recursive: true })
  for (const { name, svg } of charts) writeFileSync(join(chartsFolder, `${name}.svg`), svg)
  writeFileSync(pageFile, reportPage(run, charts, textOn, committedRun()))
}

/** What was measured of each goal in another run, as it is printed, by its work and what it was held against. */
type Before = ReadonlyMap<string, string>

/** The run whose page is in the working directory, which was committed last. */
export function committedRun(): Before {
  return existsSync(pageFile) ? measuredIn(readFileSync(pageFile, 'utf8')) : new Map()
}

/** What was measured of each goal by the page of a run. */
export function measuredIn(page: string): Before {
  const [, table = ''] = page.split('\n## Goals\n')
  const [head = [], , ...rows] = (table.trim().split('\n\n')[0] ?? '').split('\n').map(cellsIn)
  const cell = (row: readonly string[], name: string) => row[head.indexOf(name)] ?? ''
  return new Map(rows.map((row) => [`${cell(row, 'work')} ${cell(row, 'against')}`, cell(row, 'measured')]))
}

function cellsIn(line: string): readonly string[] {
  return line.split('|').map((cell) => cell.trim())
}

/** The page of a run; `textOf` returns the explanation of a topic. */
export function reportPage(
  { machine, rounds, outcomes, figures }: Run,
  charts: readonly Chart[],
  textOf: (topic: string) => string | undefined,
  before: Before = new Map(),
): string {
  const parts = [
    '# Benchmarks: a run',
    '> Written by `npm run bench`. Do not edit it: texts about where the time goes lie in `bench/report/texts/`.',
    `${machine}. Medians of ${rounds} rounds. [How it is measured](../explanation/benchmarks.md).`,
    '## Goals',
    goalTable(outcomes, before),
    ...charts.filter(({ topic }) => topic === undefined).map(image),
    ...figures.flatMap((one) => topicParts(one, outcomes, charts, textOf)),
  ]
  return `${parts.join('\n\n')}\n`
}

/** The goals as lines for a terminal. */
export function goalLines(outcomes: readonly Outcome[], before: Before = new Map()): string {
  return inColumns([goalHead, ...outcomes.map((outcome) => goalCells(outcome, before))], [1, 2])
}

const goalHead = ['work', 'goal', 'measured', 'holds', 'before', 'against', 'by', 'remark']

function goalTable(outcomes: readonly Outcome[], before: Before): string {
  return table(
    goalHead,
    outcomes.map((outcome) => goalCells(outcome, before).map(plain)),
  )
}

/** Figures of two runs on a busy machine differ by as much. */
const tolerance = 1.15

/** What was measured before, and whether it was better. */
function earlierCell({ goal, measured }: Outcome, before: Before): string {
  const text = before.get(`${plain(goal.work)} ${plain(goal.against)}`) ?? ''
  const value = Number.parseFloat(text.replaceAll(',', ''))
  if (Number.isNaN(value) || measured === undefined) return ''
  const isWorse = goal.bound === 'at least' ? measured * tolerance < value : measured > value * tolerance
  return isWorse ? `${text}: worse now` : text
}

function goalCells(outcome: Outcome, before: Before): readonly string[] {
  const { goal, measured, holds, remark = '' } = outcome
  const { work, against, bound, target, unit, measure } = goal
  const verdict = holds === undefined ? 'not measured' : holds ? 'yes' : 'no'
  const shown = measured === undefined ? '' : `${figure(measured)} ${unit}`
  const earlier = earlierCell(outcome, before)
  return [
    work,
    `${bound} ${target} ${unit}`,
    shown,
    verdict,
    earlier,
    against,
    'by' in measure ? measure.by : '',
    remark,
  ]
}

function topicParts(
  figures: Figures,
  outcomes: readonly Outcome[],
  charts: readonly Chart[],
  textOf: (topic: string) => string | undefined,
): readonly string[] {
  const { topic, summary, rows, notes } = figures
  const [head = [], ...cells] = cellsOf(figures, rows)
  const text = textOf(topic)
  const missed = outcomes.filter(({ goal, holds }) => holds === false && topicsOf(goal).includes(topic))
  const isMissing = text === undefined && missed.length > 0
  return [
    `## ${topic}`,
    `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
    ...charts.filter((chart) => chart.topic === topic).map(image),
    table(
      head,
      cells.map((line) => line.map(plain)),
    ),
    ...notes,
    ...(text === undefined ? [] : ['### Where the time goes', text]),
    ...(isMissing ? [`A goal is missed here, and bench/report/texts/${topic}.md does not yet tell why.`] : []),
  ]
}

function topicsOf({ measure }: Outcome['goal']): readonly string[] {
  return measure.kind === 'figure' ? [measure.topic] : measure.pairs.map(({ topic }) => topic)
}

function textOn(topic: string): string | undefined {
  const file = join(textsFolder, `${topic}.md`)
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
}

function image({ name, title }: Chart): string {
  return `![${title}](benchmarks/${name}.svg)`
}

function figure(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: 3 })
}

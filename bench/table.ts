import { inColumns } from '../adapters/cli/bench/columns.ts'
import type { Row, Topic } from './harness.ts'

/** The figures of a topic as a table; ratios are fractions of the reference's speed. */
export function tableOf(topic: Pick<Topic, 'unit'>, rows: readonly Row[]): string {
  const lines = cellsOf(topic, rows)
  const last = (lines[0]?.length ?? 0) - 1
  return inColumns(
    lines,
    Array.from({ length: last - 1 }, (_, index) => index + 1),
  )
}

/** The head and the rows of that table as cells. */
export function cellsOf({ unit }: Pick<Topic, 'unit'>, rows: readonly Row[]): readonly (readonly string[])[] {
  const more = [...new Set(rows.flatMap(({ figures = {} }) => Object.keys(figures)))]
  const head = ['case', `${unit}s/s`, `CPU us/${unit}`, ...more, 'ratio', 'CPU ratio', 'to']
  const cells = rows.map(({ name, rate, cpuMicros, figures = {}, ratio, cpuRatio, reference = '' }) => [
    name,
    Math.round(rate).toLocaleString('en'),
    cpuMicros.toFixed(1),
    ...more.map((figure) => figures[figure]?.toFixed(1) ?? ''),
    shareOf(ratio),
    shareOf(cpuRatio),
    reference,
  ])
  return [head, ...cells]
}

function shareOf(ratio: number | undefined): string {
  return ratio === undefined ? '' : ratio.toFixed(2)
}

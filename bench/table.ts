import type { Row, Topic } from './harness.ts'

/** The figures of a topic as a table; ratios are how much of the reference's speed is reached. */
export function tableOf({ unit }: Topic, rows: readonly Row[]): string {
  const head = ['case', `${unit}s/s`, `CPU us/${unit}`, 'ratio', 'CPU ratio', 'to']
  const cells = rows.map(({ name, rate, cpuMicros, ratio, cpuRatio, reference = '' }) => [
    name,
    Math.round(rate).toLocaleString('en'),
    cpuMicros.toFixed(1),
    shareOf(ratio),
    shareOf(cpuRatio),
    reference,
  ])
  const lines = [head, ...cells]
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  return lines
    .map((line) =>
      line
        .map((cell, column) => padded(cell, widths[column] ?? 0, column))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function shareOf(ratio: number | undefined): string {
  return ratio === undefined ? '' : ratio.toFixed(2)
}

/** Numbers stand to the right. */
function padded(cell: string, width: number, column: number): string {
  return column === 0 || column === 5 ? cell.padEnd(width) : cell.padStart(width)
}

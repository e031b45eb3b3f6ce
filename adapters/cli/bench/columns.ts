/** Formats a table: text columns left-aligned, and the columns in `numbers` (from 0) right-aligned. */
export function inColumns(lines: readonly (readonly string[])[], numbers: readonly number[]): string {
  const [head = []] = lines
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  const padded = (cell: string, column: number) =>
    numbers.includes(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)
  return lines.map((line) => line.map(padded).join('  ').trimEnd()).join('\n')
}

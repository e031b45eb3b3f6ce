/** Lines of cells as a text in columns: words stand to the left, and the columns of numbers, from 0, to the right. */
export function inColumns(lines: readonly (readonly string[])[], numbers: readonly number[]): string {
  const [head = []] = lines
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  const padded = (cell: string, column: number) =>
    numbers.includes(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)
  return lines.map((line) => line.map(padded).join('  ').trimEnd()).join('\n')
}

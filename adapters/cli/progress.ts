import type { Terminal } from './command.ts'

/** Shows the progress of a long task, if the standard error is a terminal. */
export interface Progress {
  /** Without `done`, shows only the note. */
  at(done: number | undefined, note: string): void
  end(): void
}

const barWidth = 30
const interval = 100

/** A progress bar on the standard error; without `total` the end is unknown. */
export function progressOn({ stderr }: Pick<Terminal, 'stderr'>, total: number | undefined): Progress {
  if (stderr.isTTY !== true) return { at: () => {}, end: () => {} }
  let shownAt = 0
  return {
    at(done, note) {
      const now = Date.now()
      if (now - shownAt < interval) return
      shownAt = now
      stderr.write(`\r\u001b[K${bar(done, total)} ${note}`)
    },
    end: () => void stderr.write('\r\u001b[K'),
  }
}

function bar(done: number | undefined, total: number | undefined): string {
  if (done === undefined || total === undefined || total === 0) return ''
  const share = Math.min(1, done / total)
  const filled = Math.round(share * barWidth)
  return `[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}] ${String(Math.round(share * 100)).padStart(3)}%`
}

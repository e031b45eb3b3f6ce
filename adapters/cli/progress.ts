import type { Terminal } from './command.ts'

/** Shows how far a long work has come; nothing is shown where nobody looks. */
export interface Progress {
  /** Without `done`, only the note is shown. */
  at(done: number | undefined, note: string): void
  end(): void
}

const barWidth = 30
const interval = 100

/** A bar on the standard error while it is a terminal; `total` absent means that the end is not known. */
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

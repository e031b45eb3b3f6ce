import type { Terminal } from './command.ts'

/** Shows the progress of a long task, if the standard error is a terminal. */
interface Progress {
  /** Without `done`, shows only the note. */
  at(done: number | undefined, note: string): void
  end(): void
}

/** Shows how many things of a kind are done, how fast that goes, and how long the rest takes if there is a total. */
interface Counting {
  at(what: string, done: number, total: number | undefined): void
  end(): void
}

type Stderr = Pick<Terminal, 'stderr'>

const barWidth = 30
const interval = 100

/** A progress bar on the standard error; without `total` the end is unknown. */
export function progressOn(terminal: Stderr, total: number | undefined): Progress {
  const { show, end } = lineOn(terminal, Date.now)
  return { at: (done, note) => show(() => `${bar(done, total)} ${note}`), end }
}

/** The same for counts of one kind after the other; `now` in milliseconds. */
export function countingOn(terminal: Stderr, now: () => number = Date.now): Counting {
  const { show, end } = lineOn(terminal, now)
  let begun = { what: '', done: 0, at: 0 }
  let shown = 0
  return {
    at: (what, done, total) =>
      show(() => {
        if (what !== begun.what || done < shown) begun = { what, done, at: now() }
        shown = done
        return `${bar(done, total)} ${done}${total === undefined ? '' : ` of ${total}`} ${what}${pace(done, total)}`
      }),
    end,
  }

  function pace(done: number, total: number | undefined): string {
    const rate = (done - begun.done) / ((now() - begun.at) / 1_000)
    if (!(rate > 0 && rate < Number.POSITIVE_INFINITY)) return ''
    const left = total === undefined ? '' : `, ${durationOf(Math.max(0, total - done) / rate)} left`
    return `, ${Math.round(rate)}/s${left}`
  }
}

function durationOf(seconds: number): string {
  return seconds < 120 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`
}

/** A line that is written again, but not too often. */
function lineOn({ stderr }: Stderr, now: () => number) {
  if (stderr.isTTY !== true) return { show: () => {}, end: () => {} }
  let shownAt = Number.NEGATIVE_INFINITY
  return {
    show: (text: () => string) => {
      const at = now()
      if (at - shownAt < interval) return
      shownAt = at
      stderr.write(`\r\u001b[K${text()}`)
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

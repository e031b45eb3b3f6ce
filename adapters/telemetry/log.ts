import { openSync } from 'node:fs'
import { pino } from 'pino'
import type { LogLevel } from '../config.ts'
import type { Log } from '../log.ts'

/** A log that is written in batches; `close` writes what waits. */
export interface WrittenLog extends Log {
  close(): void
}

/** Lines may wait so long for others before they are written, in milliseconds. */
const patience = 100

/** As many characters are written at once. */
const batch = 16 * 1024

/** What a reader that does not read may keep waiting, in bytes; later lines are dropped. */
const maxWaiting = 4 * 1024 * 1024

/** A log of one JSON object a line, to a file or to the standard error. */
export function createLog(level: LogLevel, file: string | number = 2): WrittenLog {
  const target = createTarget(file)
  const { debug, info, warn, error } = bound(pino({ level, base: null, timestamp, formatters }, target))
  return { debug, info, warn, error, close: target.close }
}

const formatters = { level: (level: string) => ({ level }) }

function bound(log: Log): Log {
  const { debug, info, warn, error } = log
  return { debug: debug.bind(log), info: info.bind(log), warn: warn.bind(log), error: error.bind(log) }
}

/**
 * Lines are joined before they are handed to pino's own writer, which takes longer over each than it takes to make one.
 * A log that cannot be written is lost, and nothing else with it.
 */
function createTarget(file: string | number) {
  let isClosing = false
  // Open before the first line: a writer that still opens its file when it is closed would lose all of it.
  const dest = typeof file === 'string' ? openSync(file, 'a') : file
  const writer = pino.destination({ dest, sync: false, maxLength: maxWaiting, retryEAGAIN: () => !isClosing })
  writer.on('error', () => {})
  let lines: string[] = []
  let length = 0
  let timer: NodeJS.Timeout | undefined

  function flush() {
    clearTimeout(timer)
    timer = undefined
    if (length > 0) writer.write(lines.join(''))
    lines = []
    length = 0
  }

  function write(line: string) {
    lines.push(line)
    length += line.length
    if (length >= batch) flush()
    else timer ??= setTimeout(flush, patience).unref()
  }

  function close() {
    process.removeListener('exit', close)
    isClosing = true
    flush()
    try {
      writer.flushSync()
    } catch {
      // Nobody reads it any more.
    }
  }

  process.once('exit', close)
  return { write, close }
}

let second = 0
let upToSecond = ''

/** The time in ISO 8601; the part down to the second is written once a second. */
function timestamp(): string {
  const now = Date.now()
  const millisecond = now % 1000
  if (now - millisecond !== second) {
    second = now - millisecond
    upToSecond = `,"time":"${new Date(now).toISOString().slice(0, 20)}`
  }
  return `${upToSecond}${String(millisecond).padStart(3, '0')}Z"`
}

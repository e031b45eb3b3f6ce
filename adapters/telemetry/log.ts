import { openSync, writeSync } from 'node:fs'
import sonic from 'sonic-boom'
import { type LogLevel, logLevels } from '../node/config.ts'
import { isQuiet, type Log, type LogFunction } from '../node/log.ts'

/** A log that is written in batches; `close` flushes it. */
interface WrittenLog extends Log {
  close(): void
}

/** Milliseconds that a line may wait for others before it is written. */
const maxDelay = 100

/** Characters per write. */
const batch = 16 * 1024

/** Maximum unwritten bytes when the reader does not read; later lines are dropped. */
const maxWaiting = 4 * 1024 * 1024

/** Creates a log with one JSON object per line, to a file or the standard error; `worker` is in each line if given. */
export function createLog(level: LogLevel, file: string | number = 2, worker?: number): WrittenLog {
  const target = createTarget(file)
  const least = logLevels.indexOf(level)
  const who = worker === undefined ? '' : `,"worker":${worker}`
  const tell = (own: keyof Log): LogFunction =>
    logLevels.indexOf(own) < least ? () => {} : (fields, words) => write(isQuiet(fields) ? 'debug' : own, fields, words)
  const write = (level: keyof Log, fields: object, words: string) => {
    if (logLevels.indexOf(level) >= least) target.write(lineOf(level, who, fields, words))
  }
  return { debug: tell('debug'), info: tell('info'), warn: tell('warn'), error: tell('error'), close: target.close }
}

/** The members of the fields are inserted as they are: copying them would take longer than writing them. */
function lineOf(level: keyof Log, who: string, fields: object, words: string): string {
  const members = JSON.stringify(fields).slice(1, -1)
  return `{"level":"${level}"${timestamp()}${who}${members === '' ? '' : `,${members}`},"msg":${JSON.stringify(words)}}\n`
}

/**
 * Joins lines before writing, because each write costs more than making a line. If the log cannot be written, only the
 * log is lost.
 */
function createTarget(file: string | number) {
  let isClosing = false
  // Open the file now: a writer that is closed while it opens its file would lose everything.
  const dest = typeof file === 'string' ? openSync(file, 'a') : file
  const writer = new sonic.SonicBoom({ dest, sync: false, maxLength: maxWaiting, retryEAGAIN: () => !isClosing })
  let isLost = false
  writer.on('error', ({ code }: NodeJS.ErrnoException) => {
    // The reader is gone.
    if (code === 'EPIPE') isLost = true
  })
  let lines: string[] = []
  let length = 0
  let timer: NodeJS.Timeout | undefined

  function waiting(): string {
    clearTimeout(timer)
    timer = undefined
    const text = lines.join('')
    lines = []
    length = 0
    return text
  }

  function flush() {
    const text = waiting()
    if (text !== '' && !isLost) writer.write(text)
  }

  function write(line: string) {
    lines.push(line)
    length += line.length
    if (length >= batch) flush()
    else timer ??= setTimeout(flush, maxDelay).unref()
  }

  function close() {
    process.removeListener('exit', close)
    isClosing = true
    try {
      writer.flushSync()
      // Write directly: the writer would start a write that nobody waits for.
      writeSync(dest, waiting())
    } catch {
      // The reader is gone.
    }
  }

  process.once('exit', close)
  return { write, close }
}

let second = 0
let upToSecond = ''

/** The time in ISO 8601; the part down to the second is formatted once a second. */
function timestamp(): string {
  const now = Date.now()
  const millisecond = now % 1000
  if (now - millisecond !== second) {
    second = now - millisecond
    upToSecond = `,"time":"${new Date(now).toISOString().slice(0, 20)}`
  }
  return `${upToSecond}${String(millisecond).padStart(3, '0')}Z"`
}

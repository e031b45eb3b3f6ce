import { openSync, writeSync } from 'node:fs'
import sonic from 'sonic-boom'
import { type LogLevel, logLevels } from '../node/config.ts'
import type { Log, LogFunction } from '../node/log.ts'

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
  const least = logLevels.indexOf(level)
  const tell = (own: keyof Log): LogFunction =>
    logLevels.indexOf(own) < least ? () => {} : (fields, words) => target.write(lineOf(own, fields, words))
  return { debug: tell('debug'), info: tell('info'), warn: tell('warn'), error: tell('error'), close: target.close }
}

/** The members of the fields stand in the middle as they are: a copy of them would take longer than to write them. */
function lineOf(level: keyof Log, fields: object, words: string): string {
  const members = JSON.stringify(fields).slice(1, -1)
  return `{"level":"${level}"${timestamp()}${members === '' ? '' : `,${members}`},"msg":${JSON.stringify(words)}}\n`
}

/**
 * Lines are joined before they are handed to the writer, which takes longer over each than it takes to make one.
 * A log that cannot be written is lost, and nothing else with it.
 */
function createTarget(file: string | number) {
  let isClosing = false
  // Open before the first line: a writer that still opens its file when it is closed would lose all of it.
  const dest = typeof file === 'string' ? openSync(file, 'a') : file
  const writer = new sonic.SonicBoom({ dest, sync: false, maxLength: maxWaiting, retryEAGAIN: () => !isClosing })
  let isLost = false
  writer.on('error', ({ code }: NodeJS.ErrnoException) => {
    // Nobody reads it any more.
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
    else timer ??= setTimeout(flush, patience).unref()
  }

  function close() {
    process.removeListener('exit', close)
    isClosing = true
    try {
      writer.flushSync()
      // Not by the writer: it would begin a write that nobody waits for.
      writeSync(dest, waiting())
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

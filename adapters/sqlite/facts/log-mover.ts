import { Worker } from 'node:worker_threads'
import { unlessFailing } from '../../node/unless-failing.ts'
import { driverInThread } from '../database.ts'

/**
 * Moves the write-ahead log of a file into the file (a checkpoint of SQLite) in a thread: the move blocks its thread,
 * for 0.35 s after a very large call. Without this one, the commit that makes the log too long does it.
 */
export interface LogMover {
  /** Called after a commit, with the number of its events. */
  noteCommit(events: number): void
  /** Waits for a move that is in progress, and ends the thread. */
  stop(): Promise<void>
}

/** Events that are committed between two moves. */
const eventsPerMove = 2_000

/**
 * Creates the mover of an existing file; its thread starts when there is something to move, if the file still has its
 * name: SQLite would make a new one.
 */
export function createLogMover(file: string, isSameFile: () => boolean): LogMover {
  let thread: Worker | undefined
  let events = 0
  let isMoving = false
  let isStopped = false

  function noteCommit(count: number) {
    events += count
    if (events < eventsPerMove || isMoving || isStopped) return
    events = 0
    if (thread === undefined && !isSameFile()) return
    // The commit is valid, whether or not a thread can be started.
    thread ??= unlessFailing(started)
    isMoving = thread !== undefined
    thread?.postMessage('move')
  }

  function started(): Worker {
    const workerData = { file, driver: driverInThread() }
    const worker = new Worker(source, { eval: true, workerData, env: {}, execArgv: ['--no-warnings'], resourceLimits })
    worker.on('message', () => {
      isMoving = false
    })
    // The commits move the log then.
    worker.on('error', () => {
      isStopped = true
    })
    worker.unref()
    return worker
  }

  async function stop() {
    isStopped = true
    // A thread that has ended has no id any more.
    if (thread === undefined || thread.threadId < 0) return
    thread.ref()
    const ended = new Promise((resolve) => thread?.once('exit', resolve))
    thread.postMessage('end')
    await ended
  }

  return { noteCommit, stop }
}

const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 }

/** What the thread runs. A move that fails, as on a full disk, is made up for by the next one. */
const source = `
const { parentPort, workerData } = require('node:worker_threads')
const { DatabaseSync } = require(workerData.driver)
const database = new DatabaseSync(workerData.file)
database.exec('PRAGMA synchronous = FULL; PRAGMA fullfsync = ON')
parentPort.on('message', (message) => {
  if (message === 'end') {
    database.close()
    parentPort.close()
    return
  }
  try {
    database.exec('PRAGMA wal_checkpoint(PASSIVE)')
  } catch {}
  parentPort.postMessage('moved')
})
`

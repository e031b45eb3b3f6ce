import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import type { Test } from 'tap'
import { run } from '../../adapters/cli/run.ts'
import { createApp } from '../../adapters/main.ts'
import { listen } from '../../adapters/node/server.ts'
import type { Storage } from '../../engine/index.ts'
import { addProvider } from '../program/provider.ts'
import { type Server, startServer } from '../program/server.ts'
import { type Answered, type Client, clientOf } from '../rest/client.ts'

/** What a fault is shown with: the command line of the program, as JavaScript. */
interface Setting {
  readonly program: string
}

/** Faults that are survived, each as a sentence. */
export type Faults = Readonly<Record<string, (t: Test, setting: Setting) => Promise<void>>>

/** A server in its own process, on its own SQLite file, and a provider who pushes to it. */
export interface Process {
  readonly dataDir: string
  readonly server: Server
  readonly client: Client
  /**
   * Starts another one on what this one has left, when it has ended: on a copy, for a process that has had the file open,
   * as this one has, knows its log by heart.
   */
  restarted(): Promise<Process>
  /** Runs `otep` on the data of the server. */
  otep(...words: readonly string[]): Promise<Printed>
}

/** What a command has printed, and its exit code. */
interface Printed {
  readonly code: number
  readonly text: string
}

/** Waits until the read models of a node have caught up once, and returns the last response of `/readyz`. */
export async function ready(client: Client): Promise<Answered> {
  for (let left = 200; ; left--) {
    const answer = await client.get('/readyz')
    if (answer.status === 200 || left === 0) return answer
    await setTimeout(50)
  }
}

/** Starts a process that ends with the test; `options` are those of Node. */
export async function processOf(t: Test, { program }: Setting, options: readonly string[] = []): Promise<Process> {
  const directory = t.testdir()
  const key = await addProvider('acme', ['--data-dir', join(directory, '0')])
  const start = async (turn: number): Promise<Process> => {
    const dataDir = join(directory, String(turn))
    const server = await startServer(program, dataDir, options)
    t.teardown(() => server.kill())
    const client = clientOf(`http://127.0.0.1:${server.port}`, key)
    const restarted = () => {
      cpSync(dataDir, join(directory, String(turn + 1)), { recursive: true })
      return start(turn + 1)
    }
    return { dataDir, server, client, restarted, otep: (...words) => otep(dataDir, words) }
  }
  return start(0)
}

async function otep(dataDir: string, words: readonly string[]): Promise<Printed> {
  const printed: string[] = []
  const write = (text: string) => printed.push(text) > 0
  const stderr = { write, isTTY: false, columns: 80 }
  const args = [...words, '--data-dir', dataDir]
  const code = await run(args, { env: {}, stdin: Readable.from([]), stdout: { write }, stderr })
  return { code, text: printed.join('') }
}

/** The interface on a store of this process, which a test may look at and disturb; both end with the test. */
export interface Interface {
  readonly url: string
  readonly key: string
  readonly client: Client
}

/** A store, where it is as `OTEP_STORE` has it, and an empty directory for the rest. */
interface Place {
  readonly store: Storage
  readonly address: string
  readonly directory: string
  readonly clock?: () => number
}

/** Serves a store, to which a provider pushes. */
export async function interfaceOn(t: Test, { store, address, directory, clock = Date.now }: Place): Promise<Interface> {
  const key = await addProvider('acme', ['--store', address, '--data-dir', directory])
  const stopping = new AbortController()
  const app = createApp({ store, clock, stopping: stopping.signal })
  const server = await listen(app.fetch, { port: 0, host: '127.0.0.1' })
  t.teardown(async () => {
    stopping.abort()
    await server.close()
    await store.close()
  })
  const url = `http://127.0.0.1:${server.port}`
  return { url, key, client: clientOf(url, key) }
}

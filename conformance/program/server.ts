import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

/** A server in its own process. */
export interface Server {
  readonly port: number
  readonly pid: number
  /** Kills it, and waits until it is gone. */
  kill(): Promise<void>
  /** Stops it, and returns its exit code. */
  stop(): Promise<number | null>
}

/**
 * Starts `otep serve` on a free port of the loopback, with its data in `dataDir`, and waits until it listens. `options`
 * are those of Node, `words` further arguments of the command, and `settings` further variables of the environment: if
 * absent, nothing is limited, because all requests come from one address.
 */
export async function startServer(
  program: string,
  dataDir: string,
  options: readonly string[] = [],
  words: readonly string[] = [],
  settings: Readonly<Record<string, string>> = { OTEP_LIMITS: 'off' },
): Promise<Server> {
  const args = [...options, program, 'serve', '--port', '0', '--host', '127.0.0.1', '--data-dir', dataDir, ...words]
  const child = spawn(process.execPath, args, {
    // What is sent to receivers of a test stays on this machine.
    env: {
      ...{ OTEP_LOG_LEVEL: 'error', OTEP_WEBHOOK_ALLOW: '127.0.0.0/8', OTEP_PUBLIC_VIEW: 'full' },
      ...{ ...settings, ...process.env },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit') as Promise<[number | null]>
  const sayEnd = (code: number | null, signal: NodeJS.Signals | null) =>
    console.error(`The server of a test ended by itself: ${signal ?? `exit code ${code}`}.`)
  child.once('exit', sayEnd)
  const port = await portOf(child)
  // It keeps no test alive that failed before it could stop it, and ends with it.
  child.unref()
  ;(child.stdout as Readable as Socket).unref()
  const endIt = () => child.kill('SIGKILL')
  process.once('exit', endIt)
  child.once('exit', () => process.off('exit', endIt))
  const end = (signal: NodeJS.Signals) => {
    child.off('exit', sayEnd)
    child.ref()
    child.kill(signal)
    return ended
  }
  return {
    port,
    pid: child.pid ?? 0,
    kill: async () => {
      await end('SIGKILL')
    },
    stop: async () => {
      const [code] = await end('SIGTERM')
      return code
    },
  }
}

async function portOf({ stdout }: ChildProcess): Promise<number> {
  if (stdout !== null) {
    for await (const line of createInterface({ input: stdout })) {
      const [, port] = /listens on http:\/\/[^:]+:(\d+)/.exec(line) ?? []
      if (port !== undefined) return Number(port)
    }
  }
  throw new Error('The server ended before it listened.')
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** Runs a command line in its own process. */
interface Command {
  /** Its exit code; null where it was killed. */
  readonly ended: Promise<number | null>
  kill(): void
}

/** Starts a command of the program. */
export function startCommand(program: string, args: readonly string[]): Command {
  const child: ChildProcess = spawn(process.execPath, [program, ...args], { stdio: 'ignore' })
  const ended = (once(child, 'exit') as Promise<[number | null]>).then(([code]) => code)
  return { ended, kill: () => void child.kill('SIGKILL') }
}

import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { type Server, startServer } from '../program/server.ts'

/** How a server is ended: SIGKILL or SIGTERM. */
export type Ending = 'kill' | 'stop'

/** A server under test, which is ended and started again. */
export interface Node {
  /** The port of the running server; waits while there is none. Undefined once the soak test is over. */
  port(): Promise<number | undefined>
  /** The port that listens now; undefined while there is none. */
  listening(): number | undefined
  /** Ends the server, and starts it again. */
  restart(how: Ending): Promise<void>
  /** Ends the server for good. */
  close(): Promise<void>
  readonly figures: Figures
}

/** How often servers were ended, and how long each took to be ready again, in milliseconds. */
export interface Figures {
  kills: number
  stops: number
  readonly recoveries: number[]
}

/** How to start the program, and its data directory. */
interface Plan {
  readonly program: string
  readonly dataDir: string
  /** More words of `otep serve`. */
  readonly words: readonly string[]
}

/** Starts the server. A recovery is counted from the end of one server to the first `200` of `/readyz` of the next, in milliseconds. */
export async function startNode(plan: Plan): Promise<Node> {
  const changed = new EventTarget()
  const figures: Figures = { kills: 0, stops: 0, recoveries: [] }
  let server: Server | undefined = await start(plan)
  let closed = false

  async function end(how: Ending) {
    const old = server
    server = undefined
    if (how === 'kill') await old?.kill()
    else if ((await old?.stop()) !== 0) throw new Error('The stopped server did not exit with 0.')
  }

  return {
    figures,
    port: async () => {
      while (server === undefined && !closed) await once(changed, 'change')
      return server?.port
    },
    listening: () => server?.port,
    restart: async (how) => {
      await end(how)
      figures[how === 'kill' ? 'kills' : 'stops']++
      const began = performance.now()
      server = await start(plan)
      figures.recoveries.push(performance.now() - began)
      changed.dispatchEvent(new Event('change'))
    },
    close: async () => {
      closed = true
      changed.dispatchEvent(new Event('change'))
      await end('stop')
    },
  }
}

async function start({ program, dataDir, words }: Plan): Promise<Server> {
  const server = await startServer(program, dataDir, [], words, { OTEP_TRUSTED_PROXIES: '127.0.0.1' })
  for (;;) {
    const { status } = await fetch(`http://127.0.0.1:${server.port}/readyz`)
    if (status === 200) return server
    await setTimeout(20)
  }
}

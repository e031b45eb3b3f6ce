import { fork } from 'node:child_process'
import { once } from 'node:events'
import { targetOf } from '../../adapters/webhooks/reach/target.ts'
import { programAt } from '../program.ts'
import type { Order, Received, SinkMessage } from './wire.ts'

/** Receivers on ports of this machine, in one separate process. */
export interface Receivers {
  /** Scheme, host and port of each. */
  readonly origins: readonly string[]
  /** Ends all hanging requests, and returns the deliveries received before. */
  begin(what: 'count' | 'times' | 'keep'): Promise<Received>
  received(): Promise<Received>
  stop(): Promise<void>
}

/** The system may assign two ports to which nothing is sent, so more are opened. */
const spare = 2

/** Starts receivers on this many ports, and waits until they listen. */
export async function startReceivers(count: number): Promise<Receivers> {
  const child = fork(programAt('bench', 'webhooks', 'sink'), [String(count + spare)])
  const ended = once(child, 'exit')

  async function nextMessage(): Promise<SinkMessage> {
    const outcome = await Promise.race([once(child, 'message'), ended.then(() => undefined)])
    if (outcome === undefined) throw new Error('The receivers have ended.')
    return outcome[0] as SinkMessage
  }

  async function order(command: Order): Promise<Received> {
    child.send(command)
    const answer = await nextMessage()
    return 'count' in answer ? answer : { count: 0, times: [], last: '' }
  }

  const listening = await nextMessage()
  const all = 'ports' in listening ? listening.ports.map((port) => `http://127.0.0.1:${port}`) : []
  return {
    origins: all.filter((origin) => typeof targetOf(`${origin}/`) !== 'string').slice(0, count),
    begin: (what) => order({ begin: what }),
    received: () => order({ ask: 'received' }),
    stop: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

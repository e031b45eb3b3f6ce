import cluster from 'node:cluster'
import { startServer } from '../main.ts'
import { type Config, configFrom, nameOfStore } from '../node/config.ts'
import { type Peers, peersOf, topics } from '../node/peers.ts'
import { startWorkers } from '../workers.ts'
import { type Invocation, type Run, settingsOf, usageError } from './command.ts'
import { beginWithModels } from './models-copy.ts'
import { pluginsOf } from './session.ts'
import { waitForSignal } from './signals.ts'

/** `otep serve`: the HTTP interface, in one process or in several that share the port. */
export const run: Run = async (invocation) => {
  if (invocation.positionals.length > 0) throw usageError('serve takes options only; see otep serve --help.')
  const config = configFrom(settingsOf(invocation))
  const peers = peersOf(invocation.env)
  if (peers !== undefined) return work(config, invocation, peers)
  const { 'models-from': copy } = invocation.values
  if (typeof copy === 'string') await beginWithModels(config, invocation, copy)
  if (config.workers > 1) return supervise(config, invocation)
  const running = await startServer(config, await pluginsOf(invocation))
  const stopped = waitForSignal()
  announce(config, invocation, running.url)
  await stopped
  await running.stop()
  return 0
}

async function supervise(config: Config, invocation: Invocation): Promise<number> {
  const workers = await startWorkers(config)
  if (typeof workers === 'number') return workers
  const stopped = waitForSignal()
  announce(config, invocation, workers.url)
  await stopped
  return workers.stop()
}

/** Serves as one of several processes, until the one that started them says stop. */
async function work(config: Config, invocation: Invocation, peers: Peers): Promise<number> {
  const isToldToStop = new Promise<void>((resolve) => peers.hear(topics.stop, () => resolve()))
  try {
    const running = await startServer(config, await pluginsOf(invocation), peers)
    const stopped = waitForSignal(isToldToStop)
    peers.tell(topics.listening, running.url)
    await stopped
    await running.stop()
    return 0
  } finally {
    // The channel to the process that started this one would keep it alive.
    cluster.worker?.disconnect()
  }
}

function announce(config: Config, { stdout }: Invocation, url: string): void {
  const by = config.workers === 1 ? '' : `, ${config.workers} workers`
  stdout.write(`otep listens on ${url}${by}, with its store in ${nameOfStore(config.store)}\n`)
}

import { hasStore, openStore } from '../engine.ts'
import { nameOfStore, storeFrom } from '../node/config.ts'
import { readNodes, type SeenNode } from '../node/heartbeats.ts'
import { type Run, settingsOf, usageError } from './command.ts'
import { pluginsOf } from './session.ts'

/** `otep nodes`: which nodes serve the store, with their leases and read models. */
export const run: Run = async (invocation) => {
  if (invocation.positionals.length > 0) throw usageError('nodes takes options only; see otep nodes --help.')
  const { stdout, values } = invocation
  const address = storeFrom(settingsOf(invocation))
  if (address.kind === 'memory') throw new Error('Only the server itself can see a store in memory.')
  if (!hasStore(address)) throw new Error(`There is no store ${nameOfStore(address)}.`)
  const { stores } = await pluginsOf(invocation)
  const store = await openStore(address, {}, stores)
  try {
    const now = Date.now()
    const nodes = await readNodes(store.leases, now)
    if (values.json === true) stdout.write(`${JSON.stringify({ nodes: nodes.map(documentOf) })}\n`)
    else
      stdout.write(
        nodes.length === 0 ? 'No node serves this store.\n' : nodes.map((node) => textOf(node, now)).join(''),
      )
    return 0
  } finally {
    await store.close()
  }
}

function documentOf({ name, state, host, pid, version, since, at, leases, models }: SeenNode): object {
  return {
    ...{ name, state, host, pid, version, since, last_sign: at, leases },
    models: models.map(({ name, version, checkpoint = null, isCaughtUp, secondsBehind }) => ({
      ...{ name, version, checkpoint, caught_up: isCaughtUp, lag_seconds: Math.round(secondsBehind) },
    })),
  }
}

function textOf({ name, state, host, pid, version, since, at, leases, models }: SeenNode, now: number): string {
  const behind = models.filter(({ isCaughtUp }) => !isCaughtUp)
  const seconds = Math.max(0, Math.round((now - Date.parse(at)) / 1000))
  return [
    `${name}  ${state}`,
    `  process  ${pid} on ${host}, version ${version}, since ${since}, last sign ${seconds} s ago`,
    `  leases   ${leases.join(', ') || 'none'}`,
    `  models   ${models.length - behind.length} of ${models.length} caught up`,
    ...behind.map(
      ({ name, checkpoint, secondsBehind }) =>
        `           ${name} at ${checkpoint ?? 'the beginning'}, ${Math.round(secondsBehind)} s behind`,
    ),
    '',
  ].join('\n')
}

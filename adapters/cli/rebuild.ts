import type { ReadModel } from '../../engine/index.ts'
import { type Invocation, type Run, usageError } from './command.ts'
import { progressOn } from './progress.ts'
import { type SessionContext, withContext } from './session.ts'

/** `otep rebuild`: rebuilds read models from the events. */
export const run: Run = (invocation) => {
  const { positionals, values } = invocation
  const [name, second] = positionals
  if (second !== undefined || (name !== undefined && values.all === true))
    throw usageError('Name one read model, or use --all.')
  return withContext(invocation, async (context) => {
    if (name === undefined && values.all !== true) return list(invocation, context)
    const { models } = context.models
    const wanted = name === undefined ? models : models.filter((model) => model.name === name)
    if (wanted.length === 0) throw usageError(`There is no read model ${name}. otep rebuild lists them.`)
    return (await rebuild(invocation, context, wanted)) ? 0 : 1
  })
}

async function list({ values, stdout }: Invocation, { models, store }: SessionContext): Promise<number> {
  // Fails early if the store cannot be reached.
  await store.latest()
  const states = await models.state()
  const rows = await Promise.all(models.models.map((model) => models.count(model)))
  for (const [index, { name, version, checkpoint = null, isCaughtUp }] of states.entries()) {
    const line = { name, version, rows: rows[index] ?? 0, checkpoint, caught_up: isCaughtUp }
    stdout.write(values.json === true ? `${JSON.stringify(line)}\n` : `${textOf(line)}\n`)
  }
  return 0
}

interface Line {
  readonly name: string
  readonly version: number
  readonly rows: number
  readonly checkpoint: string | null
  readonly caught_up: boolean
}

function textOf({ name, version, rows, checkpoint, caught_up }: Line): string {
  const state = caught_up ? 'caught up' : 'being built'
  return `${name.padEnd(24)} version ${version}  ${rows} rows  ${state} at ${checkpoint ?? 'the beginning'}`
}

/** Rebuilds models side by side, so that they share the passes over the events; returns whether all finished. */
async function rebuild(invocation: Invocation, { models }: SessionContext, wanted: readonly ReadModel[]) {
  const { values, stdout, stderr } = invocation
  const before = await Promise.all(wanted.map((model) => models.count(model)))
  const progress = progressOn(invocation, sumOf(before))
  const stopped = new AbortController()
  const stop = () => stopped.abort()
  process.once('SIGINT', stop)
  const rows = wanted.map(() => 0)
  const work = wanted.map((model, place) =>
    models.rebuild(model, stopped.signal, (count) => {
      rows[place] = count
      progress.at(sumOf(rows), `${sumOf(rows)} rows`)
    }),
  )
  try {
    const isDone = await Promise.all(work)
    progress.end()
    for (const [place, model] of wanted.entries()) {
      if (!isDone[place]) continue
      const line = { name: model.name, version: model.version, rows: await models.count(model) }
      stdout.write(values.json === true ? `${JSON.stringify(line)}\n` : `${line.name}: ${line.rows} rows\n`)
    }
    const left = wanted.filter((_, place) => !isDone[place]).map(({ name }) => name)
    if (left.length > 0)
      stderr.write(`Stopped. The same command continues from there; still with the old rows: ${left.join(', ')}.\n`)
    return left.length === 0
  } finally {
    stop()
    await Promise.allSettled(work)
    process.off('SIGINT', stop)
  }
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}

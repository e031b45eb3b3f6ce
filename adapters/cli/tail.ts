import { type Context, feedOf, findStream, meantBy, type Timeline, timelineName } from '../../engine/index.ts'
import { segment } from '../../projections/shared/subject.ts'
import { type Invocation, namesIn, type Run, usageError } from './command.ts'
import { either } from './either.ts'
import { liveEvents } from './remote/live.ts'
import type { Server } from './remote/server.ts'
import { waitForSignal } from './signals.ts'
import { type Change, lineOf } from './tail/line.ts'

/** Where changes come from; ends when the signal is aborted. */
type Changes = (signal: AbortSignal) => AsyncIterable<Change>

/** `otep tail`: prints events as they are recorded, until Ctrl-C. */
export const run: Run = async (invocation) => {
  const [number, second] = invocation.positionals
  if (second !== undefined) throw usageError('Name one tracking number, or none for all.')
  const count = countOf(invocation)
  return either(invocation, {
    store: async (context) => {
      const known = context.profiles.flatMap(({ codes }) => Object.keys(codes))
      checkCodes(known, invocation)
      const stream = number === undefined ? undefined : await findStream(context, number)
      return printed(invocation, count, storeChanges(context, stream && timelineName(stream)))
    },
    server: async (server) => {
      if (invocation.values.status !== undefined) checkCodes(await codesOf(server), invocation)
      return printed(invocation, count, serverChanges(server, number, invocation))
    },
  })
}

function countOf({ values: { count } }: Invocation): number {
  if (count === undefined) return Number.POSITIVE_INFINITY
  if (!/^[1-9]\d{0,8}$/.test(String(count))) throw usageError('--count takes a number of events.')
  return Number(count)
}

/** The codes of the profiles that a server has. */
async function codesOf(server: Server): Promise<readonly string[]> {
  const path = '/api/otep-guide/codebook.json'
  const { profiles } = await server.json({ method: 'GET', path, isRepeatable: true })
  return (profiles as readonly { codes: readonly { code: string }[] }[]).flatMap(({ codes }) =>
    codes.map(({ code }) => code),
  )
}

/** Refuses a status that no profile has, and says which one may be meant. */
function checkCodes(known: readonly string[], { values }: Invocation): void {
  if (values.status === undefined) return
  for (const code of namesIn(values.status)) {
    if (known.includes(code) || code.startsWith('x-')) continue
    const meant = meantBy(code, known)
    const question = meant === undefined ? 'docs/reference/codebook.md lists them.' : `Did you mean ${meant}?`
    throw usageError(`There is no status ${code}. ${question}`)
  }
}

/** Prints the changes that are asked for, until there were enough or somebody stops it. */
async function printed(invocation: Invocation, most: number, changes: Changes): Promise<number> {
  const { values, stdout, env } = invocation
  const isColoured = stdout.isTTY === true && !env.NO_COLOR && values.json !== true
  const isAsked = filterOf(invocation)
  const stopping = new AbortController()
  let count = 0
  const work = async () => {
    for await (const change of changes(stopping.signal)) {
      if (!isAsked(change)) continue
      stdout.write(`${values.json === true ? JSON.stringify(change) : lineOf(change, isColoured)}\n`)
      count++
      if (count >= most) return
    }
  }
  // A store that is followed does not keep the process alive.
  const alive = setInterval(() => {}, 60_000)
  try {
    const working = work()
    await waitForSignal(working)
    stopping.abort()
    await working
    return 0
  } finally {
    clearInterval(alive)
  }
}

function filterOf({ values: { provider, status } }: Invocation): (change: Change) => boolean {
  const providers = provider === undefined ? undefined : namesIn(provider)
  const codes = status === undefined ? undefined : namesIn(status)
  return ({ event }) =>
    (providers === undefined || providers.includes(event?.source?.provider ?? '')) &&
    (codes === undefined || codes.includes(event?.status_code ?? ''))
}

/** The changes of a store: of one timeline, or of all. */
function storeChanges(context: Context, timeline: string | undefined): Changes {
  return async function* (signal) {
    for await (const { change } of feedOf(context, await context.store.latest(), signal))
      if (change !== undefined && (timeline === undefined || change.timeline === timeline)) yield change
  }
}

/** The changes that a server tells: of one timeline, or of all that the key may see. */
function serverChanges(server: Server, number: string | undefined, { stderr }: Invocation): Changes {
  return async function* (signal) {
    const path = number === undefined ? '/api/v1/otep/feed' : `/api/v1/otep/trackings/${segment(number)}/stream`
    const known = new Set<string>()
    if (number !== undefined) for (const { event_id } of await eventsOf(server, number)) known.add(event_id)
    const listening = {
      signal,
      lost: () => stderr.write('The connection is lost. Connecting again.\n'),
      back: () => stderr.write('Connected again.\n'),
    }
    for await (const { name, data } of liveEvents(server, path, listening)) {
      const change = name === 'tracking' ? (JSON.parse(data) as Change) : undefined
      if (change !== undefined) yield change
      else if (number !== undefined && name === 'reset') yield* newIn(await timelineOf(server, number), known)
      if (change?.event !== undefined) known.add(change.event.event_id)
    }
  }
}

async function timelineOf(server: Server, number: string): Promise<Timeline> {
  return (await server.call('otep_tracking', { tracking_number: number })).data as Timeline
}

async function eventsOf(server: Server, number: string): Promise<Timeline['events']> {
  return (await timelineOf(server, number)).events
}

/** The events that were recorded while so much happened that the server does not tell each. */
function* newIn({ subject, current_status, delivered, events }: Timeline, known: Set<string>): Generator<Change> {
  for (const event of events) {
    if (known.has(event.event_id)) continue
    known.add(event.event_id)
    yield { change: 'recorded', event, subject, delivered, ...(current_status === undefined ? {} : { current_status }) }
  }
}

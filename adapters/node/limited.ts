import { type Answer, type Context, isEngineError, isWriting, kinds, type Operation } from '../../engine/index.ts'
import { type Limits, localSource, type RateName } from './limits.ts'

/** Who asks for something, and from where. */
type Asking = Pick<Context, 'caller' | 'source'>

/** The limit that the calls of an operation count against; every operation has one. */
export function limitOf(operation: Pick<Operation, 'limit' | 'scopes' | 'writes' | 'risk' | 'rest'>): RateName {
  const { limit, scopes, rest } = operation
  if (limit !== undefined) return limit
  if (scopes.includes('otep:ingest')) return 'ingest'
  if (scopes.length > 0) return 'calls'
  return isWriting(operation) || (rest?.method ?? 'GET') !== 'GET' ? 'public_calls' : 'public_reads'
}

/**
 * Counts a call of an operation: a public one for its source, all others for the key or account. Throws
 * `too_many_requests`.
 */
export function countCall(limits: Limits, operation: Operation, context: Asking): void {
  const limit = limitOf(operation)
  if (operation.scopes.length === 0) limits.take(limit, context.source ?? localSource)
  else limits.take(context.caller.kind === 'anonymous' ? 'public_calls' : limit, requesterOf(context))
}

/** Whose buckets and turns a request takes: those of its key or account, or else of its source. */
export function requesterOf({ caller, source = localSource }: Asking): string {
  if (caller.key !== undefined) return `key:${caller.key.id}`
  if (caller.grant !== undefined) return `grant:${caller.grant.id}`
  return caller.kind === 'anonymous' ? source : `${caller.kind}:${caller.name}`
}

/**
 * Runs a public lookup: refuses it with `too_many_requests` if its source has found nothing too often, and counts it if
 * it finds nothing.
 */
export async function lookUp<Found>(limits: Limits, context: Asking, run: () => Promise<Found>): Promise<Found> {
  limits.requireToken('misses', context.source ?? localSource)
  try {
    return await run()
  } catch (error) {
    if (isEngineError(error) && kinds[error.code] === 'not_found') countMisses(limits, context, 1)
    throw error
  }
}

/** The key of what all sources have in common. */
const everybody = 'all'

/** As many misses a lookup counts that is refused for want of `all_misses`: that tells who guesses as much as one miss. */
export const dearly = 20

/**
 * Counts what a lookup did not find. Throws `too_many_requests` in place of its answer if other lookups of the source have
 * taken its last token meanwhile, or if it has no credentials and all of those together miss too often.
 */
function countMisses(limits: Limits, { caller, source = localSource }: Asking, misses: number): void {
  if (misses === 0) return
  limits.requireToken('misses', source)
  const isOpen = caller.kind === 'anonymous'
  if (isOpen && !limits.hasToken('all_misses', everybody)) {
    limits.charge('misses', source, dearly)
    limits.requireToken('all_misses', everybody)
  }
  limits.charge('misses', source, misses)
  if (isOpen) limits.charge('all_misses', everybody, misses)
}

/** Runs a call of an operation; that of a public one is a lookup. */
export function runLimited<Found>(
  limits: Limits,
  { scopes }: Pick<Operation, 'scopes'>,
  context: Asking,
  run: () => Promise<Found>,
): Promise<Found> {
  return scopes.length === 0 ? lookUp(limits, context, run) : run()
}

/** An operation that looks up many things at once, and counts those that it does not find. */
export function countingMisses(operation: Operation, limits: Limits): Operation {
  const { misses, joined } = operation
  if (misses === undefined) return operation
  const count = (context: Asking, answer: Answer) => countMisses(limits, context, misses(answer))
  return {
    ...operation,
    handle: async (context, input) => {
      const answer: Answer = await operation.handle(context, input)
      count(context, answer)
      return answer
    },
    ...(joined !== undefined && {
      joined: async (context, input, representation) => {
        const document = await joined(context, input, representation)
        count(context, document.refused)
        return document
      },
    }),
  }
}

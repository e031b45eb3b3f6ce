import type { Context as Request } from 'hono'
import type { Context } from '../../engine/index.ts'
import { baseHeaders, matches } from '../http/headers.ts'
import { createRecent, type Recent } from '../http/recent.ts'
import { type Asked, askedOf, type Respond, type Route } from './asked.ts'
import { queryOf } from './input.ts'
import { jsonType } from './respond.ts'
import type { Versioned } from './routed.ts'
import { type Body, bodyOf } from './text.ts'

/** An answer that may go out again as long as its tag is the one of today. */
interface Finished {
  readonly tag: string
  readonly type: string
  readonly body: Body
}

/** A request that was let in, and what was answered to it last. */
interface Read extends Asked {
  readonly version: () => Promise<string>
  readonly finished?: Finished
}

/** Requests that were let in a moment ago: the same one is not looked at again, and answered as it was while that holds. */
export type Reads = Recent<Read>

/** What a request takes beside its name and its answer, in bytes. */
const sizeOfRead = 2_048

/** Makes room for the requests of one store's history. What was erased there is gone after a minute. */
export function createReads(): Reads {
  return createRecent({ bytes: 64 * 1024 * 1024, ms: 30_000 })
}

/** Answers one operation that reads: with 304 where the caller has the answer, and as before where nothing has changed. */
export function createReader({ operation, schema, headers: others }: Route<Versioned>, reads: Reads): Respond {
  const headers = { ...baseHeaders, ...others }

  function readOf(request: Request, context: Context): Read {
    const asked = askedOf(request, operation, context, queryOf(request, operation, schema()))
    return { ...asked, version: operation.version(context, asked.input) }
  }

  /** Makes the answer of today, and keeps it where it is whole. */
  async function finish(name: string, read: Read, tag: string, context: Context): Promise<Finished> {
    const finished = { tag, ...(await answered(operation, context, read)) }
    const { body } = finished
    if (body instanceof Uint8Array) reads.set(name, { ...read, finished }, sizeOfRead + name.length + body.byteLength)
    return finished
  }

  return async (request, context) => {
    const name = nameOf(request)
    const known = reads.get(name)
    const read = known ?? readOf(request, context)
    const ETag = `"${await read.version()}-${read.wanted.place}"`
    const own = { ETag, 'X-Request-Id': context.requestId }
    if (matches(request.req.header('if-none-match'), ETag)) {
      if (known === undefined) reads.set(name, read, sizeOfRead + name.length)
      return new Response(null, { status: 304, headers: Object.assign(own, headers) })
    }
    const finished = read.finished?.tag === ETag ? read.finished : await finish(name, read, ETag, context)
    return new Response(finished.body, { headers: Object.assign({ 'Content-Type': finished.type }, own, headers) })
  }
}

/** All of a request that its answer depends on; its path is that of the wire, which its URL need not be. */
function nameOf({ req }: Request): string {
  return `${req.path} ${req.url} ${req.header('accept')}`
}

/** The answer of today: in its envelope, or the bare document where that is wanted, or what the operation always gives. */
async function answered(
  operation: Versioned,
  context: Context,
  { input, wanted: { representation, type } }: Asked,
): Promise<Omit<Finished, 'tag'>> {
  if (operation.text !== undefined) {
    const text = await operation.text(context, input, representation)
    return { type: representation === undefined ? jsonType : type, body: bodyOf(text) }
  }
  const answer = await operation.handle(context, input)
  if (operation.rest.bare !== true) return { type: jsonType, body: bodyOf([JSON.stringify(answer)]) }
  const of = context.formats.find(({ name }) => name === answer.format)
  const mediaType = of?.representations[0]?.mediaType ?? 'application/json'
  return { type: mediaType, body: bodyOf([JSON.stringify(answer.data)]) }
}

import type { Context as Request } from 'hono'
import { type Context, sha256 } from '../../../engine/index.ts'
import { rootPath } from '../../../projections/sensorthings/links.ts'
import { refused } from '../../../projections/sensorthings/query/index.ts'
import { openText, type SecretKey, sealText, secretKeyOf } from '../../node/cipher.ts'

/** A request to the service. */
export interface ThingsCall {
  readonly request: Request
  readonly context: Context
  /** The address of the root. */
  readonly root: string
}

/** Makes the call of a request. */
export function callOf(request: Request, context: Context): ThingsCall {
  return { request, context, root: context.baseUrl + rootPath }
}

/** Where a page begins: members that only the code that made them reads. */
export type Cursor = Readonly<Record<string, unknown>>

/** The options that have no influence on which entities are listed in which order. */
const ofPages = ['$skiptoken', '$skip', '$top', '$count']

type Written = readonly (readonly [name: string, value: string])[]

/** The address of the next page of a list, with the options of this one. */
export function nextLink({ context }: ThingsCall, list: string, written: Written, cursor: Cursor): string {
  const token = sealText(keyOf(context), hashOf(list, written), JSON.stringify(cursor))
  const kept = written.filter(([name]) => name !== '$skiptoken' && name !== '$skip')
  // Signs that a query may have stay as they are, so that people can read the link.
  const query = [...kept, ['$skiptoken', token] as const].map(
    ([name, value]) => `${name}=${encodeURIComponent(value).replace(/%(?:2C|24|2F|3A|3B|28|29)/g, decodeURIComponent)}`,
  )
  return `${list}?${query.join('&')}`
}

/** The cursor in `$skiptoken`; refuses a token of another list. */
export function cursorIn({ context }: ThingsCall, list: string, written: Written): Cursor | undefined {
  const token = written.find(([name]) => name === '$skiptoken')?.[1]
  if (token === undefined) return undefined
  try {
    return JSON.parse(openText(keyOf(context), hashOf(list, written), token)) as Cursor
  } catch {
    throw refused('$skiptoken', 'it is of another list')
  }
}

/** The key of tokens: one may name something that its holder must not see. Nodes with one secret have one key. */
function keyOf({ credentials }: Context): SecretKey {
  return secretKeyOf(Buffer.from(credentials.blind('tokens of SensorThings pages'), 'hex'))
}

function hashOf(list: string, written: Written): string {
  const asked = written.filter(([name]) => !ofPages.includes(name)).map((one) => one.join('='))
  return sha256(JSON.stringify([decodeURIComponent(list), asked.sort()])).slice(0, 16)
}

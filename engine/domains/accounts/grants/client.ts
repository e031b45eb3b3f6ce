import * as v from 'valibot'
import type { Context } from '../../../kernel/context.ts'
import { EngineError } from '../../../kernel/errors.ts'
import { sha256 } from '../../../kernel/id.ts'
import { isObject } from '../../../kernel/members.ts'
import { parse } from '../../../kernel/parse.ts'
import { isoOf } from '../../../kernel/time.ts'
import { grantModel } from './model.ts'
import { isRedirectUri, placeOf } from './redirect.ts'

/** A program that asks for grants. */
export interface OAuthClient {
  readonly id: string
  /** What it calls itself. Nobody has checked that. */
  readonly name: string
  /** The host that its metadata came from, if they did; a client that registered itself has none. */
  readonly host?: string
  readonly redirectUris: readonly string[]
}

/** How many redirect URIs a client may have, and characters of all of them and of its name. */
const most = { redirects: 5, characters: 1_200, name: 100 }

/** Milliseconds that a registration is accepted if nobody gives the client a grant. */
const unusedFor = 30 * 86_400_000

const metadata = v.looseObject({
  redirect_uris: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(most.redirects)),
  client_name: v.optional(v.string()),
  token_endpoint_auth_method: v.optional(v.string()),
})

/** The name and redirect URIs in the metadata of a client (RFC 7591, 2). */
type Described = Pick<OAuthClient, 'name' | 'redirectUris'>

function describedBy(document: unknown): Described {
  const { value, findings } = parse(metadata, document)
  if (findings !== undefined) throw new EngineError('invalid_client_metadata', { member: findings[0]?.path ?? '' })
  const { redirect_uris: redirectUris, client_name = '' } = value
  const isTooMuch = redirectUris.join('').length > most.characters
  if (isTooMuch || !redirectUris.every(isRedirectUri)) throw new EngineError('invalid_redirect_uri')
  const [first = ''] = redirectUris
  const name = [...client_name.trim()].slice(0, most.name).join('')
  return { name: name === '' ? placeOf(first) : name, redirectUris }
}

/**
 * Registers a client (RFC 7591). Its id is its metadata with a signature, so that strangers leave nothing in the store; it
 * has no secret, because everybody could register as well.
 */
export function registerClient(
  { credentials, clock }: Pick<Context, 'credentials' | 'clock'>,
  document: unknown,
): OAuthClient & { readonly registeredAt: number } {
  const described = describedBy(document)
  const registeredAt = clock()
  const { name, redirectUris } = described
  const payload = encode({ n: name, r: redirectUris, t: Math.floor(registeredAt / 1000) })
  return { ...described, id: `${registered}${payload}.${credentials.sign(signed(payload))}`, registeredAt }
}

const registered = 'r.'

function signed(payload: string): string {
  return `oauth client\0${payload}`
}

/** The client that registered under an id; `invalid_client` if it did not, or nobody has used it for a month. */
export async function registeredClient(context: Context, id: string): Promise<OAuthClient> {
  const [, payload = '', signature = ''] = /^r\.([\w-]{1,4000})\.([\w-]{1,200})$/.exec(id) ?? []
  const known = context.credentials.isSigned(signed(payload), signature) ? decode(payload) : undefined
  if (!isObject(known)) throw new EngineError('invalid_client')
  const { n, r, t } = known as { n: string; r: readonly string[]; t: number }
  const isYoung = context.clock() < t * 1000 + unusedFor
  if (!isYoung && !(await isUsed(context, id))) throw new EngineError('invalid_client')
  return { id, name: n, redirectUris: r }
}

async function isUsed({ models, clock }: Context, id: string): Promise<boolean> {
  const where = { client: sha256(id), state: 'open' }
  const between = { ends_at: [isoOf(clock()), undefined] } as const
  return (await models.page(grantModel, { where, between, limit: 0 })).total > 0
}

/** Whether a client id is the address of its metadata (draft-ietf-oauth-client-id-metadata-document, 3). */
export function isDocumentId(id: string): boolean {
  if (id.length > 500 || !/^https:\/\/[\x21-\x7e]+$/.test(id) || /[#\\]/.test(id) || !URL.canParse(id)) return false
  const { username, password, pathname, href } = new URL(id)
  return username === '' && password === '' && pathname !== '/' && href === id
}

/** The client whose metadata were fetched from its id; `invalid_client` if they are not about it. */
export function documentedClient(id: string, document: unknown): OAuthClient {
  const method = isObject(document) ? document.token_endpoint_auth_method : undefined
  const isOwn = isObject(document) && document.client_id === id && !Object.hasOwn(document, 'client_secret')
  if (!isOwn || (method !== undefined && method !== 'none')) throw new EngineError('invalid_client')
  return { id, host: new URL(id).host, ...describedBy(document) }
}

function encode(value: unknown): string {
  const bytes = new TextEncoder().encode(JSON.stringify(value))
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

function decode(text: string): unknown {
  const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return JSON.parse(new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))))
}

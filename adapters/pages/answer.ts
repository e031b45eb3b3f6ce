import { sha256 } from '../../engine/index.ts'
import { anyOrigin } from '../http/cross-origin.ts'
import { baseHeaders } from '../http/headers.ts'
import { retryLater } from '../http/retry.ts'
import type { Asset } from './static.ts'
import type { Html } from './words.ts'

/** The policy of a page whose form is answered with a redirect to an address of somebody else. */
export function formPolicy(address: string): string {
  const { protocol, origin, hostname } = new URL(address)
  // A host in brackets, and the origin of other schemes, cannot be written in a policy.
  const isNamed = /^https?:$/.test(protocol) && !hostname.startsWith('[')
  return policyOf({ forms: isNamed ? origin : protocol })
}

/** A page loads only what this server serves: no inline script, no frame, no image from another site. */
function policyOf({ styles = [], ancestors = [], forms }: Allowed = {}): string {
  return [
    "default-src 'none'",
    `style-src 'self'${styles.map((hash) => ` '${hash}'`).join('')}`,
    "script-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    `form-action 'self'${forms === undefined ? '' : ` ${forms}`}`,
    "base-uri 'none'",
    `frame-ancestors ${ancestors.length === 0 ? "'none'" : ancestors.join(' ')}`,
  ].join('; ')
}

/** What one page may do beyond others. */
interface Allowed {
  /** Hashes of the styles that are written in it (CSP 3, 2.3.1). */
  readonly styles?: readonly string[]
  /** Origins whose pages may show it in a frame. */
  readonly ancestors?: readonly string[]
  /** Where its form may lead beyond this server. */
  readonly forms?: string
}

/** A picture loads nothing; its styles are in it. */
const picturePolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

/** Features of browsers that no page uses, and so no script on one may use (Permissions Policy). */
const features = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb'] as const

/** Headers of what pages of every origin may load. */
const forAll = { ...baseHeaders, ...anyOrigin }

/** Builds the responses of pages, with the headers that all of them have. */
export interface Answering {
  readonly headers: Readonly<Record<string, string>>
  page(status: number, content: Html, tag?: string): Promise<Response>
  /** A picture in SVG, which has its own styles and can load nothing. */
  picture(status: number, content: Html, tag: string): Promise<Response>
  /** A file of the documentation. */
  file(file: { readonly type: string; readonly bytes: Uint8Array<ArrayBuffer> }): Response
  notModified(tag: string): Response
  /** The headers in which a page that may do more differs. */
  allowing(allowed: Allowed): Readonly<Record<string, string>>
  redirect(path: string): Response
  /** An image that somebody has uploaded; browsers show it, and run nothing that is in it. */
  image(
    image: { readonly type: string; readonly bytes: Uint8Array },
    headers: Readonly<Record<string, string>>,
  ): Response
  asset(asset: Asset): Response
  /** An asset at an address that stays the same, for pages of others; `tag` is its entity tag. */
  component(asset: Asset, tag: string): Response
}

/** Creates the response builders. */
export function createAnswering(): Answering {
  const headers = {
    ...baseHeaders,
    'Content-Security-Policy': policyOf(),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': features.map((feature) => `${feature}=()`).join(', '),
    'X-Frame-Options': 'DENY',
    'Cache-Control': 'no-cache',
  }
  return {
    headers,
    page: async (status, content, tag) => {
      const type = { 'Content-Type': 'text/html; charset=utf-8' }
      return new Response(String(await content), {
        status,
        headers: { ...headers, ...type, ...retryLater(status), ...(tag === undefined ? {} : { ETag: tag }) },
      })
    },
    picture: async (status, content, tag) => {
      const own = { 'Content-Type': 'image/svg+xml', 'Content-Security-Policy': picturePolicy, ETag: tag }
      return new Response(String(await content), { status, headers: { ...headers, ...own } })
    },
    file: ({ type, bytes }) => {
      const own = {
        'Content-Type': type,
        ...(type === 'image/svg+xml' && { 'Content-Security-Policy': picturePolicy }),
      }
      return new Response(bytes, { headers: { ...headers, ...own } })
    },
    notModified: (tag) => new Response(null, { status: 304, headers: { ...headers, ETag: tag } }),
    allowing: ({ styles = [], ancestors = [] }) => ({
      'Content-Security-Policy': policyOf({ styles, ancestors }),
      // It cannot name origins, and browsers that know `frame-ancestors` ignore it.
      'X-Frame-Options': ancestors.length === 0 ? 'DENY' : '',
    }),
    image: ({ type, bytes }, own) => {
      const safe = { 'Content-Type': type, 'Content-Security-Policy': "default-src 'none'; sandbox" }
      return new Response(Buffer.from(bytes), { headers: { ...forAll, ...safe, ...own } })
    },
    redirect: (path) => new Response(null, { status: 303, headers: { ...headers, Location: path } }),
    asset: ({ body, type }) =>
      new Response(body, {
        headers: { ...forAll, 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000, immutable' },
      }),
    component: ({ body, type }, tag) =>
      new Response(body, {
        headers: { ...forAll, 'Content-Type': type, 'Cache-Control': 'public, max-age=86400', ETag: tag },
      }),
  }
}

/** The entity tag of the parts that together determine a page. */
export function tagOf(...parts: readonly string[]): string {
  return `"${sha256(parts.join('\0')).slice(0, 24)}"`
}

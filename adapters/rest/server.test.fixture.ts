import { addProvider, call, createMemoryStore, en } from '../../engine/index.ts'
import { recording } from '../auth/recording.test.fixture.ts'
import { createApp, createParts } from '../main.ts'

/** When these tests are. */
export const now = Date.parse('2026-11-21T12:00:00Z')
/** Where the operations of the protocol are. */
export const base = '/api/v1/otep'

/** The whole HTTP interface on a store in memory, and a provider that pushes to it. */
export async function server(more: { readonly publicBodyLimit?: number } = {}) {
  const store = createMemoryStore(() => now)
  const options = { store, clock: () => now, publicView: 'full' as const }
  const app = recording(createApp({ ...options, ...more }))
  const operator = { kind: 'operator', name: 'test', scopes: ['providers:write'] } as const
  const context = { ...createParts(options), caller: operator, messages: en, requestId: 'test' }
  const { key } = (await call(addProvider, context, { name: 'acme', all_businesses: true })) as { key: string }
  const send = (path: string, init: RequestInit = {}) => app.fetch(new Request(`http://localhost${path}`, init))
  const post = (path: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    send(path, {
      method: 'POST',
      body,
      duplex: 'half',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, ...headers },
    })
  return {
    store,
    context,
    key,
    send,
    post,
    ingest: async (document: unknown) =>
      (await post(`${base}/ingest`, JSON.stringify(document))).json() as Promise<Body>,
    get: async (path: string, headers: Record<string, string> = {}) => {
      const response = await send(path, { headers })
      return { status: response.status, headers: response.headers, body: (await response.json()) as Body }
    },
  }
}

interface Remark {
  readonly path: string
  readonly code: string
  readonly message: string
  readonly requirement: string
}

/** The members of a response that these tests check; their presence depends on the test. */
export interface Body {
  readonly code: string
  readonly message: string
  readonly conformant: boolean
  readonly level: number
  readonly errors: readonly Remark[]
  readonly warnings: readonly Remark[]
  readonly data: {
    readonly subject: { readonly tracking_number: string }
    readonly current_status: string
    readonly rejected: number
    readonly events: readonly [Outcome, ...Outcome[]]
  }
  readonly profiles: readonly [
    {
      readonly codes: readonly { readonly code: string; readonly terminal: boolean }[]
      readonly phases: readonly object[]
    },
  ]
  readonly openapi: string
  readonly info: object
  readonly tags: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>> & { readonly post: Described }>>
}

/** An operation in the description of the interface. */
interface Described {
  readonly tags?: readonly string[]
  readonly requestBody: { readonly content: object }
  readonly responses?: object
  readonly security: readonly object[]
}

/** An event in a timeline or in the response of an ingest. */
interface Outcome {
  readonly occurred_at: string
  readonly status_code: string
  readonly description?: string
  readonly location?: object
  readonly pod?: object
  readonly errors?: readonly Remark[]
}

/** An event of the parcel SR1, as it is pushed. */
export const event = (status_code: string, occurred_at: string, more: object = {}) => ({
  subject: { tracking_number: 'SR1' },
  status_code,
  occurred_at,
  ...more,
})
/** The first event of the parcel. */
export const received = event('received', '2026-06-10T10:00:00-04:00')

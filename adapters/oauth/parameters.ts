import { EngineError } from '../../engine/index.ts'
import { anyOrigin } from '../http/cross-origin.ts'
import { isForm, readForm } from '../http/form.ts'
import { baseHeaders } from '../http/headers.ts'

/** The largest request of a program in bytes. */
export const most = 16 * 1024

/** Pages of every origin may read the answers: a request proves nothing but what is in it. */
export const headers = { ...baseHeaders, ...anyOrigin, 'Cache-Control': 'no-store', Pragma: 'no-cache' }

/** The parameters of a request: in its body alone, none of them twice (RFC 6749, 3.2). */
export async function parametersIn(request: globalThis.Request): Promise<URLSearchParams> {
  if (!isForm(request.headers)) throw badRequest('Content-Type')
  if (new URL(request.url).search !== '') throw badRequest('?')
  const form = await readForm(request, most)
  if (form === undefined) throw badRequest('Content-Length')
  const names = [...form.keys()]
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  if (repeated !== undefined) throw badRequest(repeated)
  return form
}

/** Refuses a client that has a secret: no client of this server has one (RFC 6749, 5.2). */
export function refuseCredentials(request: globalThis.Request): void {
  if (request.headers.has('authorization')) throw new EngineError('invalid_client')
}

/** A parameter without a value is treated as one that was left out (RFC 6749, 3.2). */
export function inputOf(form: URLSearchParams, names: readonly string[]): object {
  return Object.fromEntries(names.flatMap((name) => (form.get(name) ? [[name, form.get(name)]] : [])))
}

/** The refusal of a request whose part at a path is missing or not valid. */
export function badRequest(path: string): EngineError {
  return new EngineError('invalid_input', { count: 1 }, [{ path, code: 'invalid_input', params: {} }])
}

import { isJsonContentType, readRequestBody } from '@modelcontextprotocol/server'
import { EngineError, excerptOf, isObject, type Members } from '../../engine/index.ts'
import { maxLevels, parseJsonInSteps } from '../http/json.ts'

/** In bytes. */
const maxBody = 1024 * 1024

/** Milliseconds for a body to arrive. */
const bodyTimeout = 120_000

/** Maximum messages of a batch; each is a call that may cost as much as a request. */
const maxBatch = 20

/** Versions with batches; a request without a version may be one of them. */
const batchVersions: readonly (string | null)[] = ['2025-03-26', '2024-11-05', null]

/**
 * Reads the JSON-RPC message or batch of a request. Throws `unsupported_media_type`, `payload_too_large`,
 * `body_interrupted`, `malformed_json`, `invalid_batch`, and `invalid_input` for deep nesting.
 */
export async function readMessages(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type')
  if (!isJsonContentType(type))
    throw new EngineError('unsupported_media_type', { received: excerptOf(type ?? ''), expected: 'application/json' })
  const body = await parseJsonInSteps(await textOf(request), maxLevels)
  const isBatchKnown = batchVersions.includes(request.headers.get('mcp-protocol-version'))
  if (Array.isArray(body) && !(isBatchKnown && body.length > 0 && body.length <= maxBatch))
    throw new EngineError('invalid_batch', { limit: maxBatch })
  return body
}

async function textOf(request: Request): Promise<string> {
  const length = Number(request.headers.get('content-length') ?? 0)
  if (length > maxBody) throw new EngineError('payload_too_large', { limit: maxBody })
  // If the length is known, the bytes need not be counted.
  const reading = length > 0 ? request.text() : counted(request)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new EngineError('body_interrupted')), bodyTimeout)
  })
  try {
    return await Promise.race([reading, late])
  } catch (error) {
    throw error instanceof EngineError ? error : new EngineError('body_interrupted')
  } finally {
    clearTimeout(timer)
  }
}

async function counted(request: Request): Promise<string> {
  const read = await readRequestBody(request, maxBody)
  if (read.tooLarge) throw new EngineError('payload_too_large', { limit: maxBody })
  return read.text
}

/** A tool call in a message. */
export interface ToolCall {
  readonly name: unknown
  readonly arguments: Members
}

/** The tool calls among the messages. */
export function callsIn(body: unknown): readonly ToolCall[] {
  return [body].flat().flatMap((message: unknown) => {
    if (!isObject(message) || message.method !== 'tools/call' || !isObject(message.params)) return []
    const { name, arguments: given } = message.params
    return { name, arguments: isObject(given) ? given : {} }
  })
}

/** Removes the argument `api_token` from tool calls, so that no token goes further. */
export function withoutTokens(body: unknown): unknown {
  return Array.isArray(body) ? body.map(withoutToken) : withoutToken(body)
}

function withoutToken(message: unknown): unknown {
  if (callsIn(message).every(({ arguments: given }) => !Object.hasOwn(given, 'api_token'))) return message
  const { params, ...rest } = message as { readonly params: { readonly arguments: Members } }
  const { api_token, ...others } = params.arguments
  return { ...rest, params: { ...params, arguments: others } }
}

import type { World } from '../../auth/world.test.fixture.ts'

/** Calls tools of the developer server; the answer is that of the tool, or the text of its refusal. */
export function asking(
  { send }: World,
  path = '/mcp/developer',
  more: { token?: string; headers?: Record<string, string> } = {},
) {
  return async (name: string, given: object = {}) => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }
    const { result } = (await send('POST', path, { ...more, body })).body
    return result.isError ? String(result.content[0].text) : result.structuredContent
  }
}

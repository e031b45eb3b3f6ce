import { type Child, connections, startChild } from './child.ts'
import type { Case, Prepared, Settings, Topic } from './harness.ts'
import { requestOf } from './load.ts'
import { barePaths } from './tools.ts'

const callsARound = 8_000
const listsARound = 800

/** Agents: calls and lists of tools over HTTP, in the two newest versions of the protocol. */
export const mcp: Topic = {
  name: 'mcp',
  summary: 'tool calls and tool lists for agents (Model Context Protocol), against bare Hono routes in JSON',
  unit: 'request',
  prepare,
}

async function prepare({ scale, progress }: Settings): Promise<Prepared> {
  progress('starting servers')
  const engine = await startChild({ kind: 'agent tools' })
  const bare = await startChild({ kind: 'bare tools' })
  const called = { name: 'tool_7', arguments: { reference: 'A-1', page: 1, status: 'HOLD' } }
  const [call, list] = [messageOf('tools/call', called), messageOf('tools/list', {})]
  const [oldCall, oldList] = [legacyOf('tools/call', called), legacyOf('tools/list', {})]
  const answer = await answerOf(engine, '/mcp', call)
  await answerOf(bare, barePaths.list, { headers: {}, body: JSON.parse(await answerOf(engine, '/mcp', list)) }, 'PUT')
  const plainCall = { headers: {}, body: called.arguments }
  const plainList = { headers: {}, body: {} }
  if (!answer.includes('"total":1')) throw new Error(`The tool answers something else: ${answer}`)
  const running = (server: Child, path: string, message: Message, count: number): Pick<Case, 'run'> => {
    const requests = Array.from({ length: Math.round(count * scale) }, () => bytesOf(path, message))
    return { run: () => server.measure({ requests, status: 200 }) }
  }
  const [callReference, listReference] = ['bare Hono route, a call', 'bare Hono route, a list']
  const cases = [
    { ...running(engine, '/mcp', call, callsARound), name: 'tools/call, 2026-07-28', reference: callReference },
    { ...running(engine, '/mcp', oldCall, callsARound), name: 'tools/call, 2025-11-25', reference: callReference },
    { ...running(bare, barePaths.call, plainCall, callsARound), name: callReference },
    { ...running(engine, '/mcp', list, listsARound), name: 'tools/list, 2026-07-28', reference: listReference },
    { ...running(engine, '/mcp', oldList, listsARound), name: 'tools/list, 2025-11-25', reference: listReference },
    { ...running(bare, barePaths.list, plainList, listsARound), name: listReference },
  ]
  const bytes = Buffer.byteLength(await answerOf(engine, '/mcp', list))
  const note =
    `A catalogue of 93 tools with six members each; a list has ${bytes} bytes. The bare routes parse a body, check it by the ` +
    `same schema and answer the same data, or write the same list as JSON. ${connections} connections from another process. ` +
    "CPU time is that of the server's process alone."
  const close = async () => void (await Promise.all([engine.stop(), bare.stop()]))
  return { cases, notes: [note], close }
}

interface Message {
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

function messageOf(method: string, params: { readonly name?: string }): Message {
  const version = '2026-07-28'
  const _meta = { 'io.modelcontextprotocol/protocolVersion': version, 'io.modelcontextprotocol/clientCapabilities': {} }
  const name = params.name === undefined ? {} : { 'Mcp-Name': params.name }
  const headers = { 'MCP-Protocol-Version': version, 'Mcp-Method': method, ...name }
  return { headers, body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } } }
}

function legacyOf(method: string, params: object): Message {
  return { headers: { 'MCP-Protocol-Version': '2025-11-25' }, body: { jsonrpc: '2.0', id: 1, method, params } }
}

const json = { 'Content-Type': 'application/json' }

function bytesOf(path: string, { headers, body }: Message): Buffer {
  return requestOf('POST', path, { ...json, ...headers }, JSON.stringify(body))
}

async function answerOf({ port }: Child, path: string, { headers, body }: Message, method = 'POST'): Promise<string> {
  const sent = { method, headers: { ...json, ...headers }, body: JSON.stringify(body) }
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, sent)
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`The server answered ${answer.status}: ${text}`)
  return text
}

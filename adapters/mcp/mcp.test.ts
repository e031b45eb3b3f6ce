import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import {
  accountOf,
  type Answer,
  domains,
  dress,
  EngineError,
  nextNumbers,
  type Operation,
  operation,
  type Role,
  roles,
  scopes,
} from '../../engine/index.ts'
import { type World, world } from '../auth/world.test.fixture.ts'
import { createDoor } from '../door.ts'
import { statusOf } from '../rest/status.ts'
import { listen } from '../server.ts'
import { createCatalogue } from './catalogue.ts'
import { createMcp } from './index.ts'
import { instructions } from './instructions.ts'
import { profiles } from './profiles.ts'
import { protocolVersions } from './server.ts'
import type { Propose } from './tool-call.ts'

const modern = '2026-07-28'
const paths = ['/mcp', '/mcp/developer'] as const
const thing = v.strictObject({ thing_id: v.pipe(v.number(), v.safeInteger()) })

/** Writes under a new number, and a note about somebody. */
const makeThing = operation({
  name: 'make_thing',
  summary: 'Makes a thing.',
  scopes: ['orders:write'],
  risk: 'medium',
  mcp: { title: 'Make a thing' },
  input: v.strictObject({ note: v.pipe(v.string(), v.maxLength(20), v.description('What it is for.')) }),
  output: v.strictObject({ result: v.literal(true), thing_id: v.number() }),
  errors: [],
  handle: async (context, { note }) => {
    const { first, append } = await nextNumbers(context, 'thing')
    const fact = { type: 'ThingMade', data: { to: 'NEW', by: accountOf(context).id, personal: { note } } }
    const events = dress(context)([fact])
    await context.store.appendMany([append, { stream: `thing-${first}`, events, expected: 'no-stream' }])
    return { result: true, thing_id: first }
  },
})

/** High risk. */
const dropThing = operation({
  ...{ name: 'drop_thing', summary: 'Drops a thing.', scopes: ['orders:write'], risk: 'high' },
  mcp: { title: 'Drop a thing' },
  input: thing,
  output: v.strictObject({ result: v.literal(true) }),
  errors: ['order_not_found'],
  handle: async (context, { thing_id }) => {
    const stream = `thing-${thing_id}` as const
    const last = await context.store.last(stream)
    if (last === undefined) throw new EngineError('order_not_found', { order: thing_id })
    const events = dress(context)([{ type: 'ThingDropped', data: { from: 'NEW', to: 'DROPPED' } }])
    await context.store.append(stream, events, last.revision)
    return { result: true }
  },
})

/** Only for customers. */
const ownWallet = operation({
  ...{ name: 'own_wallet', summary: 'Tells a balance.', scopes: ['analytics:read'], risk: 'low', roles: ['customer'] },
  mcp: { title: 'Own wallet' },
  input: v.strictObject({}),
  output: v.strictObject({ result: v.literal(true) }),
  errors: [],
  handle: async () => ({ result: true }),
})

/** Fails in a way that nobody expects. */
const breakDown = operation({
  ...{ name: 'break_down', summary: 'Fails.', scopes: [], risk: 'low' },
  mcp: { title: 'Fail' },
  input: v.strictObject({}),
  output: v.strictObject({}),
  errors: [],
  handle: async () => {
    throw new Error('the password of the database is hunter2')
  },
})

/** A tool for each scope, so that every profile shows. */
const perScope = scopes.map((scope) =>
  operation({
    ...{ name: `look_${scope.replace(/\W/g, '_')}`, summary: 'Looks.', scopes: [scope], risk: 'low' },
    mcp: { title: 'Look' },
    input: v.strictObject({}),
    output: v.strictObject({ result: v.literal(true) }),
    errors: [],
    handle: async () => ({ result: true }),
  }),
)

const own: readonly Operation[] = [makeThing, dropThing, ownWallet, breakDown, ...perScope]
const operations = [...domains.flatMap((domain) => domain.operations), ...own]

/** A message of the newest version, and the headers that it needs. */
function messageOf(method: string, params: Answer = {}) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': modern,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const name = typeof params.name === 'string' ? { 'Mcp-Name': params.name } : undefined
  return {
    body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } },
    headers: { 'MCP-Protocol-Version': modern, 'Mcp-Method': method, ...name },
  }
}

type Headers = Readonly<Record<string, string>>

function asking(given: World, path: string = paths[0]) {
  const ask = async (method: string, params: Answer, token?: string, headers: Headers = {}) => {
    const message = messageOf(method, params)
    return given.send('POST', path, { token, body: message.body, headers: { ...message.headers, ...headers } })
  }
  return {
    ask,
    call: (name: string, given: Answer = {}, token?: string, headers?: Headers) =>
      ask('tools/call', { name, arguments: given }, token, headers),
    list: async (token?: string, headers?: Headers): Promise<readonly string[]> => {
      const { body } = await ask('tools/list', {}, token, headers)
      return body.result.tools.map(({ name }: { name: string }) => name)
    },
  }
}

/** Where the store stands: the same text as long as nothing is recorded. */
async function standing({ store }: World): Promise<string> {
  const types: string[] = []
  for (;;) {
    const page = await store.readAll(undefined, {})
    types.push(...page.events.map(({ position }) => position))
    return types.join(' ')
  }
}

const listed = [...createCatalogue(operations).list({ kind: 'operator', name: 'all', scopes: [...scopes] })]

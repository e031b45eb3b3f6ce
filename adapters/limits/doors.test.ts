import t from 'tap'
import { domains, type Operation } from '../../engine/index.ts'
import { honoPath } from '../rest/routed.ts'
import { limitedWorld } from './limits.test.fixture.ts'

type Limited = Awaited<ReturnType<typeof limitedWorld>>

/** A door to a number. */
interface Door {
  readonly name: string
  /** Its route, as the app has it. */
  readonly at: string
  readonly path: string
  readonly init?: RequestInit
}

/** An unknown number that every door takes, and its URI. */
const unknown = '106141412345678908'
const uri = `urn:epc:id:sscc:0614141.1234567890`

const operations: readonly Operation[] = domains.flatMap((domain) => domain.operations)
const isPublic = ({ scopes }: Operation) => scopes.length === 0
const tracking = '/api/v1/otep/trackings'

/** A message of an agent. */
function message(name: string, method: string, params: object, path = '/mcp'): Door {
  const headers = { Accept: 'application/json, text/event-stream' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return { name, at: '/mcp/*', path, init: { method: 'POST', headers, body } }
}

/** Listens, which is a message of a newer version. */
function listening(): Door {
  const version = '2026-07-28'
  const method = 'subscriptions/listen'
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const notifications = { resourceSubscriptions: [`otep://tracking/${unknown}`] }
  const { init, ...door } = message('listening of an agent', method, { notifications, _meta })
  const headers = { ...init?.headers, 'MCP-Protocol-Version': version, 'Mcp-Method': method }
  return { ...door, init: { ...init, headers } }
}

function batch(name: string, more: object, headers: Record<string, string> = {}): Door {
  const body = JSON.stringify({ tracking_numbers: [unknown], ...more })
  const at = `${tracking}/batch`
  return { name, at, path: at, init: { method: 'POST', headers, body } }
}

/** THE TABLE of doors to a number that the public has: what there is for each operation and format, and all others. */
function doorsOf({ parts: { formats } }: Limited): readonly Door[] {
  const rest = operations.flatMap(({ name, scopes, rest }): readonly Door[] => {
    if (scopes.length > 0 || rest?.path.includes('{tracking_number}') !== true) return []
    const filled = rest.path.replace('{tracking_number}', unknown).replace('{format}', 'onerecord')
    return [{ name, at: honoPath(rest.path), path: filled.replace('{path...}', 'logistics-objects/piece') }]
  })
  const projections = formats.map(
    ({ name }): Door => ({
      name: `format ${name}`,
      at: `${tracking}/:tracking_number`,
      path: `${tracking}/${unknown}?format=${name}`,
    }),
  )
  const joined = formats.flatMap(({ name, joined, representations }) =>
    joined === undefined
      ? []
      : representations.map(({ mediaType }) =>
          batch(`one document, ${name} as ${mediaType}`, { format: name }, { Accept: mediaType }),
        ),
  )
  const tools = operations
    .filter(
      (operation) => isPublic(operation) && operation.mcp !== undefined && 'tracking_number' in entriesOf(operation),
    )
    .map(({ name, mcp }) => {
      const path = mcp?.server === 'developer' ? '/mcp/developer' : '/mcp'
      return message(`tool ${name}`, 'tools/call', { name, arguments: { tracking_number: unknown } }, path)
    })
  const pages = ['track', 'track-map', 'track-logo', 'track-qr', 'track-calendar'].map(
    (page): Door => ({ name: page, at: `/${page}/*`, path: `/${page}/${unknown}` }),
  )
  const forms = ['track', 'track-notify'].map(
    (page): Door => ({
      name: `form of ${page}`,
      at: `/${page}/*`,
      path: `/${page}/${unknown}`,
      init: { method: 'POST' },
    }),
  )
  return [
    ...rest,
    ...projections,
    batch('batch', {}),
    ...joined,
    { name: 'live stream', at: `${tracking}/:tracking_number/stream`, path: `${tracking}/${unknown}/stream` },
    { name: 'URI of an identifier', at: '/id/:kind/:value', path: `/id/tracking_number/${unknown}` },
    { name: 'Digital Link', at: '/00/*', path: `/00/${unknown}` },
    { name: 'SensorThings', at: '/sensorthings/*', path: `/sensorthings/v1.1/Things('${unknown}')` },
    { name: 'EPCIS', at: '/epcis/*', path: `/epcis/epcs/${encodeURIComponent(uri)}/events` },
    ...pages,
    ...forms,
    ...tools,
    message('resource of an agent', 'resources/read', { uri: `otep://tracking/${unknown}` }),
    message('resource in a format', 'resources/read', { uri: `otep://tracking/${unknown}/epcis` }),
    message('prompt of an agent', 'prompts/get', { name: 'explain_parcel', arguments: { tracking_number: unknown } }),
    listening(),
  ]
}

function entriesOf({ input }: Operation): object {
  return 'entries' in input && typeof input.entries === 'object' && input.entries !== null ? input.entries : {}
}

/** What a door says of the number. */
async function knock({ ask }: Limited, from: string, { path, init }: Door): Promise<'missed' | 'refused' | string> {
  const answer = await ask(from, path, init)
  const text = `${answer.headers.get('otep-refused') ?? ''} ${await answer.text()}`
  if (answer.status === 429 || text.includes('too_many_requests')) return 'refused'
  return answer.status === 404 || /timeline_not_found|"notifications":\{\}/.test(text) ? 'missed' : text
}

t.test('given a miss through one door to a number, when its source is at any other, then it is refused', async (t) => {
  const made = await limitedWorld('misses=1/h')
  const doors = doorsOf(made)
  for (const [index, first] of doors.entries()) {
    const from = `198.18.${index}.1`
    t.equal(await knock(made, from, first), 'missed', first.name)
    const open: string[] = []
    for (const door of doors) if ((await knock(made, from, door)) !== 'refused') open.push(door.name)
    t.same(open, [], `after a miss of ${first.name}`)
  }
})

/** Routes that look like doors, and are none: they take links that the server has sealed, or lead elsewhere without a look-up. */
const noDoors = ['/track-confirm/*', '/track-stop/*', `${tracking}/:tracking_number/sensorthings/:path{.+}`]

t.test('given the routes of the app, when one takes a number, then it is in the table of doors', async (t) => {
  const made = await limitedWorld()
  const known = new Set([...doorsOf(made).map(({ at }) => at), ...noDoors])
  const needed = new Set(
    operations
      .filter((operation) => !isPublic(operation))
      .flatMap(({ rest }) => (rest === undefined ? [] : [honoPath(rest.path)])),
  )
  const routes = made.app.routes.filter(
    ({ path }) => /:tracking_number|^\/id\/|^\/track/.test(path) && !needed.has(path),
  )
  t.same(
    [...new Set(routes.map(({ path }) => path))].filter((path) => !known.has(path)),
    [],
  )
  t.ok(routes.length > 10)
  t.same(
    operations.filter((one) => one.graphql !== undefined && isPublic(one)),
    [],
    'GraphQL has none for the public',
  )
})

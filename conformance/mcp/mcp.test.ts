import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { type World, world } from '../../adapters/auth/world.test.fixture.ts'
import { roles } from '../../engine/index.ts'
import { testWith } from '../judges/official.test.fixture.ts'
import { official } from '../judges/official.ts'
import { type ContractRow, contract } from './contract.ts'

/** A tool as `get_capabilities` describes it. */
interface Capability {
  readonly name: string
  readonly risk: ContractRow[0]
  readonly scopes: readonly string[]
  readonly confirm: boolean
}

/** The text of the contract, which lies beside the standards. */
const specification = official(['../spec'], ([folder]) =>
  readdirSync(folder)
    .filter((name) => name.startsWith('1-'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n'),
)

t.test('given accounts of every kind, when they list the tools of /mcp, then all are in the contract', async (t) => {
  const offered = await capabilitiesAt(t, '/mcp')
  for (const { name, risk, scopes, confirm } of offered.values()) {
    t.same([risk, ...scopes], contract[name], `${name} has the risk and the scopes of the contract`)
    t.equal(confirm, risk === 'high', `${name} needs confirm=true if its risk is high`)
  }
  const missing = Object.keys(contract).filter((name) => !offered.has(name))
  t.comment(`${offered.size} of ${Object.keys(contract).length} tools; not built yet: ${missing.join(', ')}`)
})

t.test('given the developer server, when its tools are listed, then it has those of /mcp and more', async (t) => {
  const [operations, developer] = [await capabilitiesAt(t, '/mcp'), await capabilitiesAt(t, '/mcp/developer')]
  const names = [...developer.keys()]
  t.same(
    names.filter((name) => Object.hasOwn(contract, name)),
    [...operations.keys()],
  )
  t.ok(names.some((name) => !Object.hasOwn(contract, name)))
})

testWith(
  t,
  { specification },
  'given the contract of the service, when its table of tools is read, then it is the list of this project',
  (t, { specification }) => {
    const rows = toolsIn(specification)
    t.equal(rows.length, 93)
    t.same(Object.fromEntries(rows.map(({ name, row }) => [name, row])), contract)
    for (const { name, row, isPublic, confirm } of rows) {
      t.equal(confirm, row[0] === 'high', name)
      t.equal(isPublic, row.length === 1, name)
    }
  },
)

/** The tools of a server for any account, by their names; each connection lists what it can call. */
async function capabilitiesAt(t: Test, path: string): Promise<ReadonlyMap<string, Capability>> {
  const given = await world()
  const lists = await Promise.all(
    [undefined, ...roles].map((role) => capabilitiesOf(t, given, path, role && given.tokens[role])),
  )
  return new Map(lists.flat().map((tool) => [tool.name, tool]))
}

async function capabilitiesOf(t: Test, given: World, path: string, token?: string): Promise<readonly Capability[]> {
  // Without it, the developer server leaves a connection its own tools alone.
  const headers = { 'X-MCP-Profile': 'full' }
  const ask = async (method: string, params: object) =>
    (await given.send('POST', path, { token, headers, body: { jsonrpc: '2.0', id: 1, method, params } })).body.result
  const { tools } = await ask('tools/list', {})
  const told = (await ask('tools/call', { name: 'get_capabilities', arguments: {} })).structuredContent
  const capabilities: readonly Capability[] = told.tools
  const listed = tools.map(({ name }: { name: string }) => name)
  t.same(
    capabilities.map(({ name }) => name),
    listed,
    'get_capabilities describes the listed tools',
  )
  return capabilities
}

/** The rows of the table of tools: name, auth, risk, scopes, confirm, behaviour. */
function toolsIn(text: string) {
  return text.split('\n').flatMap((line) => {
    const [, name = '', auth = '', risk = '', scopes = '', confirm, , ...more] = line
      .split('|')
      .map((cell) => cell.trim())
    if (more.length !== 1 || !/^[PT]$/.test(auth)) return []
    const row = [risk, ...(scopes === 'none' ? [] : scopes.split(', '))]
    return [{ name, row, isPublic: auth === 'P', confirm: confirm === 'C' }]
  })
}

import t from 'tap'
import { type World, world } from '../adapters/auth/world.test.fixture.ts'

/** A key of an account with these scopes; and its id. */
async function keyOf({ send, tokens }: World, role: 'client_admin', scopes: readonly string[]) {
  const { body } = await send('POST', '/api/v1/api-keys', { token: tokens[role], body: { name: 'agent', scopes } })
  return { token: String(body.key), id: Number(body.key_id) }
}

async function toolOf(
  { send }: World,
  token: string,
  name: string,
  given: object,
  headers: Record<string, string> = {},
) {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }
  return (await send('POST', '/mcp', { token, headers, body })).body.result.structuredContent
}

t.test(
  'given a write that an agent proposed with a key, when a person has approved it, then the trail names both and the key',
  async (t) => {
    const made = await world()
    const { send, tokens, ids } = made
    const key = await keyOf(made, 'client_admin', ['orders:read', 'orders:write', 'approvals:read'])
    const order = { type: 'D', customer_id: ids.customer, delivery: { name: 'Ana', address: { street: '1 Main St' } } }
    const created = await toolOf(made, key.token, 'create_order', order)
    const { order_id } = created.data.order ?? created.data
    const asked = { order_id }
    const queued = await toolOf(made, key.token, 'hold_order', asked, { 'X-MCP-Require-Approval': '1' })
    const { proposal_id } = queued.approval
    const approve = `/api/v1/approvals/${proposal_id}/approve`
    t.equal((await send('POST', approve, { token: tokens.client_employee, body: {} })).status, 200)
    const actorsFor = async (token: string) => {
      const { body } = await send('GET', `/api/v1/orders/${order_id}/operation-events`, { token })
      return body.events.map(({ actor }: { actor: object }) => actor)
    }
    const proposer = { account_id: ids.client_admin, role: 'client_admin', api_key_id: key.id }
    const both = { ...proposer, proposal_id, approved_by: ids.client_employee }
    t.same(await actorsFor(tokens.client_employee), [proposer, both])
    t.same(await actorsFor(tokens.customer), Array(2).fill({ account_id: null, role: null }), 'a customer sees neither')
    const stored = await made.store.read(`order-${order_id}`)
    t.same(
      stored.map(({ metadata }) => metadata.actor),
      [
        `account:${ids.client_admin}:key:${key.id}`,
        `account:${ids.client_admin}:key:${key.id}:proposal:${proposal_id}:approved_by:${ids.client_employee}`,
      ],
    )
  },
)

t.test('given a write without key and approval, when its trail is read, then it names the account alone', async (t) => {
  const { send, tokens, ids } = await world()
  const token = tokens.client_employee
  const order = { type: 'D', delivery: { name: 'Ana', address: { street: '1 Main St' } } }
  const created = await send('POST', '/api/v1/orders', { token, body: order })
  const { order_id } = created.body.order ?? created.body
  const { body } = await send('GET', `/api/v1/orders/${order_id}/operation-events`, { token })
  t.same(body.events[0].actor, { account_id: ids.client_employee, role: 'client_employee' })
})

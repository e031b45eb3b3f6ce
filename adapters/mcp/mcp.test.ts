import t from 'tap'
import { world } from '../auth/world.test.fixture.ts'

t.test(
  'given the tools of high risk that only read, when they are called, then they ask for confirm=true',
  async (t) => {
    const { send, tokens } = await world()
    const call = async (name: string, given: object) => {
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }
      const { result } = (await send('POST', '/mcp', { token: tokens.client_admin, body })).body
      return String(result.content[0].text)
    }
    for (const name of ['download_shipping_label', 'get_shipping_detail']) {
      t.match(await call(name, { order_id: 1 }), /^confirm_required: /)
      t.match(await call(name, { order_id: 1, confirm: false }), /^confirm_required: /)
      t.match(await call(name, { order_id: 1, confirm: true }), /^label_not_found: /)
    }
  },
)

t.test('given a page that calls, when its host only ends like that of the server, then it is refused', async (t) => {
  const { send } = await world({ baseUrl: 'https://example.com' })
  const statusFor = async (origin: string) => {
    const body = { jsonrpc: '2.0', id: 1, method: 'ping' }
    return (await send('POST', '/mcp', { body, headers: { Origin: origin } })).status
  }
  t.equal(await statusFor('https://example.com'), 200)
  for (const host of ['evilexample.com', 'evil.example.com', 'evil-localhost'])
    t.equal(await statusFor(`https://${host}`), 403, host)
})

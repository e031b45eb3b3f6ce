import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { browse, skip } from '../../adapters/pages/browser.test.fixture.ts'
import { serve } from '../../adapters/telemetry/server.test.fixture.ts'
import { signInAndAllow } from '../connections.test.fixture.ts'
import { program } from '../program/files.ts'
import { otep } from '../program/otep.ts'
import { runSuite } from './suite.ts'

t.test(
  'given a server and a registered client, when the official suite tests the authorization server, then all its checks pass',
  { skip },
  async (t) => {
    const env = { OTEP_DATA_DIR: t.testdir({}) }
    const who = ['ann@one.example', '--role', 'client_admin', '--new-business', 'One']
    const where = ['--time-zone', 'Europe/Paris', '--currency', 'EUR', '--data-dir', env.OTEP_DATA_DIR]
    const { password } = JSON.parse(await otep(['account', 'add', ...who, ...where, '--json'])) as { password: string }
    const { url } = await serve(t, program, env)
    const port = await freePort()
    const metadata = { client_name: 'Suite', redirect_uris: [`http://127.0.0.1:${port}/callback`] }
    const headers = { 'Content-Type': 'application/json' }
    const registered = await fetch(`${url}/oauth/register`, { method: 'POST', headers, body: JSON.stringify(metadata) })
    const { client_id } = (await registered.json()) as { client_id: string }

    const { page } = await browse(t)
    let allowed: Promise<void> | undefined
    const { code, output } = await runSuite(
      ['authorization', '--url', url, '--client-id', client_id, '--resource', `${url}/mcp`, '--port', String(port)],
      (printed) => {
        const [, address] = /^(http\S+\/oauth\/authorize\?\S+)\n/m.exec(printed) ?? []
        if (address !== undefined) allowed ??= signInAndAllow(page, address, password)
      },
    )
    await allowed
    t.equal(code, 0, output)
    t.match(
      output,
      'Total: 3 passed, 0 failed',
      'metadata, metadata documents of clients, and the code; none is skipped',
    )
  },
)

/** A port on which nothing listens: the suite takes the answer of the server there. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

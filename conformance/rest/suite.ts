import type { Test } from 'tap'
import { startServer } from '../../adapters/main.ts'
import { configFrom } from '../../adapters/node/config.ts'
import { clientOf, otep } from './client.ts'
import { reading } from './reading.ts'
import { writing } from './writing.ts'

/** Tests that the REST interface is the same with every store; the environment names the store. */
export async function restSuite(t: Test, name: string, env: Readonly<Record<string, string>>): Promise<void> {
  await t.test(name, async (t) => {
    const run = (...words: readonly string[]) => otep(words, env)
    const key = (await run('provider', 'add', 'acme', '--all-businesses', '--init')).trim()
    const config = configFrom({
      HOST: '127.0.0.1',
      OTEP_BASE_URL: 'https://otep.example',
      OTEP_LOG_LEVEL: 'silent',
      OTEP_PUBLIC_VIEW: 'full',
      ...env,
      PORT: '0',
    })
    let server = await startServer(config)
    t.teardown(() => server.stop())
    const restarted = async () => {
      await server.stop()
      server = await startServer(config)
      return clientOf(server.url, key)
    }
    for (const [sentence, show] of Object.entries({ ...writing, ...reading })) {
      await t.test(sentence, (t) => show(t, { client: clientOf(server.url, key), otep: run, restarted }))
    }
  })
}

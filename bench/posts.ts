import { join } from 'node:path'
import { type Child, connections, startChild } from './child.ts'
import type { Case, Prepared, Settings } from './harness.ts'
import { requestOf } from './load.ts'
import { feedOf, steadyAfter } from './timelines.ts'

const postsARound = 3_200

/**
 * Two cases: one event a request, stored before the response, and the same server with a store that drops everything.
 */
export async function preparePosts({ rounds, scale, directory, progress }: Settings): Promise<Prepared> {
  const posts = Math.round(postsARound * scale)
  const lines = feedOf(steadyAfter + posts * (rounds + 1))
  progress('starting servers')
  const dataDir = join(directory, 'posts')
  const [durable, forgetful] = await Promise.all([
    startChild({ kind: 'engine', dataDir, lines: lines.slice(0, steadyAfter) }),
    startChild({ kind: 'forgetful' }),
  ])
  const reference = `POST of 1 event, ${connections} connections, nothing stored`
  const cases = [
    { ...posting(durable, lines, posts), name: `POST of 1 event, ${connections} connections, durable`, reference },
    { ...posting(forgetful, lines, posts), name: reference },
  ]
  const note =
    'POST: what waits in one turn of the event loop shares a transaction; each answer comes after its commit. "Nothing ' +
    'stored" is the same server with a store that forgets: it authenticates, parses, validates, decides and answers.'
  const close = async () => void (await Promise.all([durable.stop(), forgetful.stop()]))
  return { cases, notes: [note], close }
}

function posting(server: Child, lines: readonly string[], posts: number): Pick<Case, 'run'> {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${server.key}` }
  let at = steadyAfter
  return {
    run: () => {
      const requests = lines
        .slice(at, at + posts)
        .map((line) => requestOf('POST', '/api/v1/otep/ingest', headers, line))
      at += posts
      return server.measure({ requests, status: 200 })
    },
  }
}

import type { Metadata } from '@grpc/grpc-js'
import type { Node } from './node.ts'
import type { Reason } from './refusals.ts'

/** Why a caller may not touch a stream (or `$all`): unknown, or nobody and the stream is the system's own. */
export function accessProblem(node: Node, metadata: Metadata, stream: string): Reason | undefined {
  const { credentials } = node.options
  if (credentials === undefined) return undefined
  const [given] = metadata.get('authorization')
  const pair = Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')
  if (given === undefined) return isSystem(stream) ? { kind: 'access-denied' } : undefined
  return given === `Basic ${pair}` ? undefined : { kind: 'unauthenticated' }
}

/** Why this server does not take what only the leader takes, or what the caller wants of the leader alone. */
export function leaderProblem(node: Node): Reason | undefined {
  const leader = node.leaderElsewhere()
  return leader === undefined ? undefined : { kind: 'not-leader', ...leader }
}

/** `$$box` holds the metadata of `box`, and may be touched by whoever may touch `box`. */
function isSystem(stream: string): boolean {
  return stream.replace(/^\$\$/, '').startsWith('$')
}

import type { Metadata } from '@grpc/grpc-js'
import type { Node } from './node.ts'
import type { Reason } from './refusals.ts'

/**
 * Why a caller may not access a stream (or `$all`): the user is unknown, or anonymous and the stream is a system
 * stream.
 */
export function accessProblem(node: Node, metadata: Metadata, stream: string): Reason | undefined {
  const { credentials } = node.options
  if (credentials === undefined) return undefined
  const [given] = metadata.get('authorization')
  const pair = Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')
  if (given === undefined) return isSystem(stream) ? { kind: 'access-denied' } : undefined
  if (given !== `Basic ${pair}`) return { kind: 'unauthenticated' }
  return stream === '$all' && node.options.mayReadAll === false ? { kind: 'access-denied' } : undefined
}

/** Why this server refuses a call for the leader, or a call that must be handled by the leader only. */
export function leaderProblem(node: Node): Reason | undefined {
  const leader = node.leaderElsewhere()
  return leader === undefined ? undefined : { kind: 'not-leader', ...leader }
}

/** `$$box` contains the metadata of `box`, and has the same access rights. */
function isSystem(stream: string): boolean {
  return stream.replace(/^\$\$/, '').startsWith('$')
}

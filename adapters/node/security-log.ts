import { type Audit, actorOf, type Code, kinds } from '../../engine/index.ts'
import type { Log } from './log.ts'

/**
 * Writes the security log: lines of a separate kind among those of the server. They are the only ones that tell where a request
 * came from. What is refused has the level `warn`.
 */
export function createSecurityLog(log: Log): Audit {
  return ({ caller, source, requestId }, { event, outcome, concerned, ...entry }) => {
    if (event === 'access' && !isForRights(entry.reason)) return
    const by = caller.kind === 'anonymous' ? {} : { by: actorOf(caller) }
    const fields = { kind: 'security', event, outcome, ...entry, ...concerned, ...by, source, request: requestId }
    log[outcome === 'ok' ? 'info' : 'warn'](fields, 'security')
  }
}

function isForRights(reason: Code | undefined): boolean {
  const kind = reason && kinds[reason]
  return kind === 'unauthenticated' || kind === 'forbidden'
}

import type { AttemptFailure, AttemptPhase } from '../../../engine/index.ts'

/** Why an attempt failed, in words. */
export const failures: Readonly<Record<AttemptFailure, string>> = {
  status: 'The status was not 2xx',
  timeout: 'No answer in time',
  refused: 'Connection refused',
  reset: 'Connection reset',
  dns: 'The host name was not found',
  tls: 'No secure connection',
  unreachable: 'Not reachable',
  protocol: 'Not valid HTTP',
  internal: 'Internal error of this server',
}

/** What an attempt did, or was doing when it failed. */
export const phases: Readonly<Record<AttemptPhase, string>> = {
  queue: 'In the queue',
  dns: 'DNS',
  connect: 'TCP',
  tls: 'TLS',
  wait: 'Waiting for the answer',
  read: 'Reading the answer',
}

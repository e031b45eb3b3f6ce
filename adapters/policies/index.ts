import { type Life, type Policy, type PolicyFailure, runPolicy, type Storage } from '../../engine/index.ts'
import type { ContextParts } from '../node/gateway.ts'
import type { Journeys } from '../node/journeys.ts'
import { errorFields, errorLog, type Log } from '../node/log.ts'
import type { Mail } from '../node/mail.ts'
import { approvalErasures } from './approval-erasures.ts'
import { orderRules, providerRules, ruleChanges } from './assignment-rules.ts'
import { carrierReports } from './carrier-reports.ts'
import { deviceOrderTimelines } from './device-order-timelines.ts'
import { healthMails } from './health-mails.ts'
import { journeyTraces } from './journey-traces.ts'
import { labelNumbers } from './label-numbers.ts'
import { labelTimelines } from './label-timelines.ts'
import { newsMails, type WriteNews } from './news-mails.ts'
import { operatorChanges } from './operator-changes.ts'
import { orderBatches } from './order-batches.ts'
import { orderTimelines } from './order-timelines.ts'
import { proofUploads } from './proof-uploads.ts'
import { sensorExcursions } from './sensor-excursions.ts'
import { uniorderJobs } from './uniorder-jobs.ts'

/** Creates a policy on the parts of this node. */
type MakePolicy = (parts: ContextParts, log: Log) => Policy

/** THE LIST of policies. A policy that causes events comes before those that follow them. */
const makers: readonly MakePolicy[] = [
  orderBatches,
  uniorderJobs,
  ...[ruleChanges, providerRules, orderRules],
  orderTimelines,
  deviceOrderTimelines,
  labelNumbers,
  labelTimelines,
  carrierReports,
  approvalErasures,
  proofUploads,
  sensorExcursions,
]

/** The parts of a node, what sends e-mail and journeys, if anything does, what writes e-mails with news, and more policies. */
type PolicyParts = ContextParts & {
  readonly mail?: Mail
  readonly writeNews?: WriteNews
  readonly journeys?: Journeys | undefined
  readonly added?: readonly Policy[]
}

/** What policies receive from their node. */
interface PolicyRun {
  readonly life: Life
  /** Aborted when the node is about to stop; the store stays open until the promise resolves. */
  readonly signal: AbortSignal
  readonly log: Log
  /** Monotonic milliseconds. */
  readonly now: () => number
  /** Resolves after so many milliseconds, or as soon as the signal is aborted. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/**
 * Runs all policies, each on one node at a time, until `signal` is aborted and every lease is released. `store` is the
 * store under `parts`, which has the leases.
 */
export async function startPolicies(
  parts: PolicyParts,
  store: Storage,
  { life, signal, log, now, wait }: PolicyRun,
): Promise<void> {
  const onFailure = ({ error, ...fields }: PolicyFailure) => {
    const told = { ...fields, ...errorFields(error) }
    // A replaced store cannot take a lease back; this is expected during a stop.
    if (signal.aborted) log.debug(told, 'a policy ended with a failure')
    else log.error(told, 'a policy failed and tries again')
  }
  const read: Storage = { ...parts.store, leases: store.leases, keys: store.keys }
  const node = { life, signal, now, wait, onFailure }
  const policies = [
    ...makers.map((make) => make(parts, log)),
    ...operatorChanges(parts),
    ...sending(parts, log),
    ...(parts.added ?? []),
  ]
  await Promise.all(policies.map((policy) => runPolicy(read, policy, node)))
}

/** What sends e-mails and journeys, if there is a server for them. */
function sending(parts: PolicyParts, log: Log): readonly Policy[] {
  const { mail, writeNews, journeys } = parts
  return [
    ...(mail === undefined ? [] : [healthMails(parts, mail, log)]),
    ...(mail === undefined || writeNews === undefined ? [] : newsMails(parts, mail, writeNews, log)),
    ...(journeys === undefined ? [] : [journeyTraces(parts, journeys, log)]),
  ]
}

/** Runs all policies on the existing events, then returns: for tests, and for stores without a running server. */
export async function runPoliciesOnce(parts: ContextParts, log: Log = errorLog): Promise<void> {
  const { signal } = new AbortController()
  for (const make of makers) {
    const policy = make(parts, log)
    for await (const event of parts.store.readAll(undefined, policy.filter)) await policy.handle(event, signal)
  }
}

import { type Finding, pathTo } from '../../kernel/finding.ts'
import {
  codeIsKnown,
  codeIsRegistered,
  expectedIsKnown,
  isNotLongAgo,
  notInFuture,
  phaseMatches,
  proofIsExpected,
  sourceIsPresent,
  versionIsSupported,
  windowIsWhole,
} from './checks.ts'
import {
  contradictions,
  derivedFindings,
  disorder,
  eachEvent,
  lateAnnouncements,
  leavesTerminal,
  missing,
  type Requirement,
  repeatedIds,
  shapeOf,
  steps,
  unseenInIdentifiers,
  withoutAnnouncements,
} from './draft.ts'

/**
 * THE LIST of requirements of the protocol, in order of its clauses. The first requirement that claims a finding of
 * the schema gets it.
 */
export const requirements = [
  {
    id: 'otep-1-version',
    level: 1,
    clause: 'OTEP 0.1, section 3; Versioning, rule 3',
    summary: 'The timeline has a version of the protocol that this engine supports.',
    severity: 'error',
    check: (draft) => [
      ...missing('otep_version')(draft),
      ...shapeOf(/(^|\.)otep_version$/)(draft),
      ...[versionIsSupported(draft.document, draft) ?? []].flat(),
      ...eachEvent(versionIsSupported)(draft),
    ],
  },
  {
    id: 'otep-1-profile',
    level: 1,
    clause: 'OTEP 0.1, section 3 and section 8',
    summary: 'The timeline names a published profile.',
    severity: 'error',
    check: (draft) => [...missing('profile')(draft), ...shapeOf(/^profile$/)(draft)],
  },
  {
    id: 'otep-1-what',
    level: 1,
    clause: 'OTEP 0.1, section 3: subject',
    summary: 'The subject has at least one identifier, and each identifier is valid.',
    severity: 'error',
    check: shapeOf(/^subject(\.|$)/),
  },
  {
    id: 'otep-1-when',
    level: 1,
    clause: 'OTEP 0.1, section 4: occurred_at',
    summary: 'Every event says when it occurred, in ISO 8601 with an offset.',
    severity: 'error',
    check: shapeOf(/\.occurred_at$/),
  },
  {
    id: 'otep-1-why',
    level: 1,
    clause: 'OTEP 0.1, section 4: status_code; section 9, level 1: universal codes',
    summary: 'Every event has a code of the profile, or an unregistered one that starts with x-.',
    severity: 'error',
    check: (draft) => [...shapeOf(/\.status_code$/)(draft), ...eachEvent(codeIsKnown)(draft)],
  },
  {
    id: 'otep-1-where',
    level: 1,
    clause: 'OTEP 0.1, section 4: location',
    summary: 'A location, if present, is valid.',
    severity: 'error',
    check: shapeOf(/\.location(\.|$)/),
  },
  {
    id: 'otep-1-source',
    level: 1,
    clause: 'OTEP 0.1, section 4: source',
    summary: 'A source, if present, is of a known type.',
    severity: 'error',
    check: shapeOf(/\.source(\.|$)/),
  },
  {
    id: 'otep-1-phase',
    level: 1,
    clause: 'OTEP 0.1, section 4: phase; section 9, level 1: phases',
    summary: 'A phase, if present, is the phase of the code.',
    severity: 'error',
    check: (draft) => [...shapeOf(/\.phase$/)(draft), ...eachEvent(phaseMatches)(draft)],
  },
  {
    id: 'otep-1-events',
    level: 1,
    clause: 'OTEP 0.1, section 3: events; section 5: sources without history',
    summary: 'The timeline has events, or a current status if its source has no history.',
    severity: 'error',
    check: (draft) => {
      const { events, future_events: future, withdrawn_events: withdrawn, current_status: status } = draft.document
      const [empty, noneAhead, noneWithdrawn] = [events, future, withdrawn].map(
        (list) => list === undefined || (Array.isArray(list) && list.length === 0),
      )
      const absent: Finding = { path: 'events', code: 'events_or_status_required' }
      return [
        ...shapeOf(/^(future_)?events$/)(draft),
        ...(empty && status === undefined && noneAhead && noneWithdrawn ? [absent] : []),
      ]
    },
  },
  {
    id: 'otep-1-withdrawn',
    level: 1,
    clause: 'OTEP 0.1, section 2, principle 1: events are withdrawn, not deleted',
    summary: 'A withdrawn event says when it was withdrawn.',
    severity: 'error',
    check: ({ withdrawn }) =>
      withdrawn.flatMap(({ path, event }): readonly Finding[] =>
        event.withdrawn === undefined
          ? [{ path: pathTo(path, 'withdrawn'), code: 'required', params: { field: 'withdrawn' } }]
          : [],
      ),
  },
  {
    id: 'otep-1-event-id',
    level: 1,
    clause: 'Document 2, "What the service does": one event per change',
    summary: 'No two events of one producer have the same event_id.',
    severity: 'error',
    check: repeatedIds,
  },
  {
    id: 'otep-1-transition',
    level: 1,
    clause: 'OTEP 0.1, state machine; section 9, level 1: valid state transitions',
    summary: 'No step from one status to the next is impossible.',
    severity: 'error',
    check: steps('impossible_transition'),
  },
  {
    id: 'otep-1-current-status',
    level: 1,
    clause: 'OTEP 0.1, section 2, principle 1: the current status is that of the latest event',
    summary: 'current_status and delivered, if present, agree with the events.',
    severity: 'error',
    check: (draft) => [...shapeOf(/^(current_status(_at)?|delivered)$/)(draft), ...derivedFindings(draft)],
  },
  {
    id: 'otep-1-shape',
    level: 1,
    clause: 'OTEP 0.1, sections 3 and 4; /api/otep-guide/schema.json',
    summary: 'Every other field belongs to the protocol, and has the right type and size.',
    severity: 'error',
    check: shapeOf(/^/),
  },
  {
    id: 'otep-1-visible',
    level: 1,
    clause: 'OTEP 0.1, section 3: subject',
    summary: 'Identifiers have no characters that nobody can see.',
    severity: 'warning',
    check: unseenInIdentifiers,
  },
  {
    id: 'otep-1-window',
    level: 1,
    clause: 'OTEP 0.1, section 4: estimated_delivery_at',
    summary: 'An expected window ends after it has begun.',
    severity: 'error',
    check: eachEvent(windowIsWhole),
  },
  {
    id: 'otep-1-order',
    level: 1,
    clause: 'Document 2, "States and transitions", rule 1',
    summary: 'Events are in order of occurrence.',
    severity: 'warning',
    check: disorder,
  },
  {
    id: 'otep-1-instant',
    level: 1,
    clause: 'Document 2, "States and transitions", rule 1; the state machine',
    summary: 'Events of one instant are listed in an order in which they can follow each other.',
    severity: 'warning',
    check: contradictions,
  },
  {
    id: 'otep-1-skipped',
    level: 1,
    clause: 'OTEP 0.1, state machine',
    summary: 'No step of the life cycle is missing.',
    severity: 'warning',
    check: (draft) =>
      steps(
        'first_step_skipped',
        'step_skipped',
      )(withoutAnnouncements(draft)).filter((finding) => !leavesTerminal(draft, finding)),
  },
  {
    id: 'otep-1-announcement',
    level: 1,
    clause: 'Document 2, "States and transitions", rule 2',
    summary: 'No announcement comes after the journey has begun.',
    severity: 'warning',
    check: lateAnnouncements,
  },
  {
    id: 'otep-1-terminal',
    level: 1,
    clause: 'Document 2, "States and transitions", rule 3',
    summary: 'A terminal status is only followed by a status that the profile plans after it.',
    severity: 'error',
    check: (draft) =>
      steps('after_terminal', 'step_skipped')(draft).filter((finding) => leavesTerminal(draft, finding)),
  },
  {
    id: 'otep-1-present',
    level: 1,
    clause: 'OTEP 0.1, section 4: occurred_at is the instant of the event',
    summary: 'No event is more than a day in the future. One that is does not count until its time comes.',
    severity: 'warning',
    check: eachEvent(notInFuture),
  },
  {
    id: 'otep-1-past',
    level: 1,
    clause: 'OTEP 0.1, section 4: occurred_at is the instant of the event',
    summary: 'No event is from before the year 2000.',
    severity: 'warning',
    check: eachEvent(isNotLongAgo),
  },
  {
    id: 'otep-1-expected',
    level: 1,
    clause: 'OTEP 0.1, section 4: estimated_delivery_at',
    summary: 'Every expected time is between the years 2000 and 2200.',
    severity: 'warning',
    check: eachEvent(expectedIsKnown),
  },
  {
    id: 'otep-1-provenance',
    level: 1,
    clause: 'OTEP 0.1, section 4: source',
    summary: 'Every event says who reported it.',
    severity: 'warning',
    check: eachEvent(sourceIsPresent),
  },
  {
    id: 'otep-1-proof',
    level: 1,
    clause: 'OTEP 0.1, section 4: pod; the codebook marks the codes that carry proof',
    summary: 'Only events whose code may carry proof have proof.',
    severity: 'warning',
    check: eachEvent(proofIsExpected),
  },
  {
    id: 'otep-2-registered',
    level: 2,
    clause: 'OTEP 0.1, section 9, level 2: profile-specific codes; Versioning, rule 5',
    summary: 'Every code is registered in the profile.',
    severity: 'warning',
    check: eachEvent(codeIsRegistered),
  },
  {
    id: 'otep-2-projection',
    level: 2,
    clause: 'OTEP 0.1, section 9, level 2: at least one projection to an external standard',
    summary:
      'At least one projection to an external standard covers every code of the timeline, and its document fits the schema of the format.',
    severity: 'warning',
    check: ({ held }) => held.findings,
  },
] as const satisfies readonly Requirement[]

/** Id of a requirement. */
export type RequirementId = (typeof requirements)[number]['id']

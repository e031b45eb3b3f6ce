import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import t from 'tap'
import { projectFile } from '../../conformance/program/files.ts'
import { keep } from '../../conformance/suites/projection/kept.ts'
import { anyDocument } from '../../conformance/suites/projection/random.ts'
import { runs } from '../../engine/testing/runs.test.fixture.ts'
import { parcel } from '../../profiles/index.ts'
import { projections } from '../../projections/index.ts'
import { languagesWith } from '../locales/catalogue.ts'
import { type Locale, messageOf } from './messages.ts'
import { type KnownCode, statusOf, type TimelineDocument, timelineFrom, timelineOf, validate } from './timeline.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const subject = { tracking_number: 'SR1' }
const pickedUp = { event_id: '1', occurred_at: '2026-06-10T09:30:00-04:00', status_code: 'picked_up' } as const
const delivered = { event_id: '2', occurred_at: '2026-06-11T14:05:00-04:00', status_code: 'delivered' } as const

t.test('given any document, then its timeline is the one that an engine reads back after it recorded it', async (t) => {
  let timelines = 0
  const count = runs(t, 20)
  await fc.assert(
    fc.asyncProperty(anyDocument, async (random) => {
      const document: typeof random = JSON.parse(JSON.stringify(random))
      const { timeline: expected } = await keep(projections, structuredClone(document), undefined, now)
      const { events = [], future_events: future = [], withdrawn_events: withdrawn = [] } = expected ?? {}
      const kept = [...events, ...future, ...withdrawn]
      // An engine opens a second timeline for a number that is used again.
      if (kept.length < document.events.length) return
      timelines++
      assert.deepEqual(timelineFrom(document, { now }).timeline, expected)
      assert.deepEqual(timelineFrom(expected, { now }).timeline, expected)
    }),
    { numRuns: count },
  )
  t.ok(timelines > count / 4, `${timelines} documents are one timeline`)
})

t.test('given a code that no profile has, when a program names it, then it does not compile', async (t) => {
  const at = '2026-06-10T09:30:00-04:00'
  const eventWith = (status_code: KnownCode) => ({ occurred_at: at, status_code })
  const known = [
    ...[eventWith('delivered'), eventWith('out_for_delivery'), eventWith('x-lost-and-found')],
    ...[...(['preparing', 'packing_started', 'deposit_expected'] as const)].map((code) => eventWith(code)),
  ]
  t.equal(known.length, 6)
  const timeline = timelineOf({ subject, events: [eventWith('delivered')] })
  t.equal(timelineOf(timeline).delivered, true, 'a timeline is a document, too')
  const wrong = [
    // @ts-expect-error A letter is missing.
    () => timelineOf({ subject, events: [{ occurred_at: at, status_code: 'deliverd' }] }),
    // @ts-expect-error A code is in small letters.
    () => timelineOf({ subject, events: [{ occurred_at: at, status_code: 'DELIVERED' }] }),
    // @ts-expect-error A code has underscores.
    () => timelineOf({ subject, events: [{ occurred_at: at, status_code: 'in-transit' }] }, { now }),
    // @ts-expect-error It is a code of nobody.
    () => timelineOf({ subject, current_status: 'eaten' }),
    // @ts-expect-error It is a phase.
    () => timelineOf({ subject, withdrawn_events: [{ occurred_at: at, status_code: 'transit' }] }),
    // @ts-expect-error The mark of an unregistered code is x-.
    () => timelineOf({ subject, events: [{ occurred_at: at, status_code: 'y-own' }] }),
  ]
  for (const read of wrong) t.throws(read, { name: 'TypeError' })
})

t.test('given events in any order without recorded_at, then they are in order of occurrence', async (t) => {
  const { events, current_status, ...timeline } = timelineOf({ subject, events: [delivered, pickedUp] })
  t.strictSame(
    events.map(({ event_id, recorded_at, phase }) => [event_id, recorded_at, phase]),
    [
      ['1', pickedUp.occurred_at, 'pickup'],
      ['2', delivered.occurred_at, 'delivered'],
    ],
  )
  t.strictSame(
    [timeline.profile, timeline.otep_version, timeline.delivered, current_status],
    [...['parcel', '0.1', true, 'delivered']],
  )
})

t.test('given an event twice and a withdrawn one, then one is left and the other is apart', async (t) => {
  const withdrawn = { declared_at: '2026-06-12T08:00:00Z' }
  const document = {
    subject,
    events: [pickedUp, { ...pickedUp, description: 'At the door' }, { ...delivered, withdrawn }],
  }
  const timeline = timelineOf(document)
  t.match(timeline.events, [{ event_id: '1', description: 'At the door' }])
  t.equal(timeline.events.length, 1)
  t.match(timeline.withdrawn_events, [{ event_id: '2', withdrawn }])
  t.match(statusOf(timeline), { code: 'picked_up', delivered: false })
})

t.test('given an event without an id, then it has the same id every time', async (t) => {
  const { event_id, ...anonymous } = pickedUp
  const [one, other] = [timelineOf({ subject, events: [anonymous] }), timelineOf({ subject, events: [anonymous] })]
  t.match(one.events[0]?.event_id, /^[0-9a-f-]{36}$/)
  t.strictSame(one, other)
})

t.test('given a current status alone, then it is an event that was created from it', async (t) => {
  const { events } = timelineOf({ subject, current_status: 'in_transit' }, { now })
  t.match(events, [{ status_code: 'in_transit', occurred_at: '2026-11-21T12:00:00.000Z', synthesized: true }])
  t.match(timelineOf({ subject, ...pickedUp } as TimelineDocument).events, [pickedUp], 'an event alone is one, too')
})

t.test('given what is no timeline, then the findings say where and why', async (t) => {
  const refused: readonly (readonly [document: unknown, path: string, code: string])[] = [
    [undefined, '', 'wrong_type'],
    [[], '', 'wrong_type'],
    [{ subject, events: [] }, '', 'events_or_status_required'],
    [{ subject: {}, events: [pickedUp] }, 'subject', 'no_identifier'],
    [{ subject, profile: 'pizza', events: [pickedUp] }, 'profile', 'unknown_profile'],
    [{ subject, events: [{ ...pickedUp, status_code: 'eaten' }] }, 'events[0].status_code', 'unknown_status_code'],
    [{ subject, events: [{ ...pickedUp, occurred_at: 'noon' }] }, 'events[0].occurred_at', 'not_a_date_time'],
    [{ subject, events: [pickedUp, { ...delivered, event_id: '1' }] }, 'events[1]', 'event_id_conflict'],
    [{ timelines: [{ subject, events: [pickedUp] }] }, 'timelines', 'unknown_field'],
  ]
  for (const [document, path, code] of refused) {
    const { timeline, findings = [] } = timelineFrom(document)
    t.equal(timeline, undefined)
    t.ok(
      findings.some((finding) => finding.path === path && finding.code === code),
      `${path} ${code}: ${JSON.stringify(findings)}`,
    )
    t.throws(() => timelineOf(document as TimelineDocument), { name: 'TypeError', findings })
  }
})

t.test('given a profile of one’s own, then it is the one that documents are read by', async (t) => {
  const mine = { ...parcel, name: 'mine', codes: { picked_up: { ...parcel.codes.picked_up, terminal: true } } }
  const timeline = timelineOf({ subject, events: [pickedUp] }, { profiles: [mine] })
  t.equal(timeline.profile, 'mine')
  t.match(statusOf(timeline, { profiles: [mine] }), { code: 'picked_up', phase: 'pickup', terminal: true })
  t.match(timelineFrom({ subject, events: [delivered] }, { profiles: [mine] }).findings, [
    { code: 'unknown_status_code' },
  ])
})

t.test('given a timeline, then its status is that of the engine, and names its event', async (t) => {
  const timeline = timelineOf({ subject, events: [pickedUp, delivered] })
  t.strictSame(statusOf(timeline), {
    ...{ code: 'delivered', phase: 'delivered', delivered: true, terminal: true },
    event: timeline.events[1],
  })
  t.strictSame(statusOf({ ...timeline, events: [] }), { delivered: false, terminal: false })
})

t.test('given a document, when it is validated, then level 2 needs formats', async (t) => {
  const source = { type: 'carrier_tracking', provider: 'acme' }
  const complete = timelineOf({ subject, events: [{ ...pickedUp, status_code: 'information_submitted', source }] })
  t.match(validate(complete), { conformant: true, level: 1, errors: [], warnings: [] })
  t.match(validate(complete, { formats: projections }), { conformant: true, level: 2, errors: [], warnings: [] })
  t.match(validate({ ...complete, profile: undefined }), { conformant: false, level: 0, errors: [{ path: 'profile' }] })
})

/** The file of a language, as a program imports it. */
function localeOf(language: string): Locale {
  return language === 'en' ? {} : JSON.parse(readFileSync(projectFile(`adapters/locales/${language}.json`), 'utf8'))
}

t.test('given any finding of the library, then it has a message in every language', async (t) => {
  const documents = [
    ...[null, {}, { subject: { gs1_sscc: '1', colour: 1 }, events: [1, { occurred_at: '2026-02-30T00:00:00Z' }] }],
    ...[
      { subject, otep_version: '9', profile: 'x', delivered: 'yes', current_status: '', events: [delivered, pickedUp] },
    ],
    {
      subject,
      events: [{ ...pickedUp, phase: 'no', pod: {}, location: { gln: 'x', address: { country: 'Canada' } } }],
    },
  ]
  const found = documents.flatMap((document) => {
    const { errors, warnings } = validate(document)
    return [...errors, ...warnings, ...(timelineFrom(document).findings ?? [])]
  })
  t.ok(new Set(found.map(({ code }) => code)).size > 12)
  for (const finding of found) {
    t.not(messageOf(finding), finding.code, `${finding.code} has a message`)
    for (const language of languagesWith('code')) {
      const locale = localeOf(language)
      const text = locale.code?.[finding.code] ?? messageOf(finding)
      t.ok(messageOf(finding, locale).startsWith(text.split('{')[0] ?? ''), `${finding.code} in ${language}`)
    }
  }
  t.equal(messageOf({ path: 'subject', code: 'required', params: { field: 'subject' } }), 'subject is required.')
})

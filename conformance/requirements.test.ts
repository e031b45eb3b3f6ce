import t from 'tap'
import { createParts } from '../adapters/main.ts'
import { type Answer, call, createMemoryStore, en, otepValidate, type Projection } from '../engine/index.ts'
import { parcel } from '../profiles/index.ts'
import { changed, clauses, conforming } from './requirements.ts'

const parts = createParts({ store: createMemoryStore(() => 0), clock: () => Date.parse('2026-11-21T12:00:00Z') })

/** A format that takes every code, as an external standard would. */
const external: Projection = {
  ...parts.formats[0],
  name: 'toy',
  external: true,
  codes: () => Object.fromEntries(Object.keys(parcel.codes).map((code) => [code, { fidelity: '~', value: code }])),
}

interface Verdict {
  readonly conformant: boolean
  readonly level: number
  readonly errors: readonly { readonly requirement: string; readonly path: string }[]
  readonly warnings: readonly { readonly requirement: string }[]
}

async function verdictOn(document: unknown, formats: readonly Projection[] = [external]): Promise<Verdict> {
  const caller = { kind: 'anonymous', name: 'anonymous', scopes: [] } as const
  const context = { ...parts, formats: formats as never, caller, messages: en, requestId: 'test' }
  const answer: Answer = await call(otepValidate, context, { document })
  return answer as unknown as Verdict
}

t.test('given a document of level 2, when it is validated, then nothing is found', async (t) => {
  t.same(await verdictOn(conforming), {
    conformant: true,
    level: 2,
    projection: 'toy',
    errors: [],
    warnings: [],
  })
})

for (const { id, brokenBy, severity, summary, level } of clauses) {
  t.test(`${id}: ${summary}`, async (t) => {
    for (const change of brokenBy) {
      const verdict = await verdictOn(changed(conforming, change))
      const found = severity === 'error' ? verdict.errors : verdict.warnings
      t.ok(
        found.some(({ requirement }) => requirement === id),
        `broken by ${JSON.stringify(change)}: ${JSON.stringify(found).slice(0, 300)}`,
      )
      t.equal(verdict.conformant, verdict.errors.length === 0)
      if (severity === 'error') t.equal(verdict.level, 0)
      if (level === 2) t.equal(verdict.level, 1)
    }
  })
}

t.test('otep-1-events is broken by a timeline that says nothing at all', async (t) => {
  const { events, current_status, delivered, ...silent } = conforming
  t.match(await verdictOn(silent), { errors: [{ requirement: 'otep-1-events', path: 'events' }] })
  t.equal((await verdictOn({ ...silent, current_status })).conformant, true, 'a current status alone is enough')
  t.match(await verdictOn({ ...silent, current_status: 'bogus' }), {
    errors: [{ requirement: 'otep-1-why', path: 'current_status' }],
  })
  t.match(await verdictOn({ ...silent, current_status, delivered: false }), { errors: [{ path: 'delivered' }] })
  t.match(await verdictOn({ ...silent, current_status, current_status_at: '2126-01-01T00:00:00Z' }), {
    warnings: [{ requirement: 'otep-1-present', path: 'current_status_at' }],
  })
})

t.test('otep-2-projection is broken where no external format takes every code', async (t) => {
  t.match(await verdictOn(conforming, [parts.formats[0]]), {
    conformant: true,
    level: 1,
    warnings: [{ requirement: 'otep-2-projection' }],
  })
  const partial: Projection = {
    ...external,
    codes: () => ({
      received: { fidelity: '=', value: 'a' },
      out_for_delivery: { fidelity: 'none', value: '' },
      delivered: { fidelity: '=', value: 'b' },
    }),
  }
  t.equal((await verdictOn(conforming, [partial])).level, 1)
})

t.test('otep-2-projection is broken where the only format that takes every code writes a false document', async (t) => {
  const misfit: Projection = { ...external, project: (timeline) => ({ ...timeline, subject: { tracking_number: 5 } }) }
  t.match(await verdictOn(conforming, [misfit]), {
    conformant: true,
    level: 1,
    warnings: [{ requirement: 'otep-2-projection', path: 'events', code: 'projection_misfit' }],
  })
  t.match(await verdictOn(conforming, [misfit, external]), { level: 2, projection: 'toy', warnings: [] })
})

t.test('otep-1-terminal is broken by a terminal status that the profile does not plan after another', async (t) => {
  const { current_status, delivered, ...head } = conforming
  const statuses = (...codes: string[]) => ({
    ...head,
    events: codes.map((status_code, index) => ({
      occurred_at: `2026-06-10T1${index}:00:00Z`,
      status_code,
      source: { type: 'carrier_tracking' },
    })),
  })
  const broken = async (...codes: string[]) =>
    (await verdictOn(statuses(...codes))).errors.map(({ requirement, path }) => `${requirement} ${path}`)
  t.same(await broken('picked_up', 'delivered', 'in_transit'), ['otep-1-terminal events[2].status_code'])
  t.same(await broken('picked_up', 'cancelled', 'delivered'), ['otep-1-terminal events[2].status_code'])
  t.same(await broken('picked_up', 'delivered', 'return_to_sender'), [], 'a planned step')
  t.same(await broken('picked_up', 'delivered', 'delivered'), [], 'the same status again')
})

t.test('ids are unique, and say their level', async (t) => {
  t.equal(new Set(clauses.map(({ id }) => id)).size, clauses.length)
  for (const { id, level } of clauses) t.ok(id.startsWith(`otep-${level}-`), id)
})

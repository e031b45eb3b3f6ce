import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createGenerator } from 'ts-json-schema-generator'
import { rulesJudge, schemaJudge } from '../json-schema.ts'
import type { ReadyJudge } from '../judge.ts'
import { isMeant } from '../meant.ts'

interface Stated {
  readonly tag?: string
  readonly subtag?: string
  readonly subtag_message?: string
}

interface Checkpoint extends Stated {
  readonly checkpoint_time?: string
  readonly created_at?: string
  readonly country_region?: string
  readonly country_region_name?: string
  readonly hash?: string
}

interface Answer {
  readonly meta?: { readonly code?: number }
  readonly data?:
    | (Stated & {
        readonly tracking_number?: string
        readonly created_at?: string
        readonly updated_at?: string
        readonly return_to_sender?: boolean
        readonly checkpoints?: readonly Checkpoint[]
      })
    | null
}

/** The judges of AfterShip documents. */
export const judges: readonly ReadyJudge[] = [
  schemaJudge({ name: 'AfterShip SDK 17 types', format: 'aftership', schema: answerSchema }),
  rulesJudge<Answer>('rules of trackings and checkpoints', 'aftership', ({ meta, data: body }, { timeline }) => {
    const data = body ?? {}
    const { checkpoints = [], return_to_sender } = data
    const times = checkpoints.map(({ checkpoint_time: time = '' }) => Date.parse(isBare(time) ? `${time}Z` : time))
    const happened = timeline.events.map(({ occurred_at }) => Date.parse(occurred_at))
    const stamps = [data.created_at, data.updated_at, ...checkpoints.map(({ created_at }) => created_at)]
    const hashes = checkpoints.flatMap(({ hash }) => (hash === undefined ? [] : [hash]))
    const isBack = checkpoints.some(({ subtag = '' }) => /^Exception_01[01]$/.test(subtag))
    const countries = checkpoints.flatMap(({ country_region: code }) => (code === undefined ? [] : [code]))
    return [
      meta?.code !== 200 && 'The answer does not say that it is good.',
      hasBlank(data) && 'What is not known is left out: there are no empty texts.',
      [data, ...checkpoints].some(misstated) && 'A subtag is its tag with three digits, and has words.',
      return_to_sender !== isBack && 'Returned to the sender is what has a checkpoint that says so.',
      countries.some((code) => !/^[A-Z]{3}$/.test(code)) && 'A country is three letters.',
      checkpoints.some(
        ({ country_region: code, country_region_name: name }) => (code === undefined) !== (name === undefined),
      ) && 'A country has a name.',
      times.some(Number.isNaN) && 'A checkpoint has no time.',
      times.some((time, index) => time !== happened[index]) &&
        'The checkpoints are not when things happened, in order.',
      stamps.some((stamp) => stamp !== undefined && !/T\d{2}:\d{2}:\d{2}\+00:00$/.test(stamp)) &&
        'A time of recording is not in UTC, in seconds.',
      new Set(hashes).size < hashes.length && 'Two checkpoints have one hash.',
      checkpoints.length !== timeline.events.length && 'There is a checkpoint for every event, and no other.',
      (data.tag === 'Pending') !== (timeline.events.length === 0) && 'Pending is what has no event.',
      data.tag === 'Delivered' &&
        !timeline.events.some(({ status_code }) => isMeant(timeline, status_code, ['delivered'])) &&
        'Nothing was delivered.',
      timeline.delivered &&
        data.tag !== 'Delivered' &&
        !/^x-/.test(timeline.current_status ?? '') &&
        'It was delivered.',
    ]
  }),
]

function isBare(time: string): boolean {
  return /T[\d:.]+$/.test(time)
}

function hasBlank(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === '' || value === null
  return Object.values(value).some(hasBlank)
}

function misstated({ tag, subtag, subtag_message: words }: Stated): boolean {
  if (tag === undefined) return subtag !== undefined || words !== undefined
  return subtag === undefined || !words || !new RegExp(`^${tag}_\\d{3}$`).test(subtag)
}

/** `Tracking` of the SDK's types, in the envelope of the API. The SDK's own responses have headers instead. */
function answerSchema() {
  const types = createRequire(import.meta.url).resolve('@aftership/tracking-sdk/package.json')
  const { definitions } = createGenerator({
    path: join(types, '..', 'dist', 'model', 'Tracking.d.ts'),
    type: 'Tracking',
    skipTypeCheck: true,
    additionalProperties: false,
  }).createSchema('Tracking')
  return {
    definitions: JSON.parse(JSON.stringify(definitions), withRealNull),
    type: 'object',
    required: ['meta', 'data'],
    additionalProperties: false,
    properties: {
      meta: { type: 'object', required: ['code'], additionalProperties: false, properties: { code: { const: 200 } } },
      data: { $ref: '#/definitions/Tracking' },
    },
  }
}

/** The types of the SDK write the JSON value null in an enum as the text "null". */
function withRealNull(_: string, value: unknown): unknown {
  const { enum: words } = (value ?? {}) as { readonly enum?: unknown }
  if (!Array.isArray(words) || !words.includes('null')) return value
  return { enum: words.map((word) => (word === 'null' ? null : word)) }
}

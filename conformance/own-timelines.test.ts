import { readdirSync } from 'node:fs'
import fc from 'fast-check'
import t from 'tap'
import { createParts } from '../adapters/engine.ts'
import { runPoliciesOnce } from '../adapters/policies/index.ts'
import { labels } from '../engine/domains/labels/label.ts'
import { label } from '../engine/domains/labels/table.ts'
import { steps } from '../engine/domains/orders/moves.ts'
import {
  anonymous,
  type Context,
  call,
  createMemoryStore,
  type Decider,
  deriveId,
  deviceOrder,
  deviceOrders,
  type Event,
  en,
  execute,
  isEngineError,
  isoOf,
  type Members,
  type OrderCommand,
  orders,
  otepTracking,
  otepValidate,
  type StreamName,
  type Table,
  type Timeline,
  toNewEvent,
} from '../engine/index.ts'
import { areMany, runs } from '../engine/testing/runs.test.fixture.ts'
import { projectFile } from './program/files.ts'

const start = Date.parse('2026-03-01T08:00:00Z')
const [second, quarter, day] = [1_000, 900_000, 86_400_000]

/** What can be asked of a thing, without who asks and when, by the name of the command or the move. */
type Asked = Readonly<Record<string, readonly Members[]>>

const driver = { driver: 9, source: 'manual' }
const proof = {
  ...{ latitude: 52.5, longitude: 13.4, recipient: 'Ann Lee', note: 'At the door' },
  ...{ signature_url: 'https://files.example/s.png', photo_urls: ['https://files.example/p.jpg'] },
}
const reasons = ['deliver_later', 'reschedule', 'refused']
const stepsOfDrivers = Object.keys(steps).flatMap((step) =>
  step === 'fail' ? reasons.map((reason) => ({ step, reason })) : [{ step }],
)

/** A command that the table leaves out does not compile. Reports of carriers are in the timeline before the order takes them. */
const ofOrders = {
  AssignDriver: [driver, { ...driver, driver: 8, respond_by: isoOf(start + quarter) }, { ...driver, broker_id: 7 }],
  TakeStep: stepsOfDrivers.map((step) => ({ ...step, circumstances: proof })),
  ...{ HoldOrder: [{}], ReleaseOrder: [{}], UnassignDriver: [{ reason: 'removal' }] },
  ...{ HandToCarrier: [{ provider: 'acme' }], TakeBack: [{}], CarrierDelivered: [{ circumstances: proof }] },
  ...{ PlanOrder: [{ route_id: 4, stop: 1 }], TakeOffRoute: [{ route_id: 4 }] },
  Reschedule: [{ schedule_date: '2026-03-05' }, { schedule_date: '2026-03-06' }],
  ...{ AssignContractor: [{ assignment_id: 1, broker_id: 7 }], RevokeContractor: [{}] },
  ReleaseContractor: [{ broker_id: 7 }],
  ...{ PoolOrder: [{ pool: { rules: [], broker_ids: [7] } }], UnpoolOrder: [{ reason: 'taken' }] },
  ...{ AcceptOffer: [{ assignment_id: 2, broker_id: 7 }], RefuseOffer: [{ broker_id: 7 }], EndAnswerTime: [{}] },
  ...{ CorrectOrder: [{ values: { items: 2 } }], ChangeInstruction: [{ text: 'Ring' }], ChangeNote: [{ text: 'No' }] },
  ...{ ChangePrice: [{ price: { shipping_price: '9.00', currency: 'EUR' } }], PayOrder: [{ amount: '1.00' }] },
  ...{ RefundOrder: [{ reason: 'Late' }], SettleOffline: [{ amount: '1.00', offline: { method: 'cash' } }] },
  NoteReport: [
    { report: { provider: 'acme', event_id: 'e', status_code: 'picked_up', occurred_at: isoOf(start), position: '1' } },
  ],
  NoteContradiction: [{ contradicting: 'acme, other' }, { contradicting: undefined }],
  ...{ CancelOrder: [{}, { replaced_by: 2 }], DeleteOrder: [{}], EraseOrder: [{}] },
} as const satisfies {
  readonly [Type in Exclude<OrderCommand['type'], 'CreateOrder' | 'TakeReport'>]: readonly Members[]
}

const payment = { amount: '1.00', currency: 'EUR' }
const ofMoney: Asked = { pay: [{ payment }], settle_offline: [{ payment }], refund: [{ payment }] }

/** The values of moves that need some. */
const ofStays: Asked = {
  ...ofMoney,
  store: [{ code_hash: 'right' }, { code_hash: 'right', due_at: isoOf(start + day) }],
  issue_code: [{ code_hash: 'right' }],
  collect: [{ code_hash: 'right' }, { code_hash: 'wrong' }, { is_staff: true }],
  remove: [{ removal_reason: 'recovery' }],
  open_exception: [{ type: 'door_left_open' }],
  resolve_exception: [1, 2, 3].map((exception_id) => ({ exception_id, resolution_action: 'done' })),
  dismiss_exception: [1, 2].map((exception_id) => ({ exception_id })),
}
const ofLabels: Asked = {
  ...ofMoney,
  buy: [{ label: { reference: 'R', tracking_numbers: ['N', 'N2'], amount: '9.00', currency: 'EUR' } }],
}

/** The things of one kind that have separate timelines. */
interface Family {
  readonly stream: StreamName
  readonly decider: object
  /** How one may begin. */
  readonly created: readonly Members[]
  readonly asked: readonly Members[]
  /** What carries one to its end; it is asked more often. */
  readonly onward: readonly string[]
  /** How many codes its timelines can have. */
  readonly codes: number
}

/** Every move of a thing but the one that makes it. */
function movesOf({ moves }: Pick<Table, 'moves'>, values: Asked): readonly Members[] {
  return Object.entries(moves).flatMap(([move, { from }]) =>
    from === 'nothing' ? [] : (values[move] ?? [{}]).map((values) => ({ move, values })),
  )
}

/** By the policies that write their timelines. */
const families: Readonly<Record<string, Family>> = {
  'order-timelines': {
    stream: 'order-1',
    decider: orders,
    created: ['D', 'P', 'P2P'].map((type) => ({
      type: 'CreateOrder',
      data: { at: isoOf(start), by: 7, order_id: 1, business_id: 1, type, to: 'NEW_ORDER', tracking_number: 'N' },
    })),
    asked: Object.entries(ofOrders).flatMap(([type, all]) => all.map((one) => ({ type, ...one }))),
    onward: ['AssignDriver', 'TakeStep'],
    codes: 15,
  },
  'device-order-timelines': {
    stream: 'device_order-1',
    decider: deviceOrders,
    created: ['locker', 'smart_drop'].map((device_type) => ({
      move: 'create',
      values: {
        ...{ device_order_id: 1, business_id: 1, kind: 'storage', device_type, device_id: 4 },
        ...{ device_name: 'Locker Main St', piece_id: 'N' },
      },
    })),
    asked: movesOf(deviceOrder, ofStays),
    onward: ['store', 'collect'],
    codes: 8,
  },
  'label-timelines': {
    stream: 'label-1',
    decider: labels,
    created: [
      {
        move: 'ask',
        values: {
          ...{ order_id: 1, business_id: 1, key: 'K', carrier_account_id: 1, carrier: 'books', service: 'one' },
          ...{ amount: '9.00', currency: 'EUR', parcels: [{ weight_grams: 800 }] },
        },
      },
    ],
    asked: movesOf(label, ofLabels),
    onward: ['buy', 'ask_void', 'void'],
    codes: 2,
  },
}

/** A thing of a family and its timeline, while time passes. */
function begun(family: Family) {
  const decider = family.decider as Decider<unknown, never, Event>
  let now = start
  let ids = 0
  const store = createMemoryStore(() => now)
  const parts = createParts({
    ...{ store, publicView: 'full', clock: () => now },
    randomId: () => deriveId('own timelines', String(ids++)),
  })
  const context: Context = { ...parts, caller: anonymous, messages: en, requestId: 'test' }
  const said: object[] = []
  const tell = (fields: object) => void said.push(fields)
  const isDone = async (command: Members) => {
    try {
      return (await execute(parts.store, decider, family.stream, command as never, toNewEvent(context))).length > 0
    } catch (error) {
      if (isEngineError(error)) return false
      throw error
    }
  }
  return {
    said,
    /** Asks one after the other until something is done. */
    ask: async (list: readonly Members[], pause: number) => {
      now += pause
      for (const asked of list) if (await isDone({ at: isoOf(now), by: 7, ...asked })) return
    },
    /** The answer of a reader, once the policies have caught up; undefined if there is no timeline. */
    answer: async () => {
      await runPoliciesOnce(parts, { debug: tell, info: tell, warn: tell, error: tell })
      try {
        return await call(otepTracking, context, { tracking_number: 'N' })
      } catch (error) {
        if (isEngineError(error, 'timeline_not_found')) return undefined
        throw error
      }
    },
    verdict: (document: unknown) => call(otepValidate, context, { document }),
  }
}

t.test('given the policies, when those that write timelines are counted, then each is tried below', async (t) => {
  const files = readdirSync(projectFile('adapters', 'policies')).filter((name) => name.endsWith('-timelines.ts'))
  t.same(files.map((name) => name.replace('.ts', '')).sort(), Object.keys(families).sort())
})

for (const [name, family] of Object.entries(families))
  t.test(`given any history, when ${name} has told it, then its timeline is of level 2`, async (t) => {
    const { created, asked, onward, codes } = family
    const isOnward = ({ type, move }: Members) => onward.includes(String(type ?? move))
    const anyOf = (list: readonly Members[]) => fc.shuffledSubarray([...list], { minLength: list.length })
    const lists = fc.oneof(
      { weight: 1, arbitrary: anyOf(asked) },
      { weight: 4, arbitrary: anyOf(asked.filter(isOnward)) },
    )
    const pauses = fc.constantFrom(second, second, second, second, quarter, quarter, day, 100 * day)
    const histories = fc.array(fc.tuple(lists, pauses), { maxLength: 30, size: 'max' })
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...created), histories, async (first, history) => {
        const { ask, answer, verdict, said } = begun(family)
        await ask([first], 0)
        for (const step of history) await ask(...step)
        const answered = await answer()
        if (answered === undefined) return
        const told = (answered.data as Timeline).events.map(({ status_code }) => status_code)
        for (const code of told) seen.add(code)
        const { level, errors } = await verdict(answered)
        if (level !== 2 || said.length > 0) throw new Error(JSON.stringify({ told, level, errors, said }))
      }),
      { numRuns: runs(t, 150) },
    )
    if (areMany) t.equal(seen.size, codes, `all that can be said was: ${[...seen].sort()}`)
  })

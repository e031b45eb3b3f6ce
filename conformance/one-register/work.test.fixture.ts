import assert from 'node:assert/strict'
import fc from 'fast-check'
import { among, type Chances, type Command, minute, type Work } from './command.test.fixture.ts'
import { buy, giveUp, mistake, scan } from './label-commands.test.fixture.ts'
import { moves } from './local.test.fixture.ts'
import { carry, create, drive, give, move, remove, report, update } from './order-commands.test.fixture.ts'

const again: Command = async ({ told }, { which }) => {
  if (told.length > 0) await among(told, which)()
}

/** What may happen, and how often. */
const commands = {
  create: [4, create],
  buy: [3, buy],
  carry: [2, carry],
  handOver: [5, move('hand-to-carrier', 'take-back', 'carrier-delivered', 'return', 'cancel')],
  dispatch: [5, move('assign-driver', 'pick-up', 'depart', 'complete', 'fail')],
  move: [3, move(...Object.keys(moves).filter((verb) => verb !== 'accept' && verb !== 'reject'))],
  drive: [2, drive],
  remove: [1, remove],
  update: [1, update],
  report: [6, report],
  scan: [6, scan],
  again: [1, again],
  giveUp: [2, giveUp],
  give: [2, give],
  mistake: [2, mistake],
} as const satisfies Readonly<Record<string, readonly [number, Command]>>

type Name = keyof typeof commands

export interface Step extends Chances {
  readonly command: Name
  /** Whether policies see the same again, as after a crash. */
  readonly isSeenTwice: boolean
}

const anyName = fc.oneof(
  ...(Object.keys(commands) as Name[]).map((name) => ({ weight: commands[name][0], arbitrary: fc.constant(name) })),
)

/** Any work, by its steps. */
export const anyWork = fc.array(
  fc.record({
    command: anyName,
    ...{ which: fc.nat(60), how: fc.nat(60), who: fc.nat(60) },
    isSeenTwice: fc.nat(5).map((one) => one === 5),
  }),
  { minLength: 1, maxLength: 40, size: 'max' },
)

/** Takes a step, and has the policies follow. */
export async function take(work: Work, { command, isSeenTwice, ...chances }: Step): Promise<void> {
  const { office } = work
  office.clock.now += minute
  await commands[command][1](work, chances)
  await office.follow()
  if (isSeenTwice) await office.follow(true)
  assert.deepEqual(office.said, [])
}

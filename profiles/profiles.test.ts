import t from 'tap'
import { isFailure, isReturn, isTerminal, type Profile, profileFindings, stepBetween } from '../engine/index.ts'
import { parcel, profiles, storage, unregisteredCodes } from './index.ts'

const unregistered = Object.keys(unregisteredCodes)

t.test('given the built-in profiles, when they are checked, then nothing is wrong with them', async (t) => {
  for (const profile of profiles) {
    const { name, codes } = profile
    t.same(profileFindings(profile, { profiles, formats: [], unregistered }), [], name)
    for (const [code, { meaning, phrases }] of Object.entries(codes)) {
      t.match(meaning, /^[A-Z].*\.$/, `the meaning of ${name}: ${code} is a sentence`)
      t.match(phrases.en, /^[A-Z]\S/, `${name}: ${code} has a phrase`)
    }
  }
})

const word = storage.codes.deposit_expected

/** A trade of three codes, with nothing wrong. */
const crates: Profile = {
  name: 'crates',
  version: '1',
  status: 'draft',
  phases: ['pre_shipment', 'transit', 'delivered'],
  sidePhases: ['exception'],
  codes: {
    packed: { ...word, webhook: { statusId: 9001, key: 'packed', type: 'I' } },
    moved: { ...word, phase: 'transit', like: 'in_transit', webhook: { statusId: 9002, key: 'moved', type: 'T' } },
    there: { ...word, phase: 'delivered', terminal: true, webhook: { statusId: 9003, key: 'there', type: 'D' } },
  },
  first: ['packed'],
  transitions: `
    # packed moved there
    packed - o .
    moved  x - o
    there  x x -
  `,
}

/** What is found in a profile in which some members are otherwise, in short: `path code`. */
function found(over: object): readonly string[] {
  const profile = { ...crates, ...over } as Profile
  const use = { profiles: [...profiles, profile] as unknown as typeof profiles, formats: [], unregistered }
  return profileFindings(profile, use).map(({ path, code }) => `${path} ${code}`)
}

const { packed, moved, there } = crates.codes

/** The codes, of which one is otherwise. */
const codes = (over: object) => ({ codes: { packed, moved, there: { ...there, ...over } } })

t.test('given a profile with a fault, when it is checked, then the fault is told with its path', async (t) => {
  t.same(found({}), [])
  t.same(found({ name: 'Crates!' }), ['name invalid_name'])
  t.same(found({ name: 'parcel' }).slice(0, 1), ['name duplicate_name'])
  t.same(found({ phases: ['pre_shipment', 'delivered', 'transit'] }), ['phases unknown_phase'])
  t.same(found({ sidePhases: ['kitchen'] }), ['sidePhases[0] unknown_phase'])
  t.same(found({ first: ['lost'] }), [
    'first[0] unknown_code',
    'transitions unreachable_code',
    ...Array(2).fill('transitions unreachable_code'),
  ])
  t.same(found({ first: [] }).slice(0, 1), ['first required'])
  t.same(found({ codes: 7, status: 'new' }), ['status required', 'codes required'])
  t.same(found(codes({ phase: undefined, phrases: { de: 'da' } })), [
    'codes.there.phase required',
    'codes.there.phrases.en required',
  ])
  t.same(found(codes({ phase: 'pickup' })), ['codes.there.phase unknown_phase'])
  t.same(found(codes({ like: 'nearly' })), ['codes.there.like unknown_like'])
  t.same(found(codes({ like: undefined })), ['codes.there.like required'])
  t.same(found(codes({ like: 'x-damaged' })), [])
  t.same(found(codes({ formats: { gazette: {} } })), ['codes.there.formats.gazette unknown_format'])
  t.same(found(codes({ webhook: { statusId: 15, key: 'packed', type: 'D' } })), [
    'codes.packed.webhook.key duplicate_webhook_key',
    'codes.there.webhook.statusId duplicate_status_id',
    'codes.there.webhook.key duplicate_webhook_key',
  ])
})

t.test('given a table of transitions with a fault, when it is checked, then the row is named', async (t) => {
  const table = (...rows: readonly string[]) => found({ transitions: rows.join('\n') })
  t.same(table('packed - o .', 'moved x - o', 'there x x -'), [])
  t.same(table('packed - o .', 'there x x -', 'moved x - o'), ['transitions transitions'])
  t.same(table('packed - o .', 'moved x - o'), ['transitions transitions'])
  t.same(table('packed - o', 'moved x - o', 'there x x -'), ['transitions.packed transitions'])
  t.same(table('packed o - .', 'moved x - o', 'there x x -'), Array(2).fill('transitions.packed transitions'))
  t.same(table('packed - ? .', 'moved x - o', 'there x x -'), ['transitions.packed transitions'])
  t.same(table('packed - o .', 'moved x - .', 'there x x -'), ['transitions unreachable_code'])
})

t.test('given a stay in a machine, when it has ended or begun, then only what cannot be is impossible', async (t) => {
  const codes = Object.keys(storage.codes)
  const impossible = codes.flatMap((from) =>
    codes.filter((to) => stepBetween(storage, from, to) === 'impossible').map((to) => `${from} > ${to}`),
  )
  t.same(impossible, [
    'stored > deposit_cancelled',
    'overdue > deposit_cancelled',
    'collected > removed',
    'collected > deposit_cancelled',
    'removed > deposit_cancelled',
  ])
  t.same(
    codes.filter((code) => isTerminal(storage, code)),
    ['collected', 'removed', 'deposit_cancelled'],
  )
})

t.test('given a parcel, when its table is read, then a step is the one that the row and the column name', async (t) => {
  t.equal(stepBetween(parcel, 'out_for_delivery', 'delivered'), 'planned')
  t.equal(stepBetween(parcel, 'out_for_delivery', 'cancelled'), 'impossible')
  t.equal(stepBetween(parcel, 'information_submitted', 'delivered'), 'skipped')
  t.equal(stepBetween(parcel, 'delivered', 'in_transit'), 'after_terminal')
})

t.test('given a code whose phase does not say it, when its meaning is read, then its flags do', async (t) => {
  const profile: Profile = {
    ...crates,
    codes: { ...crates.codes, there: { ...parcel.codes.delivered, failure: true, return: true } },
  }
  t.same([isFailure(profile, 'there'), isReturn(profile, 'there')], [true, true])
  t.same([isFailure(parcel, 'delivery_failed'), isReturn(parcel, 'return_to_sender')], [true, true], 'by the phase')
  t.same([isFailure(parcel, 'in_transit'), isReturn(parcel, 'delivered')], [false, false])
  t.same(
    [isFailure(parcel, 'x-damaged'), isReturn(parcel, 'nothing_known')],
    [false, false],
    'a code without a meaning',
  )
})

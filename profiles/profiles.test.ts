import t from 'tap'
import { isTerminal, type Profile, stepBetween } from '../engine/index.ts'
import { parcel, profiles, storage } from './index.ts'

const all: readonly Profile[] = profiles

t.test('given any profile, when its tables are read, then they speak of its own codes and phases', async (t) => {
  for (const { name, phases, sidePhases, codes, first, transitions } of all) {
    const words = Object.keys(codes)
    const known = new Set([...phases, ...sidePhases])
    for (const [code, { phase, meaning }] of Object.entries(codes)) {
      t.ok(known.has(phase), `${name}: ${code} has a phase of the profile`)
      t.match(meaning, /^[A-Z].*\.$/, `${name}: ${code} is told in a sentence`)
    }
    t.same(Object.keys(transitions), words, `${name} has a row for every code`)
    for (const [from, { next, impossible }] of Object.entries(transitions)) {
      const named = [...next, ...impossible]
      t.ok(
        named.every((to) => words.includes(to) && to !== from),
        `${name}: ${from} leads to codes of the profile`,
      )
      t.equal(new Set(named).size, named.length, `${name}: ${from} names each once`)
    }
    t.ok(first.length > 0 && first.every((code) => words.includes(code)))
  }
})

t.test(
  'given any profile, when planned steps are taken from its first codes, then every code is reached',
  async (t) => {
    for (const { name, codes, first, transitions } of all) {
      const reached = new Set(first)
      for (const code of reached) for (const next of transitions[code]?.next ?? []) reached.add(next)
      t.same([...reached].sort(), Object.keys(codes).sort(), name)
    }
  },
)

t.test(
  'given any profile, when a code is like another, then the profile has the other, which is like none',
  async (t) => {
    for (const { name, codes } of all) {
      const likes = Object.values(codes).flatMap(({ like }) => like ?? [])
      const words = Object.keys(codes).filter((code) => codes[code]?.like === undefined)
      t.same(
        likes.filter((like) => !words.includes(like)),
        [],
        name,
      )
    }
  },
)

t.test('given any profile but the parcel, when phases are read, then they are phases that a parcel has', async (t) => {
  const known: readonly string[] = [...parcel.phases, ...parcel.sidePhases]
  for (const { name, phases, sidePhases } of all) {
    t.ok(
      [...phases, ...sidePhases].every((phase) => known.includes(phase)),
      name,
    )
    const order = phases.map((phase) => known.indexOf(phase))
    t.same(
      order,
      [...order].sort((one, other) => one - other),
      `${name}: in the order of the protocol`,
    )
  }
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

import t from 'tap'
import { fold } from '../../../kernel/decider.ts'
import { isEngineError } from '../../../kernel/errors.ts'
import type { FactorEvent } from './events.ts'
import { type FactorCommand, type Factors, factorsOf, waitsUntil } from './factors.ts'
import { newRecoveryCodes, recoveryHash } from './recovery.ts'

const account_id = 7
const at = (seconds: number) => new Date(Date.parse('2026-06-10T10:00:00Z') + seconds * 1000).toISOString()
const passkey = { credential: 'c', public_key: 'k', counter: 3, transports: ['internal'] }

/** Commands without what all have in common, run one after the other. */
function after(...commands: readonly object[]): Factors {
  let state = factorsOf.initial()
  for (const command of commands) state = fold(factorsOf, decided(state, command), state)
  return state
}

function decided(state: Factors, command: object): readonly FactorEvent[] {
  const base = { account_id, at: at(0), by: account_id, challenge: `ticket ${tickets++}` }
  return factorsOf.decide({ ...base, ...command } as FactorCommand, state)
}

function refusal(state: Factors, command: object): string | undefined {
  try {
    decided(state, command)
    return undefined
  } catch (error) {
    if (isEngineError(error)) return error.code
    throw error
  }
}

let tickets = 0
const app = { type: 'AddAuthenticator', step: 10, personal: { name: 'Phone', secret: 's' } }
const key = { type: 'AddPasskey', name: 'Laptop', passkey }
const code = (step: number | undefined, more = {}) => ({ type: 'TakeCode', factor_id: 1, step, ...more })
const answer = (counter: number, challenge: string) => ({ type: 'TakePasskey', factor_id: 1, counter, challenge })

t.test('given an authenticator app, then a code counts once, and none before the last one that did', async (t) => {
  const state = after(app, code(12))
  t.match(decided(state, code(13)), [{ type: 'FactorUsed', data: { step: 13 } }])
  for (const step of [12, 11, undefined]) t.match(decided(state, code(step)), [{ type: 'CodeRefused' }])
  t.match(decided(after(app), code(10)), [{ type: 'CodeRefused' }], 'the code that confirmed it')
})

t.test(
  'given wrong codes in a row, then the wait after each doubles up to an hour, and a right one ends it',
  async (t) => {
    const wrong = (count: number) => after(app, ...Array.from({ length: count }, () => code(undefined)))
    const waitAfter = (count: number) => {
      const events = Array.from(
        { length: count },
        () => ({ type: 'CodeRefused', data: { at: at(0), account_id } }) as const,
      )
      return Math.max(0, waitsUntil(fold(factorsOf, events)) - Date.parse(at(0))) / 1000
    }
    t.same([4, 5, 6, 7, 11, 12, 40].map(waitAfter), [0, 30, 60, 120, 1920, 3600, 3600])
    t.equal(refusal(wrong(5), code(20, { at: at(29) })), 'too_many_attempts', 'even a right one')
    t.equal(refusal(wrong(5), code(20, { at: at(30) })), undefined)
    t.equal(waitsUntil(after(app, ...Array.from({ length: 4 }, () => code(undefined)), code(20), code(undefined))), 0)
  },
)

t.test('given a passkey, then a challenge is answered once, and a counter only goes up', async (t) => {
  const used = after(key, answer(4, 'one'))
  t.equal(refusal(used, answer(5, 'one')), 'ticket_not_valid')
  t.equal(refusal(used, answer(4, 'two')), 'wrong_code', 'a copy of the device')
  t.equal(refusal(used, answer(0, 'two')), 'wrong_code')
  t.match(decided(used, answer(5, 'two')), [{ type: 'FactorUsed', data: { counter: 5 } }])
  const uncounted = after({ ...key, passkey: { ...passkey, counter: 0 } }, answer(0, 'one'))
  t.equal(refusal(uncounted, answer(0, 'one')), 'ticket_not_valid')
  t.equal(refusal(uncounted, answer(0, 'two')), undefined, 'one that does not count')
})

t.test('given factors, then another app replaces the first, and passkeys are different and at most ten', async (t) => {
  t.same(
    after(app, { ...app, personal: { name: 'New', secret: 't' } }).list.map(({ id, name }) => [id, name]),
    [[2, 'New']],
  )
  t.equal(refusal(after(key), key), 'passkey_exists')
  const keys = Array.from({ length: 10 }, (_, place) => ({ ...key, passkey: { ...passkey, credential: `c${place}` } }))
  t.equal(refusal(after(...keys), key), 'too_many_passkeys')
  t.equal(refusal(after(key), { type: 'RemoveFactor', factor_id: 2 }), 'factor_not_found')
  t.same(after(app, key, { type: 'RemoveFactors' }).list, [])
  t.equal(after(app, key, { type: 'RemoveFactors' }, app).list[0]?.id, 3, 'no number is given again')
})

t.test(
  'given recovery codes, then they are different, hard to guess, and each is good once for its account',
  async (t) => {
    let number = 0
    const token = () => (number++).toString(16).padStart(2, '0').repeat(32)
    const codes = newRecoveryCodes({ credentials: { token } } as never)
    t.equal(new Set(codes).size, 10)
    for (const one of codes) t.match(one, /^([a-z0-9]{4}-){3}[a-z0-9]{4}$/)
    const [first = ''] = codes
    const hashes = codes.map((one) => recoveryHash(account_id, one))
    const state = after(app, { type: 'MakeRecoveryCodes', hashes })
    const take = { type: 'TakeRecoveryCode', hash: recoveryHash(account_id, first.toUpperCase()) }
    t.match(decided(state, take), [{ type: 'RecoveryCodeUsed', data: { code: 0 } }])
    t.equal(refusal(fold(factorsOf, decided(state, take), state), take), 'wrong_code')
    t.equal(refusal(state, { ...take, hash: recoveryHash(8, first) }), 'wrong_code')
  },
)

t.test('given an erased account, then nothing of its factors is left, and none is added', async (t) => {
  const state = after(app, key, { type: 'MakeRecoveryCodes', hashes: ['h'] }, { type: 'EraseFactors' })
  t.match(state, { list: [], codes: new Map(), isErased: true })
  t.equal(refusal(state, app), 'account_erased')
  t.same(decided(state, { type: 'EraseFactors' }), [])
  t.same(decided(factorsOf.initial(), { type: 'EraseFactors' }), [], 'nothing to erase')
})

import t from 'tap'
import * as v from 'valibot'
import type { Caller } from '../kernel/context.ts'
import { people } from '../testing/world.test.fixture.ts'
import { viewOf } from './access.ts'
import { changesBetween } from './audit.ts'
import { everybody, type Field, nobody, type Table } from './field.ts'

const field: Field = {
  ...{ type: v.string(), about: 'A fact.', example: 'a', personal: false, price: 'none', set: {} },
  ...{ setBy: nobody, carried: false, shownTo: everybody, listed: 'no', webhooks: 'all' },
}

const crate: Table = {
  ...{ category: 'crate', noun: 'crate', id: 'id', statuses: { new: 'Made.' }, moves: {}, missing: 'left out' },
  fields: { id: field, label: field, note: field, secret: { ...field, shownTo: ['client_admin'] } },
}

t.test(
  'given two states of an entity, when they are compared, then each member that differs has both values',
  async (t) => {
    const view = { reader: 'customer', timeZone: 'UTC' } as const
    const state = { id: 'c', label: 'a', note: 'n', secret: 's' }
    const changes = (before: object | undefined, after: object | undefined, ...unaudited: readonly string[]) =>
      changesBetween(crate, before as typeof state, after as typeof state, view, unaudited)
    t.same(changes(undefined, { id: 'c', label: 'a' }), { id: { to: 'c' }, label: { to: 'a' } })
    t.same(changes(state, { ...state, label: 'b' }), { label: { from: 'a', to: 'b' } })
    t.same(changes(state, { ...state, note: undefined }), { note: { from: 'n' } }, 'a value that is gone')
    t.same(changes(state, undefined), { id: { from: 'c' }, label: { from: 'a' }, note: { from: 'n' } })
    t.same(changes(state, { ...state, label: 'b', note: 'm' }, 'label'), { note: { from: 'n', to: 'm' } })
    t.same(changes(state, { ...state, secret: 'other' }), {}, 'what the reader does not see has no changes')
  },
)

t.test('given a caller, when it reads, then in the time zone of its business, or in UTC', async (t) => {
  const account: Caller = { kind: 'account', name: '3', scopes: [], account: people.customer }
  t.same(viewOf({ caller: account }), { reader: 'customer', timeZone: 'America/Toronto' })
  t.same(viewOf({ caller: { kind: 'provider', name: 'acme', scopes: [] } }), { reader: 'provider', timeZone: 'UTC' })
})

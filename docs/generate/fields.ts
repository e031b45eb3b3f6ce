import { jsonSchemaOf } from '../../adapters/http/schema.ts'
import { rolesOf } from '../../adapters/rest/callers.ts'
import { everybody, type Field, type Operation, type Party, type Setting, type Table } from '../../engine/index.ts'
import { code, codes, page, plain, table } from './markdown.ts'
import { membersOf } from './members.ts'

/** Every field of every entity that has a table, with all decisions about it. */
export function fieldsPage(entities: readonly Table[], operations: readonly Operation[]): string {
  return page(
    'Fields of entities',
    ['engine/domains/index.ts', 'engine/entity/field.ts'],
    [
      introduction,
      table(
        ['set how', 'meaning'],
        Object.entries(settings).map(([name, meaning]) => [code(name), plain(meaning)]),
      ),
      ...entities.flatMap((entity) => sectionOf(entity, operations)),
    ],
  )
}

const introduction = `Each entity on this page has a table in the source. Its operations, answers, lists and webhook events follow
from that table. [REST](rest/README.md) lists the members of objects. The moves are on the pages of statuses:
[orders](order-statuses.md), [device orders](device-order-statuses.md), [others](statuses.md).

- *Set by*: the moves that set the field, and how.
- *Given by*: who may give the field in a request: whom the table lets give it, and an operation of such a move lets call it.
- *Read by*: who reads the field in answers.
- *In lists*: whether lists show the field or can be filtered by it. The engine alone uses a field that is *looked up*.
- *Personal*: the field is sealed in the store and erased with the person.
- *Copied*: a copy takes the field over, such as the order that a reroute creates.
- *Hidden with*: accounts that may not see these prices do not see the field.`

/** What each way of setting a field means. */
const settings: Readonly<Record<Extract<Setting, string> | 'fixed' | 'derived' | 'change', string>> = {
  required: 'The caller sets the value.',
  optional: 'The caller may set the value.',
  defaulted: 'The caller may set the value; otherwise the engine sets it.',
  kept: 'The caller may set the value; otherwise it does not change.',
  engine: 'The engine sets the value.',
  sometimes: 'The engine sets the value in some cases.',
  repeated: 'The event repeats the value.',
  now: 'The value is the time of the move.',
  cleared: 'The value is removed.',
  fixed: 'The move always sets the same value.',
  derived: 'The value is derived from the event and the state before it.',
  change: 'The caller sends a change, and the value is derived from it.',
}

function sectionOf({ noun, fields, moves, parts = {} }: Table, operations: readonly Operation[]): readonly string[] {
  const callers = (move: string) => callersOf(moves[move], operations)
  return [
    `## ${noun[0]?.toUpperCase()}${noun.slice(1)}`,
    fieldTable(fields, callers),
    ...Object.entries(parts).flatMap(([list, part]) => [
      `### ${code(list)} of a ${noun}`,
      fieldTable(part.fields, callers),
    ]),
  ]
}

/** Who may call the operations of a move; everybody where it has none. */
function callersOf(move: Table['moves'][string] | undefined, operations: readonly Operation[]): readonly Party[] {
  const names = [move?.call?.operation, move?.providerCall?.operation]
  const found = operations.filter(({ name }) => names.includes(name))
  return found.length === 0 ? everybody : found.flatMap((one) => one.by ?? rolesOf(one))
}

type Callers = (move: string) => readonly Party[]

function fieldTable(fields: Table['fields'], callers: Callers): string {
  return table(
    ['field', 'meaning', 'type', 'limits', 'set by', 'given by', 'read by', 'in lists', 'webhook events', 'also'],
    Object.entries(fields).map(([name, field]) => [code(name), ...cellsOf(name, field, callers)]),
  )
}

const lists = { filter: 'shown, filter', 'hidden filter': 'filter', column: 'shown', key: 'looked up', no: '–' }

function cellsOf(name: string, field: Field, callers: Callers): readonly string[] {
  const { about, type, shownTo, listed, webhooks } = field
  // A map is state of the engine alone; JSON has none.
  const shape = type.type === 'map' ? {} : jsonSchemaOf(type)
  const [member] = membersOf({ properties: { [name]: shape } }, () => undefined)
  return [
    plain(about),
    member?.type ?? '',
    member?.limits ?? '',
    settingsOf(name, field),
    partiesOf(giversOf(field, callers)),
    partiesOf(shownTo),
    shownTo.length === 0 && listed === 'column' ? lists.key : lists[listed],
    typeof webhooks === 'string' ? { all: 'all', none: '–' }[webhooks] : codes(webhooks),
    remarksOf(field).join(', ') || '–',
  ]
}

function settingsOf(name: string, { set, of }: Field): string {
  const moves = Object.entries(set).map(([move, setting]) => {
    const which = move === '*' ? 'every move' : code(move)
    return `${which} (${code(wayOf(setting as Setting))})`
  })
  const ways = [...(name === 'status' ? ['the moves'] : []), ...moves]
  if (ways.length > 0) return ways.join(', ')
  return of === undefined ? '–' : 'computed from other fields'
}

function wayOf(setting: Setting): keyof typeof settings {
  if (typeof setting === 'string') return setting
  if ('is' in setting) return 'fixed'
  if ('required' in setting) return 'required'
  return 'input' in setting ? 'change' : 'derived'
}

/** Who may give a field with one move or another. */
function giversOf({ set, setBy }: Field, callers: Callers): readonly Party[] {
  const giving = Object.entries(set).filter(([, setting]) =>
    ['required', 'optional', 'defaulted', 'kept', 'change'].includes(wayOf(setting as Setting)),
  )
  return setBy.filter((party) => giving.some(([move]) => callers(move).includes(party)))
}

function partiesOf(parties: readonly Party[]): string {
  return everybody.every((party) => parties.includes(party)) ? 'all' : codes(parties)
}

function remarksOf({ personal, price, carried, shownAs, webhookAs }: Field): readonly string[] {
  return [
    ...(personal ? ['personal'] : []),
    ...(price === 'none' ? [] : [`hidden with ${code(price)}`]),
    ...(carried ? ['copied'] : []),
    ...(shownAs === undefined ? [] : [`shown as ${code(shownAs)}`]),
    ...(webhookAs === undefined ? [] : [`in webhook events ${code(webhookAs.name)}`]),
  ]
}

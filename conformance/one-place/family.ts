import type { Edit } from './copy.ts'

/** The codes of a toy family of orders: gardens to be looked after. */
const messages: Edit = {
  file: 'engine/domains/garden-jobs/messages.ts',
  text: `import type { Catalogue, CodeOf } from '../../kernel/catalogue.ts'

/** Garden jobs. */
export const gardenJobMessages = {
  not_found: { garden_job_not_found: 'There is no garden job {job}.' },
  conflict: { garden_job_status_forbids: '{move} is not possible while the garden job {job} is {status}.' },
} as const satisfies Catalogue

/** A code of garden jobs. */
export type GardenJobCode = CodeOf<typeof gardenJobMessages>

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<GardenJobCode, 'garden-jobs'> {}
}
`,
}

/** Its table and its literal: five statuses, a price, personal data, operations, webhook events, a list. */
const literal: Edit = {
  file: 'engine/domains/garden-jobs/index.ts',
  text: `import * as v from 'valibot'
import { businessCallerOf } from '../../entity/access.ts'
import type { Domain } from '../../entity/domain.ts'
import { eventShapesOf } from '../../entity/event-shapes.ts'
import { type Entity, everybody, type Fields, type Moves, nobody } from '../../entity/field.ts'
import { readModelOf } from '../../entity/list.ts'
import { deciderOf } from '../../entity/machine.ts'
import { type Machine, operationsOf } from '../../entity/operations.ts'
import { type Sending, webhookEventSourceOf, webhookEventTypesOf } from '../../entity/webhook-events.ts'
import { staff } from '../../kernel/account.ts'
import { day, id, text } from '../../kernel/schemas.ts'
import { gardenJobMessages } from './messages.ts'

export type { GardenJobCode } from './messages.ts'

const statuses = {
  booked: 'A customer wants it.',
  confirmed: 'A gardener will come.',
  under_way: 'The gardener is there.',
  done: 'The garden is looked after.',
  called_off: 'Nobody comes.',
} as const

const call = (operation: string, verb: string, summary: string) => ({ operation, verb, summary, by: staff })
const webhook = (event: string, summary: string) => ({ event: \`garden_job.\${event}\`, summary })

const moves = {
  book: {
    from: 'nothing',
    to: 'booked',
    event: 'GardenJobBooked',
    call: { operation: 'book_garden_job', summary: 'Book a gardener for a garden.', by: staff },
    webhook: webhook('booked', 'A garden job was booked.'),
  },
  confirm: {
    from: ['booked'],
    to: 'confirmed',
    event: 'GardenJobConfirmed',
    call: call('confirm_garden_job', 'confirm', 'Confirm a garden job.'),
  },
  begin: {
    from: ['confirmed'],
    to: 'under_way',
    event: 'GardenJobBegun',
    call: call('begin_garden_job', 'begin', 'Record that the gardener is there.'),
  },
  finish: {
    from: ['under_way'],
    to: 'done',
    event: 'GardenJobDone',
    call: call('finish_garden_job', 'finish', 'Record that the garden is looked after.'),
    webhook: webhook('done', 'The garden is looked after.'),
  },
  call_off: {
    from: ['booked', 'confirmed'],
    to: 'called_off',
    event: 'GardenJobCalledOff',
    call: call('call_off_garden_job', 'call-off', 'Call a garden job off.'),
  },
} as const satisfies Moves<keyof typeof statuses>

const fact = {
  personal: false,
  price: 'none',
  carried: false,
  listed: 'column',
  webhooks: 'all',
  setBy: staff,
  shownTo: everybody,
} as const
const hidden = { ...fact, listed: 'key', shownTo: nobody, webhooks: 'none' } as const

const fields = {
  job_id: { ...fact, about: 'Id of the job.', type: id, example: 5, set: { book: 'engine' } },
  business_id: { ...hidden, about: 'Id of the business.', type: id, example: 1, set: { book: 'engine' } },
  status: { ...fact, about: 'Status.', type: v.picklist(Object.keys(statuses)), example: 'booked', set: {}, listed: 'filter' },
  garden: { ...fact, about: 'Where it is.', type: text(100), example: '1 Rose Lane', set: { book: 'required' }, personal: true, listed: 'no' },
  due_on: { ...fact, about: 'The day.', type: day, example: '2026-06-12', set: { book: 'optional' } },
  fee: { ...fact, about: 'What it costs.', type: text(20), example: '40.00', set: { book: 'optional' }, price: 'local_delivery', listed: 'no' },
} as const satisfies Fields<keyof typeof moves>

const gardenJob = {
  category: 'garden_job',
  noun: 'garden job',
  id: 'job_id',
  statuses,
  moves,
  fields,
  missing: 'left out',
  access: {
    belongs: (context, { business_id }) => businessCallerOf(context).businessId === business_id,
    cells: (context) => ({ business_id: businessCallerOf(context).businessId }),
  },
  refusals: { missing: 'garden_job_not_found', forbidden: 'garden_job_status_forbids', param: 'job' },
  indexes: [['business_id', 'status']],
  listVersion: 1,
  api: {
    tag: 'Garden',
    path: '/api/v1/garden-jobs',
    one: 'job',
    many: 'jobs',
    read: { scope: 'orders:read', by: staff },
    write: { scope: 'orders:write' },
    list: { operation: 'list_garden_jobs', summary: 'Garden jobs, newest first.' },
    get: { operation: 'get_garden_job', summary: 'One garden job.' },
  },
} as const satisfies Entity

const machine: Machine<typeof gardenJob> = {
  entity: gardenJob,
  decider: deciderOf(gardenJob),
  prepare: { book: async (context) => ({ business_id: businessCallerOf(context).businessId }) },
}

const sending: Sending = {
  channel: 'order_lifecycle',
  field: 'order_lifecycle_webhook_url',
  prefix: 'GJ',
  idMember: 'event_id',
  audience: ({ business_id }) => ({ kind: 'tenant', businessId: Number(business_id) }),
}

const model = readModelOf(gardenJob)

/** Gardens that a business looks after. */
export const gardenJobsDomain: Domain = {
  ...{ name: 'garden-jobs', messages: [gardenJobMessages], events: { garden_job: eventShapesOf(gardenJob) } },
  ...{ tables: [gardenJob], operations: operationsOf(machine, model), readModels: [model] },
  webhookEventTypes: webhookEventTypesOf(gardenJob, sending),
  webhookEventSources: [webhookEventSourceOf(machine, sending)],
}
`,
}

const list = 'engine/domains/index.ts'
const german = 'adapters/locales/de.json'

/** Its words in a second language, in the file of that language. */
const words: readonly Edit[] = [
  {
    file: german,
    before: '    "carrier_package": {\n',
    text: `    "garden_job": {
      "booked": "Gebucht",
      "confirmed": "Bestätigt",
      "under_way": "Begonnen",
      "done": "Gepflegt",
      "called_off": "Abgesagt"
    },
`,
  },
  {
    file: german,
    before: '    "carrier_packages": ',
    text: `    "garden job": "Gartenauftrag",
    "jobs": "Gartenaufträge",
`,
  },
]

/** A family of orders: one folder, its line in the list of domains with the import that it needs, and its words in German. */
export const family: readonly Edit[] = [
  messages,
  literal,
  { file: list, before: '  newsDomain,\n', text: '  gardenJobsDomain,\n' },
  ...words,
  { file: list, before: 'import ', text: "import { gardenJobsDomain } from './garden-jobs/index.ts'\n" },
]

import * as v from 'valibot'
import { isOwnCustomer } from '../../entity/access.ts'
import { staff } from '../../kernel/account.ts'
import { accountOf } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { EngineError, isEngineError } from '../../kernel/errors.ts'
import type { Finding } from '../../kernel/finding.ts'
import { named } from '../../kernel/named.ts'
import { operation } from '../../kernel/operation.ts'
import { parse } from '../../kernel/parse.ts'
import { zonedIso } from '../../kernel/zone.ts'
import { importedRules, markUpColumns, markUpRow, rowOf } from './csv.ts'
import { type MarkUp, markUp, rulesSchema } from './mark-up.ts'
import { publish, publishedMarkUps } from './published.ts'

const tag = 'LabelService'
const path = '/api/v1/mark-ups'
const reading = { scopes: ['labels:read'], roles: staff, risk: 'low', tag } as const
const writing = { scopes: ['labels:write'], roles: ['client_admin'], risk: 'medium', tag } as const
const bodyLimit = 512 * 1024

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

const answer = named(
  'MarkUpsAnswer',
  v.strictObject({
    result: v.literal(true),
    version: v.pipe(v.number(), v.description('1 for the first mark-ups of the business; 0 while it has none.')),
    published_at: v.exactOptional(v.pipe(v.string(), v.description('ISO 8601, in the time zone of the business.'))),
    currency: v.pipe(v.string(), v.description('The currency of the amounts (ISO 4217).')),
    rules: v.pipe(
      v.array(markUp),
      v.description('The first rule that fits a rate holds for it; a rate that none fits is not offered to customers.'),
    ),
  }),
)

const changedVersion = v.exactOptional(
  v.pipe(count, v.description('The version that was changed. If another one holds by now, nothing is published.')),
)

/** Returns the mark-ups of the business, or an earlier version. */
export const getMarkUps = operation({
  ...reading,
  name: 'get_mark_ups',
  summary: 'What the business adds to the rates of carriers for its customers, or an earlier version of it.',
  rest: { method: 'GET', path },
  input: v.strictObject({
    version: v.exactOptional(
      v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.description('The current one where absent.')),
    ),
  }),
  output: answer,
  errors: ['no_mark_ups'],
  handle: async (context, { version }) => answerOf(context, version),
})

/** Publishes the mark-ups of the business. */
export const publishMarkUps = operation({
  ...writing,
  name: 'publish_mark_ups',
  summary:
    'Publish what the business adds to the rates of carriers for its customers. It holds for quotes from then on; rates that were quoted stay as they were.',
  rest: { method: 'PUT', path, bodyLimit },
  ids: { 'rules.*.carrier_account_id': 'rule', 'rules.*.customers.*': 'rule' },
  input: v.strictObject({ rules: rulesSchema, version: changedVersion }),
  output: answer,
  errors: [
    ...(['mark_ups_changed', 'contention', 'carrier_account_not_found', 'customer_not_found', 'not_sold'] as const),
    ...(['nothing_to_round_to', 'ending_too_large', 'rule_never_reached', 'too_precise'] as const),
  ],
  handle: async (context, { rules, version }) => {
    await publishChecked(context, rules, version)
    return answerOf(context)
  },
})

/** Publishes mark-ups from CSV. */
export const importMarkUps = operation({
  ...writing,
  name: 'import_mark_ups',
  summary: 'Publish mark-ups from CSV, as publish_mark_ups does: a rule for each line, with the columns of the export.',
  rest: { method: 'POST', path: `${path}/import`, document: 'csv', types: ['text/csv'], bodyLimit },
  input: v.strictObject({
    csv: v.pipe(v.string(), v.description('RFC 4180 in UTF-8. The first line names the columns; lists have spaces.')),
  }),
  output: answer,
  errors: publishMarkUps.errors,
  handle: async (context, { csv }) => {
    const imported = importedRules(csv)
    const given = parse(
      rulesSchema,
      imported.map(({ rule }) => rule),
    )
    const inCsv = atLines(imported.map(({ line }) => line))
    if (given.findings !== undefined) throw inCsv(given.findings)
    try {
      await publishChecked(context, given.value)
    } catch (error) {
      if (!isEngineError(error, 'invalid_input')) throw error
      throw inCsv(error.findings)
    }
    return answerOf(context)
  },
})

/** Returns the mark-ups as CSV. */
export const exportMarkUps = operation({
  ...reading,
  name: 'export_mark_ups',
  summary: 'The mark-ups of the business as CSV: a line for each rule, with the columns that import_mark_ups reads.',
  rest: {
    ...{ method: 'GET', path: `${path}/export` },
    csv: { columns: markUpColumns, rows: 'rules', asks: 'after', tells: 'next_after', file: 'mark-ups' },
  },
  input: v.strictObject({}),
  output: v.strictObject({ result: v.literal(true), rules: v.array(markUpRow) }),
  errors: [],
  handle: async (context) => {
    const published = await publishedMarkUps(context)
    return { result: true, rules: (published?.rules ?? []).map(rowOf) }
  },
})

async function publishChecked(context: Context, given: readonly MarkUp[], changed?: number): Promise<void> {
  // What is sold is so without saying so.
  const rules = given.map(({ is_sold, ...rule }) => (is_sold === false ? { ...rule, is_sold } : rule))
  const customers = [...new Set(rules.flatMap((rule) => rule.customers ?? []))]
  const own = await Promise.all(customers.map((one) => isOwnCustomer(context, one)))
  const nameable = {
    accounts: new Set(await context.ports.markUps.carrierAccounts(context)),
    customers: new Set(customers.filter((_, place) => own[place])),
  }
  await publish(context, rules, { changed, nameable })
}

async function answerOf(context: Context, asked?: number) {
  const published = await publishedMarkUps(context, asked)
  if (published === undefined) throw new EngineError('no_mark_ups')
  const { version, at, currency, rules } = published
  const { timeZone } = accountOf(context).business
  const published_at = version === 0 ? {} : { published_at: zonedIso(Date.parse(at), timeZone) }
  return { result: true, version, ...published_at, currency, rules: [...rules] }
}

/** What is wrong with rules, at the lines of the CSV that they came from: `rules[0].percent` is `csv[2].percent`. */
function atLines(lines: readonly number[]): (findings: readonly Finding[]) => EngineError {
  return (findings) => {
    const told = findings.map(({ path: at, ...finding }) => ({
      ...finding,
      path: at.replace(/^(?:rules)?\[(\d+)\]/, (_, place) => `csv[${lines[Number(place)] ?? ''}]`) || 'csv',
    }))
    return new EngineError('invalid_input', { count: told.length }, told)
  }
}

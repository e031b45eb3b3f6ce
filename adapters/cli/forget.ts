import { createInterface } from 'node:readline/promises'
import {
  accountStream,
  type Context,
  call,
  forgetAccount,
  forgetLabel,
  forgetOrder,
  forgetPickup,
  isEngineError,
  isInPlainText,
  otepForget,
  type Storage,
  type StreamName,
} from '../../engine/index.ts'
import { numberOf } from './account.ts'
import { type Invocation, type Run, usageError } from './command.ts'
import { withContext } from './session.ts'

/** The answer of the operation. */
interface ErasureAnswer {
  readonly timeline: string
  readonly subject: Readonly<Record<string, string | number>>
  readonly events: number
  readonly personal_events: number
  readonly state: 'not_forgotten' | 'forgotten' | 'already_forgotten'
}

/** `otep forget`: erases the personal data of a timeline, an order, a label, a pickup or an account. */
export const run: Run = async (invocation) => {
  const [number, second] = invocation.positionals
  const { order, account, label, pickup } = invocation.values
  if ([number, order, account, label, pickup].filter((one) => one !== undefined).length !== 1 || second !== undefined)
    throw usageError(
      'Name one tracking number, one order by --order ID, one label by --label ID, one pickup by --pickup ID, or one account by --account ID|EMAIL.',
    )
  if (number !== undefined)
    return withContext(invocation, (context, storage) => forget(invocation, number, context, storage))
  if (account !== undefined)
    return withContext(invocation, (context, storage) => forgetPerson(invocation, String(account), context, storage))
  if (label !== undefined)
    return withContext(invocation, (context, storage) => {
      const erase: Erase = (more) => call(forgetLabel, context, { order_id: numberOf(label), ...more })
      return forgetContacts(invocation, `label order ${label}`, `label-${numberOf(label)}`, erase, storage)
    })
  if (pickup !== undefined)
    return withContext(invocation, (context, storage) => {
      const erase: Erase = (more) => call(forgetPickup, context, { pickup_id: numberOf(pickup), ...more })
      return forgetContacts(invocation, `pickup ${pickup}`, `pickup-${numberOf(pickup)}`, erase, storage)
    })
  if (!isId(order)) throw usageError('The order id must be a number.')
  return withContext(invocation, (context) => forgetOrders(invocation, Number(order), context))
}

function isId(text: unknown): boolean {
  return /^[1-9]\d{0,14}$/.test(String(text))
}

/** Erases the person of an account. */
async function forgetPerson(
  invocation: Invocation,
  named: string,
  context: Context,
  storage: Storage,
): Promise<number> {
  const { values, stdout } = invocation
  const asked = isId(named) ? { account_id: Number(named) } : { email: named }
  const found = await call(forgetAccount, context, { ...asked, dry_run: true })
  const { account_id, role, business_id, proposals } = found
  const described = `account ${account_id} (${role} of business ${business_id}), and ${proposals} proposals`
  if (found.state === 'not_forgotten' && !(await isConfirmed(invocation, `${described}\n`))) return 1
  const done = await call(forgetAccount, context, { account_id })
  // An earlier erasure may have left the key in the log of the store.
  if (done.state === 'already_forgotten') await storage.keys.remove(accountStream(Number(account_id)))
  if (values.json === true) stdout.write(`${JSON.stringify(done)}\n`)
  else stdout.write(`${described}: ${done.state === 'forgotten' ? 'forgotten' : 'already forgotten'}.\n`)
  return 0
}

/** Erases the people of a label or of a pickup, or only says whether there is something to erase. */
type Erase = (more: { readonly dry_run?: true }) => Promise<Readonly<Record<string, unknown>>>

async function forgetContacts(
  invocation: Invocation,
  described: string,
  stream: StreamName,
  erase: Erase,
  storage: Storage,
): Promise<number> {
  const { values, stdout } = invocation
  const found = await erase({ dry_run: true })
  if (found.state === 'not_forgotten' && !(await isConfirmed(invocation, `${described}\n`))) return 1
  const done = await erase({})
  // An earlier erasure may have left the key in the log of the store.
  if (done.state === 'already_forgotten') await storage.keys.remove(stream)
  if (values.json === true) stdout.write(`${JSON.stringify(done)}\n`)
  else stdout.write(`${described}: ${done.state === 'forgotten' ? 'forgotten' : 'already forgotten'}.\n`)
  return 0
}

/** Erases an order and related orders, and then their timelines, which a running server would erase by itself. */
async function forgetOrders(invocation: Invocation, order_id: number, context: Context): Promise<number> {
  const { values, stdout } = invocation
  const found = await call(forgetOrder, context, { order_id, dry_run: true })
  const orders = found.orders as readonly { readonly order_id: number; readonly tracking_number: string }[]
  const named = orders.map((one) => `order ${one.order_id} (${one.tracking_number})`).join(', ')
  if (found.state === 'not_forgotten' && !(await isConfirmed(invocation, `${named}\n`))) return 1
  const done = await call(forgetOrder, context, { order_id })
  for (const { tracking_number } of orders)
    await erase(context, { tracking_number }).catch((error: unknown) => {
      if (!isEngineError(error, 'timeline_not_found')) throw error
    })
  if (values.json === true) stdout.write(`${JSON.stringify(done)}\n`)
  else stdout.write(`${named}: ${done.state === 'forgotten' ? 'forgotten' : 'already forgotten'}.\n`)
  return 0
}

/** Asks for confirmation at the terminal, unless `--yes` is given. */
async function isConfirmed(invocation: Invocation, description: string): Promise<boolean> {
  if (invocation.values.yes === true) return true
  if (!isAtTerminal(invocation))
    throw usageError('There is no terminal for a confirmation. Use --yes to erase without asking.')
  invocation.stderr.write(description)
  return isAgreed(invocation)
}

async function forget(invocation: Invocation, number: string, context: Context, storage: Storage): Promise<number> {
  const { values, stdout, stderr } = invocation
  const found = await erase(context, { tracking_number: number, dry_run: true })
  if (found.state === 'not_forgotten' && !(await isConfirmed(invocation, described(found)))) return 1
  // By its stream name: the number may lead to another parcel by now.
  const done = await erase(context, { tracking_number: found.timeline })
  const stream: StreamName = `tracking-${found.timeline}`
  // An earlier erasure may have left the key in the log of the store.
  if (done.state === 'already_forgotten') await storage.keys.remove(stream)
  const plain = (await storage.read(stream)).filter(isInPlainText).length
  if (values.json === true) stdout.write(`${JSON.stringify({ ...done, events_in_plain_text: plain })}\n`)
  else stdout.write(summaryOf(done))
  if (plain > 0) stderr.write(warningOf(plain))
  return 0
}

async function erase(context: Context, input: object): Promise<ErasureAnswer> {
  return (await call(otepForget, context, input)) as unknown as ErasureAnswer
}

function described({ timeline, subject, events, personal_events }: ErasureAnswer): string {
  const identifiers = Object.entries(subject).map(([kind, value]) => `${kind} ${value}`)
  return `${timeline} (${identifiers.join(', ')}): ${events} events, ${personal_events} of them with personal data.\n`
}

function summaryOf({ timeline, personal_events, state }: ErasureAnswer): string {
  if (state === 'already_forgotten') return `${timeline} is already forgotten.\n`
  return `${timeline} is forgotten: the personal data of ${personal_events} events is erased.\n`
}

function warningOf(plain: number): string {
  return [
    `${plain} events were recorded before personal data was sealed. No answer shows theirs any more, but it still can be`,
    'read in the file of the store. Move the history to a new store to be rid of it: otep export | otep import.',
    '',
  ].join('\n')
}

function isAtTerminal({ stdin, stderr }: Invocation): boolean {
  return (stdin as NodeJS.ReadStream).isTTY === true && stderr.isTTY === true
}

async function isAgreed({ stdin, stderr }: Invocation): Promise<boolean> {
  stderr.write('This cannot be undone. Erase it? [y/N] ')
  const lines = createInterface({ input: stdin })
  try {
    for await (const line of lines) return /^y(es)?$/i.test(line.trim())
    return false
  } finally {
    lines.close()
  }
}

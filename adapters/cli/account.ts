import { randomBytes } from 'node:crypto'
import {
  call,
  clearFactors,
  linkIdentity,
  listAllAccounts,
  registerAccount,
  registerServiceAccount,
  resetPassword,
  switchAccount,
} from '../../engine/index.ts'
import { issuerFrom } from '../node/issuer.ts'
import { type Invocation, type Run, settingsOf, usageError } from './command.ts'
import { textOf } from './input.ts'
import { withContext } from './session.ts'

/** `otep account`: manages accounts. */
export const run: Run = async (invocation) => {
  const [verb, given, ...more] = invocation.positionals
  if (more.length > 0) throw usageError('Too many arguments.')
  if (verb === 'list' && given === undefined) return list(invocation)
  if (verb === 'add' && given !== undefined) return add(invocation, given)
  if (verb === 'add-service' && given !== undefined) return addService(invocation, given)
  if (given !== undefined && (verb === 'disable' || verb === 'enable')) return turn(invocation, verb, given)
  if (given !== undefined && verb === 'password') return renew(invocation, given)
  if (given !== undefined && verb === 'link') return link(invocation, given)
  if (given !== undefined && verb === 'remove-factors') return removeFactors(invocation, given)
  throw usageError(
    'Use one of: add EMAIL, add-service NAME, list, disable ID, enable ID, password ID, link ID, remove-factors ID.',
  )
}

function add(invocation: Invocation, email: string): Promise<number> {
  const { role, name = email.split('@')[0] } = invocation.values
  const run: Parameters<typeof withContext<number>>[1] = async (context) => {
    const { password, isMade } = await passwordFor(invocation)
    const asked = { email, role, name, password, business: businessOf(invocation) }
    const { account_id, business_id } = await call(registerAccount, context, asked)
    const told = { account_id, business_id, ...(isMade ? { password } : {}) }
    if (invocation.values.json === true) invocation.stdout.write(`${JSON.stringify(told)}\n`)
    else {
      invocation.stderr.write(`Account ${account_id} of business ${business_id}.\n`)
      printPassword(invocation, password, isMade)
    }
    return 0
  }
  return withContext(invocation, run, { isMade: invocation.values['new-business'] !== undefined })
}

function addService(invocation: Invocation, name: string): Promise<number> {
  const { role, business } = invocation.values
  if (role === undefined || business === undefined) throw usageError('Use --business ID and --role ROLE: for whom?')
  return withContext(invocation, async (context) => {
    const answer = await call(registerServiceAccount, context, { business_id: numberOf(business), role, name })
    const sentence = `Service account ${answer.account_id} of business ${business}. Make its keys with otep key add.`
    printAnswer(invocation, answer, sentence)
    return 0
  })
}

function businessOf({ values }: Invocation) {
  const { business, 'new-business': name, 'time-zone': time_zone, currency } = values
  if ((business === undefined) === (name === undefined))
    throw usageError('Use either --business ID, or --new-business NAME with --time-zone ZONE and --currency CODE.')
  return name === undefined ? numberOf(business) : { name, time_zone, currency }
}

function turn(invocation: Invocation, verb: 'disable' | 'enable', id: string): Promise<number> {
  return withContext(invocation, async (context) => {
    const asked = { account_id: numberOf(id), is_active: verb === 'enable' }
    printAnswer(invocation, await call(switchAccount, context, asked), `Account ${id} is ${verb}d.`)
    return 0
  })
}

function link(invocation: Invocation, id: string): Promise<number> {
  const { issuer = issuerFrom(settingsOf(invocation))?.issuer, subject } = invocation.values
  if (subject === undefined || issuer === undefined)
    throw usageError('Use --subject SUB, and --issuer URL unless OTEP_OAUTH_ISSUER is set.')
  return withContext(invocation, async (context) => {
    const answer = await call(linkIdentity, context, { account_id: numberOf(id), issuer, subject })
    printAnswer(invocation, answer, `Account ${id} is linked with ${subject} of ${issuer}.`)
    return 0
  })
}

function renew(invocation: Invocation, id: string): Promise<number> {
  return withContext(invocation, async (context) => {
    const { password, isMade } = await passwordFor(invocation)
    const { account_id } = await call(resetPassword, context, { account_id: numberOf(id), password })
    if (invocation.values.json === true)
      invocation.stdout.write(`${JSON.stringify({ account_id, ...(isMade ? { password } : {}) })}\n`)
    else printPassword(invocation, password, isMade)
    return 0
  })
}

function removeFactors(invocation: Invocation, id: string): Promise<number> {
  return withContext(invocation, async (context) => {
    const answer = await call(clearFactors, context, { account_id: numberOf(id) })
    printAnswer(invocation, answer, `Second factors removed from account ${id}: ${answer.removed}.`)
    return 0
  })
}

function list(invocation: Invocation): Promise<number> {
  return withContext(invocation, async (context) => {
    const { business } = invocation.values
    const asked = business === undefined ? {} : { business_id: numberOf(business) }
    const { accounts } = (await call(listAllAccounts, context, asked)) as {
      accounts: readonly Record<string, unknown>[]
    }
    if (invocation.values.json === true) invocation.stdout.write(`${JSON.stringify(accounts)}\n`)
    for (const { id, business_id, role, email, is_active, is_service, name } of invocation.values.json === true
      ? []
      : accounts) {
      const state = is_active === true ? 'active' : 'disabled'
      const who = (is_service === true ? name && `service: ${name}` : email) ?? '(erased)'
      invocation.stdout.write(
        `${String(id).padStart(6)}  business ${business_id}  ${String(role).padEnd(16)} ${state.padEnd(8)} ${who}\n`,
      )
    }
    return 0
  })
}

/** The password on the first line of the standard input, or a new one. */
async function passwordFor({ values, stdin }: Invocation) {
  if (values['password-stdin'] !== true) return { password: randomBytes(15).toString('base64url'), isMade: true }
  const text = await textOf({ bytes: undefined, stream: stdin })
  return { password: text.split(/\r?\n/)[0] ?? '', isMade: false }
}

function printPassword({ stdout, stderr }: Invocation, password: string, isMade: boolean): void {
  if (!isMade) return
  stderr.write('Its password. It is shown only once; keep it safe:\n')
  stdout.write(`${password}\n`)
}

/** Prints the answer as JSON or as a sentence. */
export function printAnswer({ values, stdout }: Invocation, answer: object, sentence: string): void {
  stdout.write(`${values.json === true ? JSON.stringify(answer) : sentence}\n`)
}

/** Parses an id; throws a usage error for other text. */
export function numberOf(text: string | boolean | undefined): number {
  const number = Number(text)
  if (!/^\d+$/.test(String(text)) || !Number.isSafeInteger(number)) throw usageError(`${text} is no id.`)
  return number
}

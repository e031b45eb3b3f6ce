import { randomBytes } from 'node:crypto'
import {
  type Answer,
  call,
  clearFactors,
  linkIdentity,
  listAllAccounts,
  registerAccount,
  registerServiceAccount,
  replaceEmail,
  resetPassword,
  switchAccount,
} from '../../engine/index.ts'
import { issuerFrom } from '../node/issuer.ts'
import { type Invocation, type Run, settingsOf, usageError } from './command.ts'
import { either, refuseOptions, type Ways } from './either.ts'
import { textOf } from './input.ts'

/** `otep account`: manages accounts. */
export const run: Run = async (invocation) => {
  const [verb, given, address, ...more] = invocation.positionals
  if (more.length > 0 || (address !== undefined && verb !== 'email')) throw usageError('Too many arguments.')
  if (verb === 'list' && given === undefined) return list(invocation)
  if (verb === 'add' && given !== undefined) return add(invocation, given)
  if (verb === 'add-service' && given !== undefined) return addService(invocation, given)
  if (given !== undefined && (verb === 'disable' || verb === 'enable')) return turn(invocation, verb, given)
  if (given !== undefined && verb === 'password') return renew(invocation, given)
  if (given !== undefined && address !== undefined) return readdress(invocation, given, address)
  if (given !== undefined && verb === 'link') return link(invocation, given)
  if (given !== undefined && verb === 'remove-factors') return removeFactors(invocation, given)
  throw usageError(
    'Use one of: add EMAIL, add-service NAME, list, disable ID, enable ID, password ID, email ID ADDRESS, link ID, remove-factors ID.',
  )
}

async function add(invocation: Invocation, email: string): Promise<number> {
  const { role, name = email.split('@')[0] } = invocation.values
  const person = async () => ({ email, role, name, ...(await passwordFor(invocation)) })
  const ways: Ways<Opened> = {
    check: () => businessOf(invocation),
    store: async (context) => {
      const { isMade, ...asked } = await person()
      const answer = await call(registerAccount, context, { ...asked, business: businessOf(invocation) })
      return { answer, password: asked.password, isMade }
    },
    server: async (server) => {
      refuseOptions(invocation, 'business', 'new-business', 'time-zone', 'currency')
      const { isMade, ...asked } = await person()
      return { answer: await server.call('add_account', asked), password: asked.password, isMade }
    },
  }
  const isNew = invocation.values['new-business'] !== undefined
  const { answer, password, isMade } = await either(invocation, ways, { isMade: isNew })
  const { account_id, business_id } = answer
  const told = { account_id, business_id, ...(isMade ? { password } : {}) }
  if (invocation.values.json === true) invocation.stdout.write(`${JSON.stringify(told)}\n`)
  else {
    invocation.stderr.write(`Account ${account_id}${business_id === undefined ? '' : ` of business ${business_id}`}.\n`)
    printPassword(invocation, password, isMade)
  }
  return 0
}

interface Opened {
  readonly answer: Answer
  readonly password: string
  readonly isMade: boolean
}

async function addService(invocation: Invocation, name: string): Promise<number> {
  const { role, business } = invocation.values
  if (role === undefined) throw usageError('Use --role ROLE: as what?')
  const answer = await either<Answer>(invocation, {
    check: () => {
      if (business === undefined) throw usageError('Use --business ID: for whom?')
    },
    store: (context) => call(registerServiceAccount, context, { business_id: numberOf(business ?? ''), role, name }),
    server: (server) => {
      refuseOptions(invocation, 'business')
      return server.call('create_service_account', { role, name })
    },
  })
  const whose = business === undefined ? '' : ` of business ${business}`
  printAnswer(invocation, answer, `Service account ${answer.account_id}${whose}. Make its keys with otep key add.`)
  return 0
}

function businessOf({ values }: Invocation) {
  const { business, 'new-business': name, 'time-zone': time_zone, currency } = values
  if ((business === undefined) === (name === undefined))
    throw usageError('Use either --business ID, or --new-business NAME with --time-zone ZONE and --currency CODE.')
  return name === undefined ? numberOf(business) : { name, time_zone, currency }
}

async function turn(invocation: Invocation, verb: 'disable' | 'enable', id: string): Promise<number> {
  const asked = { account_id: numberOf(id), is_active: verb === 'enable' }
  const answer = await either(invocation, {
    store: (context) => call(switchAccount, context, asked),
    server: (server) => server.call('set_account_status', asked),
  })
  printAnswer(invocation, answer, `Account ${id} is ${verb}d.`)
  return 0
}

async function link(invocation: Invocation, id: string): Promise<number> {
  const { issuer = issuerFrom(settingsOf(invocation))?.issuer, subject } = invocation.values
  if (subject === undefined || issuer === undefined)
    throw usageError('Use --subject SUB, and --issuer URL unless OTEP_OAUTH_ISSUER is set.')
  const asked = { account_id: numberOf(id), issuer, subject }
  const answer = await either(invocation, { store: (context) => call(linkIdentity, context, asked) })
  printAnswer(invocation, answer, `Account ${id} is linked with ${subject} of ${issuer}.`)
  return 0
}

async function readdress(invocation: Invocation, id: string, address: string): Promise<number> {
  const asked = { account_id: numberOf(id), email: address }
  const answer = await either(invocation, { store: (context) => call(replaceEmail, context, asked) })
  printAnswer(invocation, answer, `Account ${id} signs in with ${address}.`)
  return 0
}

async function renew(invocation: Invocation, id: string): Promise<number> {
  const account_id = numberOf(id)
  const { password, isMade } = await either(invocation, {
    store: async (context) => {
      const given = await passwordFor(invocation)
      await call(resetPassword, context, { account_id, password: given.password })
      return given
    },
  })
  if (invocation.values.json === true)
    invocation.stdout.write(`${JSON.stringify({ account_id, ...(isMade ? { password } : {}) })}\n`)
  else printPassword(invocation, password, isMade)
  return 0
}

async function removeFactors(invocation: Invocation, id: string): Promise<number> {
  const asked = { account_id: numberOf(id) }
  const answer = await either(invocation, {
    store: (context) => call(clearFactors, context, asked),
    server: (server) => server.call('remove_second_factors', asked),
  })
  printAnswer(invocation, answer, `Second factors removed from account ${id}: ${answer.removed}.`)
  return 0
}

type Listed = Readonly<Record<string, unknown>>

async function list(invocation: Invocation): Promise<number> {
  const { values, stdout } = invocation
  const accounts = await either<readonly Listed[]>(invocation, {
    store: async (context) => {
      const asked = values.business === undefined ? {} : { business_id: numberOf(values.business) }
      return (await call(listAllAccounts, context, asked)).accounts as readonly Listed[]
    },
    server: (server) => {
      refuseOptions(invocation, 'business')
      return server.all('list_accounts', 'accounts')
    },
  })
  if (values.json === true) stdout.write(`${JSON.stringify(accounts)}\n`)
  else for (const account of accounts) stdout.write(lineOf(account))
  return 0
}

function lineOf({ id, business_id, role, email, is_active, is_service, name }: Listed): string {
  const business = business_id === undefined ? '' : `business ${business_id}  `
  const state = is_active === true ? 'active' : 'disabled'
  const who = (is_service === true ? name && `service: ${name}` : email) ?? '(erased)'
  return `${String(id).padStart(6)}  ${business}${String(role).padEnd(16)} ${state.padEnd(8)} ${who}\n`
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

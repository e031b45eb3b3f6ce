import { existsSync } from 'node:fs'
import { isEngineError, type Storage } from '../../engine/index.ts'
import { hasStore, openStore } from '../engine.ts'
import { type Check, type Checked, runChecks, trouble } from '../node/checks.ts'
import { dataDirFrom, nameOfStore, type StoreAddress, secretFrom, storeFrom } from '../node/config.ts'
import { issuerFrom } from '../node/issuer.ts'
import { mailFrom } from '../node/mail.ts'
import { modelsFileOf } from '../node/store-files.ts'
import { historiesIn } from '../sqlite/models/open.ts'
import { lookInto } from '../sqlite/schemas.ts'
import { refuseOtherSecret } from '../vault/index.ts'
import { type Invocation, type Run, settingsOf, usageError } from './command.ts'
import { removeLeftovers } from './new-file.ts'
import { pluginsOf } from './session.ts'

/** `otep doctor`: checks what can be wrong between this machine and its store. */
export const run: Run = async (invocation) => {
  if (invocation.positionals.length > 0) throw usageError('doctor takes options only; see otep doctor --help.')
  const { stdout, values } = invocation
  const address = storeFrom(settingsOf(invocation))
  const outcomes: Checked[] = []
  const checks = [
    ...(await checksOf(address, invocation)),
    ...(await mailChecks(invocation)),
    leftovers(invocation),
    ...issuerChecks(invocation),
  ]
  for await (const checked of runChecks(checks)) {
    outcomes.push(checked)
    if (values.json !== true) stdout.write(lineOf(checked))
  }
  if (values.json === true) stdout.write(`${JSON.stringify({ store: nameOfStore(address), checks: outcomes })}\n`)
  return outcomes.every(({ outcome }) => outcome === 'ok') ? 0 : 1
}

function lineOf({ name, outcome, found, remedy }: Checked): string {
  const line = `${outcome.padEnd(11)} ${name.padEnd(10)} ${found}\n`
  return remedy === undefined ? line : `${line}${' '.repeat(12)}-> ${remedy}\n`
}

/** What copies and restores that were killed left in the data directory is removed. */
function leftovers(invocation: Invocation): Check {
  const directory = dataDirFrom(settingsOf(invocation))
  const run = async () => {
    const count = removeLeftovers(directory)
    return count === 0 ? 'no run that was killed left a file' : `removed what killed runs left: ${count} files`
  }
  return { name: 'leftovers', run }
}

/** The server that sends e-mail, if one is set. */
async function mailChecks(invocation: Invocation): Promise<readonly Check[]> {
  const address = mailFrom(settingsOf(invocation))
  if (address === undefined) return []
  const { openMail } = await import('../mail/index.ts')
  const mail = await openMail(address)
  return [{ name: 'mail', run: mail.check }]
}

/** The outside issuer, if one is set. */
function issuerChecks(invocation: Invocation): readonly Check[] {
  const issuer = issuerFrom(settingsOf(invocation))?.issuer
  if (issuer === undefined) return []
  const remedy =
    'OTEP_OAUTH_ISSUER must be exactly the issuer that its metadata names, at an address that this machine reaches.'
  const run = async () => {
    const { countKeys } = await import('../auth/issuers.ts')
    const count = await countKeys(issuer).catch(() => {
      throw trouble(`${issuer} has no metadata or no keys at their addresses`, remedy)
    })
    return `${issuer} publishes ${count} keys`
  }
  return [{ name: 'issuer', run }]
}

async function checksOf(address: StoreAddress, invocation: Invocation): Promise<readonly Check[]> {
  const secret = (needs: string): Check => ({
    name: 'secret-key',
    needs: [needs],
    run: () => fitsSecret(address, invocation),
  })
  switch (address.kind) {
    case 'sqlite': {
      const { fileChecks } = await import('../sqlite/facts/checks.ts')
      return [...fileChecks(address.file), secret('history')]
    }
    case 'eventstore': {
      const { serverChecks } = await import('../eventstore/index.ts')
      return [
        ...serverChecks(address.connectionString, Date.now),
        secret('read-all'),
        { name: 'models', needs: ['append'], run: () => fitModels(address, invocation) },
      ]
    }
    case 'plugin':
      return [secret('')].map(({ needs: _, ...check }) => check)
    case 'memory':
      throw new Error('A store in memory needs no check.')
    default:
      return address satisfies never
  }
}

/** The read models in the data directory are those of the history in the store. */
async function fitModels(address: StoreAddress, invocation: Invocation): Promise<string> {
  const place = modelsFileOf(dataDirFrom(settingsOf(invocation)), address)
  if (place === undefined || !existsSync(place.file)) return 'none are in the data directory yet'
  const histories = lookInto(place.file, (database) => historiesIn(database, place.name)) ?? []
  const history = await withStore(address, invocation, async ({ identity }) => identity?.())
  if (history !== undefined && histories.some((one) => one !== history))
    throw trouble(
      `${place.file} has read models of another history`,
      'Name the right store or data directory. A server that is started here rebuilds them.',
    )
  return history === undefined ? 'the history has no name yet' : `of the history ${history}`
}

/** Keys without a proof, as those of a new store, fit any secret. */
async function fitsSecret(address: StoreAddress, invocation: Invocation): Promise<string> {
  if (!hasStore(address)) throw new Error(`There is no store ${nameOfStore(address)}.`)
  try {
    await withStore(address, invocation, (store) => refuseOtherSecret(store.keys, secretFrom(settingsOf(invocation))))
    return 'fits this store'
  } catch (error) {
    if (!isEngineError(error, 'wrong_secret_key')) throw error
    throw trouble(
      'the secret key is not that of this store',
      'Set OTEP_SECRET_KEY to it, or put its file secret.key into the data directory.',
    )
  }
}

async function withStore<Result>(
  address: StoreAddress,
  invocation: Invocation,
  look: (store: Storage) => Promise<Result>,
): Promise<Result> {
  const { stores } = await pluginsOf(invocation)
  const store = await openStore(address, {}, stores)
  try {
    return await look(store)
  } finally {
    await store.close()
  }
}

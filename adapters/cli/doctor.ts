import { isEngineError } from '../../engine/index.ts'
import { hasStore, openStore } from '../engine.ts'
import { type Check, type Checked, runChecks, trouble } from '../node/checks.ts'
import { nameOfStore, type StoreAddress, secretFrom, storeFrom } from '../node/config.ts'
import { refuseOtherSecret } from '../vault/index.ts'
import { type Invocation, type Run, settingsOf, usageError } from './command.ts'
import { pluginsOf } from './session.ts'

/** `otep doctor`: checks what stands between this machine and its store. */
export const run: Run = async (invocation) => {
  if (invocation.positionals.length > 0) throw usageError('doctor takes options only; see otep doctor --help.')
  const { stdout, values } = invocation
  const address = storeFrom(settingsOf(invocation))
  const outcomes: Checked[] = []
  for await (const checked of runChecks(await checksOf(address, invocation))) {
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
      return [...serverChecks(address.connectionString, Date.now), secret('read-all')]
    }
    case 'plugin':
      return [secret('')].map(({ needs: _, ...check }) => check)
    case 'memory':
      throw new Error('A store in memory needs no check.')
    default:
      return address satisfies never
  }
}

/** Keys without a proof, as those of a new store, fit any secret. */
async function fitsSecret(address: StoreAddress, invocation: Invocation): Promise<string> {
  if (!hasStore(address)) throw new Error(`There is no store ${nameOfStore(address)}.`)
  const { stores } = await pluginsOf(invocation)
  const store = await openStore(address, {}, stores)
  try {
    await refuseOtherSecret(store.keys, secretFrom(settingsOf(invocation)))
    return 'fits this store'
  } catch (error) {
    if (!isEngineError(error, 'wrong_secret_key')) throw error
    throw trouble(
      'the secret key is not that of this store',
      'Set OTEP_SECRET_KEY to it, or put its file secret.key into the data directory.',
    )
  } finally {
    await store.close()
  }
}

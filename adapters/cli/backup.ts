import { createHash } from 'node:crypto'
import { createReadStream, existsSync, statSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { dataDirFrom, nameOfStore, storeFrom } from '../node/config.ts'
import { deliveriesFileOf } from '../node/store-files.ts'
import { copyDeliveries, packDeliveries } from '../sqlite/deliveries/backup.ts'
import { backUp } from '../sqlite/facts/backup.ts'
import { type Copy, keepBackups } from './backups.ts'
import { type Invocation, type Run, settingsOf, usageError } from './command.ts'
import { backUpModels } from './models-copy.ts'
import { besideOf, newFile, refuseStore } from './new-file.ts'
import { progressOn } from './progress.ts'

/** `otep backup`: a whole copy of the store in one file, or several of them in a directory. */
export const run: Run = async (invocation) => {
  const { values } = invocation
  const file = oneFile(invocation)
  if (values.models === true) return backUpModels(invocation, file)
  const store = fileOfStore(invocation)
  if (!existsSync(store))
    throw new Error(
      `There is no store ${store}. Run this where the server runs, or use --data-dir DIR or --store ADDRESS.`,
    )
  const copy: Copy = (to) => backUpTo(invocation, store, to)
  if (values.every === undefined && values.keep === undefined) await copy(file)
  else await keepBackups(invocation, file, copy)
  return 0
}

/** Copies the store to a file and prints what it holds. */
async function backUpTo(invocation: Invocation, store: string, file: string): Promise<void> {
  const { values, stdout } = invocation
  const progress = progressOn(invocation, 1)
  refuseStore(file, invocation)
  const copied = await newFile(file, values.force === true, async (partial) => {
    // The deliveries first: those that follow from later events are made again after a restore, so none is missing.
    const deliveries = await copyDeliveriesBeside(invocation, partial)
    const held = await backUp(store, partial, (done, total) => progress.at(done / total, 'copied'))
    if (deliveries !== undefined) await packDeliveries(besideOf(partial), partial)
    return { ...held, deliveries, bytes: statSync(partial).size, sha256: await sha256Of(partial) }
  }).finally(progress.end)
  if (values.json === true) stdout.write(`${JSON.stringify({ file, ...copied })}\n`)
  else {
    const { events, deliveries, bytes, position = 'none', sha256 } = copied
    const sent = deliveries === undefined ? '' : `${deliveries} webhook deliveries, `
    stdout.write(`${events} events, ${sent}${bytes} bytes, last position ${position}\nsha256 ${sha256}  ${file}\n`)
  }
}

/** Copies the deliveries of the store; returns their number, `undefined` if it has never had any. */
async function copyDeliveriesBeside(invocation: Invocation, partial: string): Promise<number | undefined> {
  const settings = settingsOf(invocation)
  const file = deliveriesFileOf(dataDirFrom(settings), storeFrom(settings))
  return file === undefined || !existsSync(file) ? undefined : copyDeliveries(file, besideOf(partial))
}

/** The single file argument of a command. */
export function oneFile({ positionals: [file, second] }: Invocation): string {
  if (file === undefined || second !== undefined) throw usageError('Name one file.')
  return file
}

/** The file of the embedded store. Other stores have no file; their servers make backups. */
export function fileOfStore(invocation: Invocation): string {
  const address = storeFrom(settingsOf(invocation))
  if (address.kind === 'sqlite') return address.file
  throw new Error(
    `${nameOfStore(address)} is not a file of this machine. Use the backup of its server, or otep export and otep import.`,
  )
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  type Context,
  call,
  forgetAccount,
  forgetOrder,
  idInStream,
  otepForget,
  type StreamName,
  timelineName,
} from '../../engine/index.ts'
import { dataDirFrom, secretFrom, storeFrom } from '../node/config.ts'
import { deliveriesFileOf } from '../node/store-files.ts'
import { holdsDeliveries, unpackDeliveries } from '../sqlite/deliveries/backup.ts'
import { lookAtKeys } from '../sqlite/facts/copy.ts'
import { restore } from '../sqlite/facts/restore.ts'
import { refuseOtherSecret } from '../vault/index.ts'
import { fileOfStore, oneFile } from './backup.ts'
import { type Invocation, type Run, settingsOf } from './command.ts'
import { newFile } from './new-file.ts'
import { progressOn } from './progress.ts'
import { withContext } from './session.ts'

/** `otep restore`: replaces the contents of the store with a backup. */
export const run: Run = async (invocation) => {
  const { values, stdout } = invocation
  const file = oneFile(invocation)
  const store = fileOfStore(invocation)
  // Check the secret first: after the restore it would be too late.
  const secret = secretFrom(settingsOf(invocation))
  await lookAtKeys(file, (keys) => refuseOtherSecret(keys, secret))
  const progress = progressOn(invocation, 1)
  const { deliveries, undo } = await restoreDeliveries(invocation, file)
  const { forgotten, ...restored } = await restore(file, store, {
    force: values.force === true,
    progress: (done, total) => progress.at(done / total, 'checked and restored'),
  })
    .catch((error: unknown) => {
      undo()
      throw error
    })
    .finally(progress.end)
  if (forgotten.length > 0) await withContext(invocation, (context) => recordErasures(context, forgotten))
  if (values.json === true) stdout.write(`${JSON.stringify({ store, ...restored, deliveries })}\n`)
  else {
    stdout.write(`${restored.events} events are in ${store}, up to position ${restored.position ?? 'none'}.\n`)
    if (deliveries !== undefined) stdout.write(`${deliveries} webhook deliveries came with them.\n`)
  }
  return 0
}

/**
 * Puts the webhook deliveries of a backup where there are none, such as on a new machine. Deliveries that are there already stay:
 * they know what was sent since, which the backup does not. The deliveries come before the store, because a server that starts in
 * between would begin its own file.
 */
async function restoreDeliveries(
  invocation: Invocation,
  backup: string,
): Promise<{ readonly deliveries: number | undefined; readonly undo: () => void }> {
  const settings = settingsOf(invocation)
  const file = deliveriesFileOf(dataDirFrom(settings), storeFrom(settings))
  if (file === undefined || existsSync(file) || !holdsDeliveries(backup))
    return { deliveries: undefined, undo: () => {} }
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  // What is left of a file that was removed would be taken for a part of this one.
  for (const end of ['-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
  const deliveries = await newFile(file, false, (partial) => unpackDeliveries(backup, partial))
  return { deliveries, undo: () => rmSync(file, { force: true }) }
}

/**
 * Erasures after the backup remain in force: the keys are gone. This records them again, where something shows whether it
 * is erased. The erasure of an account records that of its password, its locations and its proposals, too.
 */
async function recordErasures(context: Context, streams: readonly StreamName[]): Promise<void> {
  for (const stream of streams) {
    const id = Number(idInStream(stream))
    if (stream.startsWith('tracking-')) await call(otepForget, context, { tracking_number: timelineName(stream) })
    else if (stream.startsWith('order-')) await call(forgetOrder, context, { order_id: id })
    else if (stream.startsWith('account-')) await call(forgetAccount, context, { account_id: id })
  }
}

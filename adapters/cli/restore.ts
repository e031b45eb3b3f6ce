import {
  type Context,
  call,
  forgetAccount,
  forgetOrder,
  otepForget,
  type StreamName,
  timelineName,
} from '../../engine/index.ts'
import { secretFrom } from '../node/config.ts'
import { lookAtKeys } from '../sqlite/facts/copy.ts'
import { restore } from '../sqlite/facts/restore.ts'
import { refuseOtherSecret } from '../vault/index.ts'
import { fileOfStore, oneFile } from './backup.ts'
import { type Run, settingsOf } from './command.ts'
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
  const { forgotten, ...restored } = await restore(file, store, {
    force: values.force === true,
    progress: (done, total) => progress.at(done / total, 'checked and restored'),
  }).finally(progress.end)
  if (forgotten.length > 0) await withContext(invocation, (context) => recordErasures(context, forgotten))
  if (values.json === true) stdout.write(`${JSON.stringify({ store, ...restored })}\n`)
  else stdout.write(`${restored.events} events are in ${store}, up to position ${restored.position ?? 'none'}.\n`)
  return 0
}

/**
 * Erasures after the backup remain in force: the keys are gone. This records them again, where something shows whether it
 * is erased. The erasure of an account records that of its password, its locations and its proposals, too.
 */
async function recordErasures(context: Context, streams: readonly StreamName[]): Promise<void> {
  for (const stream of streams) {
    const id = Number(stream.slice(stream.indexOf('-') + 1))
    if (stream.startsWith('tracking-')) await call(otepForget, context, { tracking_number: timelineName(stream) })
    else if (stream.startsWith('order-')) await call(forgetOrder, context, { order_id: id })
    else if (stream.startsWith('account-')) await call(forgetAccount, context, { account_id: id })
  }
}

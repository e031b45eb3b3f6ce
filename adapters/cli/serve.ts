import { startServer } from '../main.ts'
import { configFrom, nameOfStore } from '../node/config.ts'
import { type Run, settingsOf, usageError } from './command.ts'
import { pluginsOf } from './session.ts'
import { waitForSignal } from './signals.ts'

/** `otep serve`: the HTTP interface. */
export const run: Run = async (invocation) => {
  if (invocation.positionals.length > 0) throw usageError('serve takes options only; see otep serve --help.')
  const config = configFrom(settingsOf(invocation))
  const running = await startServer(config, await pluginsOf(invocation))
  invocation.stdout.write(`otep listens on ${running.url}, with its store in ${nameOfStore(config.store)}\n`)
  await waitForSignal()
  await running.stop()
  return 0
}

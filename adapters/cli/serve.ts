import { configFrom, nameOfStore } from '../config.ts'
import { type Command, settingsOf, storeOption, usageError } from './command.ts'
import { firstSignal } from './signals.ts'

/** `otep serve`: the HTTP interface. */
export const serveCommand: Command = {
  name: 'serve',
  takes: '',
  summary: 'Serve the REST interface and the tracking pages.',
  options: {
    ...storeOption,
    port: {
      type: 'string',
      short: 'p',
      value: 'PORT',
      help: 'port to listen on (PORT, default 3000; 0 for any free one)',
    },
    host: { type: 'string', value: 'HOST', help: 'address to listen on (HOST, default all)' },
  },
  run: async (invocation) => {
    if (invocation.positionals.length > 0) throw usageError('serve takes options only; see otep serve --help.')
    const config = configFrom(settingsOf(invocation))
    // The other commands need nothing of the server, and start the sooner.
    const { startServer } = await import('../main.ts')
    const running = await startServer(config)
    invocation.stdout.write(`otep listens on ${running.url}, with its facts in ${nameOfStore(config.store)}\n`)
    await firstSignal()
    await running.stop()
    return 0
  },
}

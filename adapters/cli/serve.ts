import { type Config, configFrom } from '../config.ts'
import { startServer } from '../main.ts'
import { type Command, type Invocation, storeOption, usageError } from './command.ts'

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
    const config = configOf(invocation)
    const running = await startServer(config)
    invocation.stdout.write(`otep listens on ${running.url}, with its data in ${config.dataDir}\n`)
    await new Promise((resolve) => {
      process.once('SIGINT', resolve)
      process.once('SIGTERM', resolve)
    })
    await running.stop()
    return 0
  },
}

function configOf({ env, values }: Invocation): Config {
  const given = { PORT: values.port, HOST: values.host, OTEP_DATA_DIR: values['data-dir'] }
  const set = Object.entries(given).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
  return configFrom({ ...env, ...Object.fromEntries(set) })
}

import type { Command } from './command.ts'

/** Option of commands that use formats, profiles or stores. */
export const pluginOption: Command['options'] = {
  plugin: {
    type: 'string',
    value: 'NAME',
    multiple: true,
    help: 'plug-in to load: a package or ./FILE; can be repeated (also OTEP_PLUGINS, otep.config.js)',
  },
}

/** Options of commands that open the store. */
export const storeOption: Command['options'] = {
  ...pluginOption,
  'data-dir': { type: 'string', value: 'DIR', help: 'data directory (OTEP_DATA_DIR, default ./data)' },
  store: {
    type: 'string',
    value: 'ADDRESS',
    help: 'address of the store (OTEP_STORE): sqlite:FILE, memory:, esdb://HOST:PORT, or one of a plug-in',
  },
}

/** Options of commands that ask a server over its REST interface. */
export const serverOption: Command['options'] = {
  url: { type: 'string', value: 'URL', help: 'server to ask in place of a store (OTEP_URL)' },
  profile: { type: 'string', value: 'NAME', help: 'server and sign-in of otep login (OTEP_PROFILE)' },
  'key-file': {
    type: 'string',
    value: 'FILE',
    help: 'file with the key or token for the server (OTEP_KEY has it itself)',
  },
  key: {
    type: 'string',
    value: 'KEY',
    help: 'the key itself, which other users of this machine see in the list of processes: better --key-file',
  },
}

/** Options of commands that open a store or ask a server. */
export const placeOption: Command['options'] = { ...storeOption, ...serverOption }

/** Option of commands with machine-readable output. */
export const jsonOption: Command['options'] = { json: { type: 'boolean', help: 'print JSON' } }

/** Option of commands that write a file. */
export const forceOption: Command['options'] = { force: { type: 'boolean', help: 'replace an existing file' } }

/** Options of commands that print documents. */
export const formatOptions: Command['options'] = {
  ...pluginOption,
  format: { type: 'string', value: 'FORMAT', help: 'output format; otep formats lists them' },
  option: { type: 'string', value: 'NAME=VALUE', help: 'an option of the format: as=capture' },
  accept: { type: 'string', value: 'TYPE', help: 'media type, such as application/xml or application/ld+json' },
}

import { resolve } from 'node:path'

/** Where a server is, as its connection string says. */
export interface Address {
  readonly hosts: readonly Host[]
  readonly isSecure: boolean
  /** The file of the authorities that are trusted besides those of Node. */
  readonly authorities: string | undefined
  /** Whether it names a user. */
  readonly hasUser: boolean
}

/** A server, or a name for several. */
export interface Host {
  readonly name: string
  readonly port: number
}

const defaultPort = 2113

/** The address in a connection string that the client has read already. */
export function addressOf(connectionString: string): Address {
  const [, user, hosts = '', query = ''] = /^[^:]+:\/\/(?:(.*)@)?([^?/]*)\/?(?:\?(.*))?$/.exec(connectionString) ?? []
  const settings = new Map(
    query.split('&').map((text): readonly [string, string] => {
      const [name = '', value = ''] = text.split('=', 2)
      return [name.replace(/[_-]/g, '').toLowerCase(), value]
    }),
  )
  const authorities = settings.get('tlscafile')
  return {
    hosts: hosts.split(',').map(hostOf),
    isSecure: settings.get('tls') !== 'false',
    authorities: authorities === undefined ? undefined : resolve(decodeURIComponent(authorities)),
    hasUser: user !== undefined,
  }
}

function hostOf(host: string): Host {
  const [name = '', port] = host.split(':')
  return { name, port: port === undefined ? defaultPort : Number(port) }
}

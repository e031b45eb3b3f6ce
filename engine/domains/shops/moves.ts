import type { Moves } from '../../entity/field.ts'

/** The statuses of a shop. */
export const statuses = {
  connected: 'The business works with the shop.',
  removed: 'The business does not work with the shop any more; its credentials are erased.',
} as const

const admins = ['client_admin'] as const

/** The moves of a shop. */
export const moves = {
  connect: {
    from: 'nothing',
    to: 'connected',
    event: 'ShopConnected',
    call: {
      operation: 'connect_shop',
      summary:
        'Connect a shop: what happens to the parcels of its orders is sent to it. Its credentials are sealed, and never answered.',
      by: admins,
      secret: true,
      errors: ['webhook_url_refused'],
    },
  },
  change: {
    from: ['connected'],
    event: 'ShopChanged',
    call: {
      operation: 'change_shop',
      verb: 'change',
      summary: 'Change a shop: its name, its address, its credentials, or whether it is sent anything.',
      by: admins,
      secret: true,
      errors: ['webhook_url_refused'],
    },
  },
  remove: {
    from: ['connected'],
    to: 'removed',
    event: 'ShopRemoved',
    erases: true,
    call: {
      operation: 'remove_shop',
      verb: 'remove',
      summary: 'Remove a shop, and erase its credentials. What waits for it is not sent.',
      by: admins,
    },
  },
} as const satisfies Moves<keyof typeof statuses>

import type { Catalogue, CodeOf } from '../../kernel/catalogue.ts'

/** Drivers. */
export const driverMessages = {
  not_found: {
    driver_not_found: 'There is no driver {driver}.',
  },
} as const satisfies Catalogue

/** A code of drivers. */
export type DriverCode = CodeOf<typeof driverMessages>

declare module '../../kernel/messages/index.ts' {
  interface Codes extends Record<DriverCode, 'drivers'> {}
}
